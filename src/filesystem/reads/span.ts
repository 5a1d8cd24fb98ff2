// A piece of one version of an object in memory, or on its way there. Filled from the front; readers wait for the bytes
// they need and pin it while the kernel takes them.
import type { Block } from "../memory.ts";
import type { CachedObject } from "./block-cache.ts";

interface SpanWaiter {
  readonly need: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Span {
  readonly object: CachedObject;
  readonly start: number;
  readonly end: number;
  block: Block | undefined;
  /** Bytes from the start that are valid. */
  filled = 0;
  pins = 0;
  /** Abandoned when nobody needs it any more. */
  readonly controller = new AbortController();
  failed = false;
  /** Read to its end: the first to go when memory is needed. */
  consumed = false;
  touchedMs = 0;
  #waiters: SpanWaiter[] = [];
  #firstNeed = Number.POSITIVE_INFINITY;

  constructor(object: CachedObject, start: number, end: number) {
    this.object = object;
    this.start = start;
    this.end = end;
  }

  get complete(): boolean {
    return this.filled === this.end - this.start;
  }

  get wanted(): boolean {
    return this.#waiters.length > 0 || this.pins > 0;
  }

  has(offset: number): boolean {
    return this.start + this.filled >= offset;
  }

  /** Resolves when everything before this offset of the object is there. */
  until(offset: number): Promise<void> {
    const need = Math.min(offset, this.end) - this.start;
    if (this.filled >= need) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.push({ need, resolve, reject });
    this.#firstNeed = Math.min(this.#firstNeed, need);
    return promise;
  }

  progress(filled: number): void {
    this.filled = filled;
    if (filled < this.#firstNeed) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#firstNeed = Number.POSITIVE_INFINITY;
    for (const waiter of waiters) {
      if (waiter.need <= filled) waiter.resolve();
      else {
        this.#waiters.push(waiter);
        this.#firstNeed = Math.min(this.#firstNeed, waiter.need);
      }
    }
  }

  fail(error: unknown): void {
    this.failed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }
}
