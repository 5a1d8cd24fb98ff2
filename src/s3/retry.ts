// Tries again what may be tried again: full jitter on a scale of 500 ms doubling up to 20 s, 10 attempts unless told.
import { backoffMs, sleep } from "../core/backoff.ts";
import type { Failure } from "./failure.ts";

export interface RetryOptions {
  readonly maxAttempts: number;
  /** No further attempt is begun when its wait would end later than so many ms after the first one began. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly random?: () => number;
  /** Told before each wait. */
  readonly onRetry?: (failure: Failure, attempt: number, waitMs: number) => void;
}

export class AttemptFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

/** The task throws AttemptFailed; the last one's DriverError is what the caller gets. */
export async function withRetries<T>(options: RetryOptions, task: (attempt: number) => Promise<T>): Promise<T> {
  const started = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await task(attempt);
    } catch (thrown) {
      if (!(thrown instanceof AttemptFailed)) throw thrown;
      const { failure } = thrown;
      if (!failure.error.retryable || attempt + 1 >= options.maxAttempts || options.signal?.aborted) throw failure.error;
      const jitter = backoffMs(attempt, { baseMs: 500, maxMs: 20_000, ...(options.random ? { random: options.random } : {}) });
      const wait = Math.max(jitter, failure.retryAfterMs ?? 0);
      if (options.deadlineMs !== undefined && performance.now() - started + wait > options.deadlineMs) throw failure.error;
      options.onRetry?.(failure, attempt, wait);
      await sleep(wait, options.signal);
    }
  }
}
