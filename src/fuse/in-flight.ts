// Requests whose answer is still being worked on: for INTERRUPT, for time-outs and for an orderly end.
import { Opcode } from "../../generated/fuse/kernel.ts";
import type { Request } from "./request.ts";

export class InFlight {
  readonly #requests = new Map<number, Request>();
  readonly #timeoutMs: number;
  readonly #onTimeout: (r: Request) => void;
  #timer: NodeJS.Timeout | undefined;
  #idle: (() => void) | undefined;

  constructor(timeoutMs: number, onTimeout: (r: Request) => void) {
    this.#timeoutMs = timeoutMs;
    this.#onTimeout = onTimeout;
  }

  get size(): number {
    return this.#requests.size;
  }

  all(): Request[] {
    return [...this.#requests.values()];
  }

  find(key: number): Request | undefined {
    return this.#requests.get(key);
  }

  add(r: Request): void {
    this.#requests.set(r.request, r);
    if (this.#timeoutMs === 0) return;
    r.startedAt = performance.now();
    this.#timer ??= setInterval(() => this.#sweep(), Math.max(10, this.#timeoutMs / 4)).unref();
  }

  remove(r: Request): void {
    // A garbled or repeated unique number must not remove another request.
    if (this.#requests.get(r.request) === r) this.#requests.delete(r.request);
    if (this.#requests.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#idle?.();
  }

  /** Resolves when nothing is under way, or rejects with the signal's reason. */
  async drained(signal: AbortSignal): Promise<void> {
    if (this.#requests.size === 0) return;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#idle = resolve;
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    await promise;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The oldest come first, so the sweep ends at the first one that still has time. */
  #sweep(): void {
    const limit = performance.now() - this.#timeoutMs;
    for (const r of this.#requests.values()) {
      if (r.startedAt > limit) return;
      // Waiting for a lock may take as long as it takes.
      if (!r.answered && r.opcode !== Opcode.SETLKW) this.#onTimeout(r);
    }
  }
}
