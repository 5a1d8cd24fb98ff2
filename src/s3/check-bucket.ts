// Asked before a mount is said to be ready: can this identity use this bucket? The cheapest request that tells is a listing of
// nothing; unlike HEAD its failure comes with a reason.
import { Requester, type RequesterOptions } from "./requester.ts";

export interface CheckOptions extends RequesterOptions {
  /** Looked at below this prefix, since permissions may end there. */
  readonly prefix?: string;
  readonly signal?: AbortSignal;
}

/** Resolves with the bucket's region when it can be listed; else throws the true cause, within 20 s. */
export async function checkBucket(options: CheckOptions): Promise<string> {
  const requester = new Requester({ ...options, timeouts: { firstByteMs: 10_000, ...options.timeouts } });
  try {
    await requester.send({
      operation: "ListObjectsV2",
      method: "GET",
      query: [
        ["list-type", "2"],
        ["max-keys", "1"],
        ["prefix", options.prefix ?? ""],
      ],
      maxAttempts: Math.min(3, options.maxAttempts ?? 3),
      deadlineMs: 20_000,
      signal: options.signal,
    });
    return requester.region;
  } finally {
    requester.close();
  }
}
