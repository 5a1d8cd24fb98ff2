// Exponential backoff with full jitter, and a sleep that an AbortSignal ends.
import { setTimeout as delay } from "node:timers/promises";

export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
  readonly random?: () => number;
}

/** The wait before the attempt-th retry (0 = first): uniform in [0, min(max, base·2^attempt)]. */
export function backoffMs(attempt: number, options: BackoffOptions): number {
  const ceiling = Math.min(options.maxMs, options.baseMs * 2 ** Math.min(attempt, 30));
  return Math.round((options.random ?? Math.random)() * ceiling);
}

/** Rejects with the signal's reason when it is aborted first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.reason ?? error;
  }
}
