// Keys that want work. A key waits at most once, is worked on by at most one worker, and when it is added during its own work
// it comes again afterwards: so no change is lost and nothing runs twice at the same time.
import { backoffMs } from "../core/backoff.ts";

export interface WorkQueueOptions {
  /** The first retry of a key waits up to baseMs, each later one twice that, never more than maxMs. */
  readonly baseMs?: number;
  readonly maxMs?: number;
  readonly random?: () => number;
}

export class WorkQueue {
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;
  /** In order of arrival: a Set keeps it, and dedupes. */
  readonly #ready = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { readonly due: number; readonly timer: NodeJS.Timeout }>();
  readonly #failures = new Map<string, number>();
  readonly #waiters: ((key: string) => void)[] = [];

  constructor(options: WorkQueueOptions = {}) {
    this.#baseMs = options.baseMs ?? 50;
    this.#maxMs = options.maxMs ?? 5_000;
    this.#random = options.random ?? Math.random;
  }

  add(key: string): void {
    if (this.#busy.has(key)) {
      this.#again.add(key);
      return;
    }
    const waiter = this.#ready.has(key) ? undefined : this.#waiters.shift();
    if (waiter) {
      this.#busy.add(key);
      waiter(key);
    } else this.#ready.add(key);
  }

  /** The earlier of two delays of the same key wins. */
  addAfter(key: string, ms: number): void {
    if (ms <= 0) return this.add(key);
    const due = performance.now() + ms;
    const known = this.#delayed.get(key);
    if (known && known.due <= due) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.#delayed.delete(key);
      this.add(key);
    }, ms);
    this.#delayed.set(key, { due, timer });
  }

  /** Again later, and later each time, until forget(). Returns the wait. */
  retry(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    // At least half of the ceiling: a key that fails at once must not spin when the dice say zero.
    const options = { baseMs: this.#baseMs / 2, maxMs: this.#maxMs / 2, random: this.#random };
    const ms = Math.min(this.#maxMs / 2, (this.#baseMs / 2) * 2 ** Math.min(failures, 30)) + backoffMs(failures, options);
    this.addAfter(key, ms);
    return ms;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key; whoever takes it must call done(). */
  async next(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    for (const key of this.#ready) {
      this.#ready.delete(key);
      this.#busy.add(key);
      return key;
    }
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const onAbort = () => {
      const at = this.#waiters.indexOf(resolve);
      if (at < 0) return;
      this.#waiters.splice(at, 1);
      reject(signal.reason);
    };
    this.#waiters.push(resolve);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  done(key: string): void {
    this.#busy.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Drops all that waits, delayed keys too; what is being worked on goes on. */
  clear(): void {
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    this.#delayed.clear();
    this.#ready.clear();
    this.#again.clear();
    this.#failures.clear();
  }

  get counts(): { readonly ready: number; readonly busy: number; readonly delayed: number; readonly failing: number } {
    return { ready: this.#ready.size, busy: this.#busy.size, delayed: this.#delayed.size, failing: this.#failures.size };
  }
}
