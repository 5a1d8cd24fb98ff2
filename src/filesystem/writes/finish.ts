// The request that makes an object visible, and what its failure means.
import { createHash } from "node:crypto";
import { DriverError, hasCode } from "../../core/errors.ts";
import type { MultipartUpload, ObjectStore, PutOptions, PutResult, UploadedPart } from "../../s3/object-store.ts";

/** "create" refuses to replace an object that somebody else wrote meanwhile, where the store can do that. Whether it can is
 *  found out by asking and kept here, per mount. */
export interface Condition {
  readonly create: boolean;
  readonly support: ConditionalSupport;
}

export interface ConditionalSupport {
  supported: boolean | undefined;
}

export async function putObject(store: ObjectStore, options: PutOptions, condition: Condition, signal: AbortSignal): Promise<PutResult> {
  return await conditionally(
    condition,
    (ifNoneMatch) => store.put({ ...options, ...(ifNoneMatch ? { ifNoneMatch } : {}), signal }),
    () => isOurs(store, options.key, digestOf(options.body), sizeOf(options.body), signal),
  );
}

export async function completeMultipart(
  store: ObjectStore,
  upload: MultipartUpload,
  parts: readonly UploadedPart[],
  condition: Condition,
  signal: AbortSignal,
): Promise<PutResult> {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  return await conditionally(
    condition,
    (ifNoneMatch) => store.completeUpload(upload, parts, { ...(ifNoneMatch ? { ifNoneMatch } : {}), signal }),
    () => isOurs(store, upload.key, multipartDigest(parts), size, signal),
  );
}

/** A request whose answer got lost is sent again by the client and then finds its own work done: "exists", "no such upload"
 *  or a server's error may all mean success. The object itself tells. */
async function conditionally(
  condition: Condition,
  send: (ifNoneMatch: boolean) => Promise<PutResult>,
  ours: () => Promise<PutResult | undefined>,
): Promise<PutResult> {
  const guarded = condition.create && condition.support.supported !== false;
  try {
    const result = await send(guarded);
    return result;
  } catch (error) {
    if (guarded && hasCode(error, "Unimplemented")) {
      condition.support.supported = false;
      return await conditionally(condition, send, ours);
    }
    const found = hasCode(error, "Cancelled") ? undefined : await ours();
    if (found) return found;
    throw hasCode(error, "AlreadyExists")
      ? new DriverError("AlreadyExists", "somebody else created the file meanwhile", { cause: error })
      : error;
  }
}

async function isOurs(
  store: ObjectStore,
  key: string,
  digest: string | undefined,
  size: number,
  signal: AbortSignal,
): Promise<PutResult | undefined> {
  try {
    const head = await store.head(key, signal);
    return digest !== undefined && head.size === size && unquoted(head.etag) === digest ? { etag: head.etag, size } : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(body: readonly Uint8Array[]): string {
  const hash = createHash("md5");
  for (const chunk of body) hash.update(chunk);
  return hash.digest("hex");
}

/** S3's ETag of a multipart object is made of its parts' MD5s; other stores' may not be, and then we can't tell. */
function multipartDigest(parts: readonly UploadedPart[]): string | undefined {
  const hash = createHash("md5");
  for (const part of parts) {
    const digest = unquoted(part.etag);
    if (!/^[0-9a-f]{32}$/.test(digest)) return undefined;
    hash.update(Buffer.from(digest, "hex"));
  }
  return `${hash.digest("hex")}-${parts.length}`;
}

const sizeOf = (body: readonly Uint8Array[]) => body.reduce((sum, chunk) => sum + chunk.length, 0);
const unquoted = (etag: string) => etag.replaceAll('"', "");
