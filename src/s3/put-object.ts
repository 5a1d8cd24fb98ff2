// PutObject, plain, conditional and appending. A plain put may be sent again at will. A conditional one may not: when its reply
// is lost and the second attempt is refused, the refusal can be due to our own first attempt, so the object is looked at before
// the refusal is believed.
import { createHash } from "node:crypto";
import { checksumHeaders, checksumOf } from "./checksum.ts";
import type { PutOptions, PutResult, WriteOptions } from "./object-store.ts";
import type { Requester, S3Call } from "./requester.ts";
import { AttemptFailed, withRetries } from "./retry.ts";

export async function putObject(requester: Requester, options: PutOptions): Promise<PutResult> {
  const { key, body, signal } = options;
  const algorithm = options.checksum ?? "crc32c";
  const checksum = checksumOf(algorithm, body);
  const headers = { ...writeHeaders(options), ...checksumHeaders(algorithm, checksum) };
  if (options.ifNoneMatch) headers["if-none-match"] = "*";
  if (options.ifMatch !== undefined) headers["if-match"] = options.ifMatch;
  if (options.writeOffset !== undefined) headers["x-amz-write-offset-bytes"] = String(options.writeOffset);
  const conditional = options.ifNoneMatch === true || options.ifMatch !== undefined || options.writeOffset !== undefined;
  const call: S3Call = {
    operation: "PutObject",
    method: "PUT",
    key,
    headers,
    body,
    bodyIsProven: true,
    idempotent: !conditional,
    onPrecondition: options.ifNoneMatch ? "AlreadyExists" : "Stale",
    signal,
  };
  const length = body.reduce((sum, b) => sum + b.length, 0);
  let doubtful = false;
  return withRetries(requester.retries(call), async () => {
    try {
      const reply = await requester.attempt(call);
      const size = reply.headers.get("x-amz-object-size");
      return { etag: reply.headers.get("etag") ?? "", size: size === undefined ? (options.writeOffset ?? 0) + length : Number(size) };
    } catch (thrown) {
      if (!(thrown instanceof AttemptFailed)) throw thrown;
      if (doubtful && refusals.has(thrown.failure.error.code)) {
        const landed = await ownObject(requester, options, { length, checksum });
        if (landed) return landed;
      }
      doubtful ||= conditional && thrown.failure.ambiguous;
      throw thrown;
    }
  });
}

const refusals: ReadonlySet<string> = new Set(["Stale", "AlreadyExists", "Conflict", "InvalidArgument"]);

/** The object as it stands, when it is what we sent. */
async function ownObject(requester: Requester, options: PutOptions, sent: { length: number; checksum: string | undefined }): Promise<PutResult | undefined> {
  const { key, signal, body } = options;
  const headers = { "x-amz-checksum-mode": "ENABLED" };
  const reply = await requester.send({ operation: "HeadObject", method: "HEAD", key, headers, signal }).catch(() => undefined);
  const size = (options.writeOffset ?? 0) + sent.length;
  if (!reply || Number(reply.headers.get("content-length")) !== size) return undefined;
  const etag = reply.headers.get("etag") ?? "";
  if (options.writeOffset !== undefined) return { etag, size };
  const said = reply.headers.get(`x-amz-checksum-${options.checksum ?? "crc32c"}`);
  if (said !== undefined) return said === sent.checksum ? { etag, size } : undefined;
  const md5 = createHash("md5");
  for (const part of body) md5.update(part);
  return etag === `"${md5.digest("hex")}"` ? { etag, size } : undefined;
}

export function writeHeaders(options: WriteOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  if (options.contentType !== undefined) headers["content-type"] = options.contentType;
  if (options.storageClass !== undefined) headers["x-amz-storage-class"] = options.storageClass;
  if (options.sse !== undefined) headers["x-amz-server-side-encryption"] = options.sse;
  if (options.sseKmsKeyId !== undefined) headers["x-amz-server-side-encryption-aws-kms-key-id"] = options.sseKmsKeyId;
  for (const name in options.metadata) headers[`x-amz-meta-${name.toLowerCase()}`] = options.metadata[name] ?? "";
  return headers;
}
