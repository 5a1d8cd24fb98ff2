// How often a Mountpoint Pod had to be made again lately, and hence when the next may come: a pod that its node rejects each time
// must not be made a hundred times a minute. The first replacement is immediate. Forgotten with the process, which does no harm.

const steps = [0, 1_000, 3_000, 7_000];
const windowMs = 120_000;

export class PodLosses {
  readonly #losses = new Map<string, { readonly count: number; readonly at: number }>();

  /** The pod of this name was made again now. */
  replaced(name: string, now: number): void {
    const before = this.#losses.get(name);
    this.#losses.delete(name);
    this.#losses.set(name, { count: before && now - before.at < windowMs ? before.count + 1 : 1, at: now });
    for (const [old, { at }] of this.#losses) {
      if (now - at < windowMs) break;
      this.#losses.delete(old);
    }
  }

  notBefore(now: number): ReadonlyMap<string, number> {
    const times = new Map<string, number>();
    for (const [name, { count, at }] of this.#losses) {
      if (now - at < windowMs) times.set(name, at + (steps[Math.min(count, steps.length - 1)] ?? 0));
    }
    return times;
  }
}
