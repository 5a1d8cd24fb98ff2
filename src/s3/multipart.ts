// Multipart uploads over our own requests: they are on the write path, which must not have to load the SDK.
import { createHash } from "node:crypto";
import { DriverError } from "../core/errors.ts";
import { checksumHeaders, checksumOf } from "./checksum.ts";
import type { CompleteOptions, MultipartUpload, PutResult, UploadedPart, WriteOptions } from "./object-store.ts";
import { writeHeaders } from "./put-object.ts";
import type { Requester, S3Call } from "./requester.ts";
import { AttemptFailed, withRetries } from "./retry.ts";
import { timeToCopyMs } from "./time-to-copy.ts";
import { elementText } from "./xml.ts";

export async function createUpload(requester: Requester, key: string, options: WriteOptions, signal?: AbortSignal): Promise<MultipartUpload> {
  const checksum = options.checksum ?? "crc32c";
  const headers = { ...writeHeaders(options), ...(checksum === "off" ? {} : { "x-amz-checksum-algorithm": checksum.toUpperCase() }) };
  const call: S3Call = { operation: "CreateMultipartUpload", method: "POST", key, query: [["uploads", ""]], headers, idempotent: false, signal };
  const fromMs = Date.now();
  let doubtful = false;
  return withRetries(requester.retries(call), async () => {
    try {
      const reply = await requester.attempt(call);
      const uploadId = elementText(Buffer.from(reply.body).toString(), "UploadId");
      if (uploadId === undefined) throw new DriverError("Io", `the store named no upload for ${key}`);
      return { key, uploadId, checksum, ...(doubtful ? { doubt: { fromMs, toMs: Date.now() } } : {}) };
    } catch (thrown) {
      if (thrown instanceof AttemptFailed) doubtful ||= thrown.failure.ambiguous;
      throw thrown;
    }
  });
}

export async function uploadPart(requester: Requester, upload: MultipartUpload, partNumber: number, body: readonly Uint8Array[], signal?: AbortSignal): Promise<UploadedPart> {
  const checksum = checksumOf(upload.checksum, body);
  const reply = await requester.send({
    operation: "UploadPart",
    method: "PUT",
    key: upload.key,
    query: [["partNumber", String(partNumber)], ["uploadId", upload.uploadId]],
    headers: checksumHeaders(upload.checksum, checksum),
    body,
    bodyIsProven: true,
    signal,
  });
  const size = body.reduce((sum, b) => sum + b.length, 0);
  return { partNumber, etag: reply.headers.get("etag") ?? "", size, ...(checksum === undefined ? {} : { checksum }) };
}

/** Some stores copy all parts into one file before they reply, and versitygw answers a second completion with success although the first
 *  one is still at it: asking again too early would call a file complete that is not there. */
/** When the reply of a completion is lost, the upload is gone at the next attempt: then the object itself must tell. */
export async function completeUpload(
  requester: Requester,
  upload: MultipartUpload,
  parts: readonly UploadedPart[],
  options: CompleteOptions = {},
): Promise<PutResult> {
  const size = parts.reduce((sum, p) => sum + p.size, 0);
  const call: S3Call = {
    operation: "CompleteMultipartUpload",
    method: "POST",
    key: upload.key,
    query: [["uploadId", upload.uploadId]],
    headers: { "content-type": "application/xml", ...(options.ifNoneMatch ? { "if-none-match": "*" } : {}), ...(options.ifMatch === undefined ? {} : { "if-match": options.ifMatch }) },
    body: [Buffer.from(partsDocument(upload, parts))],
    idempotent: false,
    onPrecondition: options.ifNoneMatch ? "AlreadyExists" : "Stale",
    patienceMs: timeToCopyMs(size),
    signal: options.signal,
  };
  let doubtful = false;
  return withRetries(requester.retries(call), async () => {
    try {
      const reply = await requester.attempt(call);
      return { etag: elementText(Buffer.from(reply.body).toString(), "ETag") ?? "", size };
    } catch (thrown) {
      if (!(thrown instanceof AttemptFailed)) throw thrown;
      if (doubtful && refusals.has(thrown.failure.error.code)) {
        const landed = await ownObject(requester, upload, parts, size, options.signal);
        if (landed) return landed;
      }
      doubtful ||= thrown.failure.ambiguous;
      throw thrown;
    }
  });
}

/** An upload that is not there any more is success. */
export async function abortUpload(requester: Requester, upload: MultipartUpload, signal?: AbortSignal): Promise<void> {
  const call: S3Call = { operation: "AbortMultipartUpload", method: "DELETE", key: upload.key, query: [["uploadId", upload.uploadId]], signal };
  await requester.send(call).catch((error: unknown) => {
    if (!(error instanceof DriverError) || error.code !== "NotFound") throw error;
  });
}

const refusals: ReadonlySet<string> = new Set(["NotFound", "Stale", "AlreadyExists", "Conflict"]);

async function ownObject(requester: Requester, upload: MultipartUpload, parts: readonly UploadedPart[], size: number, signal: AbortSignal | undefined) {
  const reply = await requester.send({ operation: "HeadObject", method: "HEAD", key: upload.key, signal }).catch(() => undefined);
  const etag = reply?.headers.get("etag") ?? "";
  if (!reply || Number(reply.headers.get("content-length")) !== size) return undefined;
  const digests = parts.map((p) => /^"?([0-9a-f]{32})"?$/.exec(p.etag)?.[1]);
  if (digests.some((d) => d === undefined)) return etag.endsWith(`-${parts.length}"`) ? { etag, size } : undefined;
  const expected = createHash("md5").update(Buffer.from(digests.join(""), "hex")).digest("hex");
  return etag === `"${expected}-${parts.length}"` ? { etag, size } : undefined;
}

function partsDocument(upload: MultipartUpload, parts: readonly UploadedPart[]): string {
  // Some stores tell no checksum of a copied part; then none is claimed, rather than for some parts only.
  const complete = upload.checksum !== "off" && parts.every((p) => p.checksum !== undefined);
  const element = `Checksum${upload.checksum.toUpperCase()}`;
  const items = parts.map((p) => {
    const checksum = !complete ? "" : `<${element}>${p.checksum}</${element}>`;
    return `<Part><PartNumber>${p.partNumber}</PartNumber><ETag>${p.etag.replaceAll('"', "&quot;")}</ETag>${checksum}</Part>`;
  });
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${items.join("")}</CompleteMultipartUpload>`;
}
