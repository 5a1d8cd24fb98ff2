// GetObject straight into the caller's buffer. A body that breaks off is taken up where it broke, as long as it is certain that
// the object is still the same.
import { DriverError } from "../core/errors.ts";
import { contradictsChecksum } from "./checksum.ts";
import type { GetOptions, GetResult } from "./object-store.ts";
import type { Requester } from "./requester.ts";
import { AttemptFailed, withRetries } from "./retry.ts";

export async function getObject(requester: Requester, options: GetOptions): Promise<GetResult> {
  const { key, offset, length, into, ifMatch, signal } = options;
  if (length === 0 || into.length !== length) throw new DriverError("InvalidArgument", `a range of ${length} bytes into ${into.length}`);
  let filled = 0;
  const call = { operation: "GetObject", method: "GET", key, onPrecondition: "Stale", signal } as const;
  return withRetries(requester.retries(call), async () => {
    // Without an ETag to hold on to, the rest might be another object's.
    const from = ifMatch === undefined ? 0 : filled;
    const whole = options.whole === true && from === 0;
    const headers: Record<string, string> = whole ? { "x-amz-checksum-mode": "ENABLED" } : { range: `bytes=${offset + from}-${offset + length - 1}` };
    if (ifMatch !== undefined) headers["if-match"] = ifMatch;
    const reply = await requester.attempt({
      ...call,
      headers,
      into: from === 0 ? into : into.subarray(from),
      onProgress: (count) => {
        filled = from + count;
        options.onProgress?.(filled);
      },
    });
    const objectSize = sizeOf(reply.headers.get("content-range"), length);
    if (whole && contradictsChecksum(reply.headers, into)) {
      filled = 0;
      throw mismatch(key);
    }
    return { etag: reply.headers.get("etag") ?? "", objectSize, lastModifiedMs: Date.parse(reply.headers.get("last-modified") ?? "") };
  });
}

function sizeOf(contentRange: string | undefined, length: number): number {
  const total = contentRange?.slice(contentRange.lastIndexOf("/") + 1);
  return total === undefined || total === "*" ? length : Number(total);
}

function mismatch(key: string): AttemptFailed {
  return new AttemptFailed({ error: new DriverError("ChecksumMismatch", `${key} arrived with another checksum than the store has`, { retryable: true }), ambiguous: false });
}
