// The uids of workloads that were seen to go. An attachment names a workload by its uid alone, and a uid that is not among the
// pods may also be one that we have not seen yet: only having seen it go makes the difference before the stale threshold does.

export class GoneWorkloads {
  readonly #now: () => number;
  readonly #keepMs: number;
  /** In order of time. */
  readonly #uids = new Map<string, number>();

  constructor(now: () => number, keepMs: number) {
    this.#now = now;
    this.#keepMs = keepMs;
  }

  add(uid: string): void {
    const now = this.#now();
    for (const [old, at] of this.#uids) {
      if (now - at <= this.#keepMs) break;
      this.#uids.delete(old);
    }
    this.#uids.delete(uid);
    this.#uids.set(uid, now);
  }

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }
}
