// A volume that is a prefix of a shared bucket. Two records outside of every volume's prefix say whose it is:
//   .s3-csi/volumes/<volume>           the volume: its ownership and its prefix; DeleteVolume starts here
//   .s3-csi/prefixes/<prefix>/.claim   the claim: which volume the prefix belongs to
// No two volumes may share data, so a prefix inside or around a claimed one is refused too. The claim is written first, the volume's record second, and they go in the opposite order; each step can be repeated.
import { DriverError, hasCode } from "../../core/errors.ts";
import type { ObjectStore } from "../../s3/object-store.ts";
import type { Buckets } from "./buckets.ts";
import { type Ownership, requireSame } from "./ownership.ts";
import { parseOnDelete, type VolumePlan } from "./parameters.ts";
import { claimName, recordsPrefix } from "./prefix-template.ts";
import type { Wanted } from "./volume-bucket.ts";

interface Record {
  readonly volume: string;
  readonly prefix: string;
  readonly parameters: string;
  readonly capacity: string;
  readonly onDelete: string;
}

export async function ensurePrefix(
  buckets: Buckets,
  plan: VolumePlan & { kind: "prefix" },
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Ownership> {
  const store = buckets.objects(plan.bucket);
  const { ownership } = wanted;
  const record: Record = {
    volume: ownership.volume,
    prefix: plan.prefix,
    parameters: ownership.parameters,
    capacity: ownership.capacityBytes.toString(),
    onDelete: ownership.onDelete,
  };
  const known = await read(store, volumeKey(ownership.volume), signal);
  if (known) {
    requireSame(ownershipIn(known), ownership, wanted.limitBytes, wanted.name);
    return ownershipIn(known);
  }
  await claim(store, plan.prefix, record, signal);
  const written = await writeOnce(store, volumeKey(ownership.volume), record, signal);
  requireSame(ownershipIn(written), ownership, wanted.limitBytes, wanted.name);
  return ownershipIn(written);
}

/** Removes the volume as its record says; no record means there is no such volume (any more). */
export async function removePrefix(
  buckets: Buckets,
  bucket: string,
  volume: string,
  signal: AbortSignal,
): Promise<"removed" | "absent" | "retained"> {
  const store = buckets.objects(bucket);
  try {
    const record = await read(store, volumeKey(volume), signal);
    if (!record) return "absent";
    const onDelete = parseOnDelete(record.onDelete);
    if (onDelete === "purge") await buckets.purge(bucket, record.prefix, signal);
    if (onDelete === "delete-if-empty") await requireEmpty(store, bucket, record.prefix, signal);
    await releaseClaim(store, record, signal);
    await store.delete(volumeKey(volume), { signal });
    return onDelete === "retain" ? "retained" : "removed";
  } catch (error) {
    if (hasCode(error, "BucketMissing")) return "absent";
    throw error;
  }
}

/** Throws NotFound when there is no such volume. */
export async function requirePrefixVolume(buckets: Buckets, bucket: string, volume: string, signal: AbortSignal): Promise<void> {
  if (!(await read(buckets.objects(bucket), volumeKey(volume), signal)))
    throw new DriverError("NotFound", `bucket ${bucket} has no volume ${volume}`);
}

async function claim(store: ObjectStore, prefix: string, record: Record, signal: AbortSignal): Promise<void> {
  const refuse = (other: string) =>
    new DriverError("AlreadyExists", `prefix ${prefix} of bucket ${store.bucket}: ${other} belongs to another volume already`);
  const segments = prefix.split("/").filter(Boolean);
  for (let depth = 1; depth < segments.length; depth++) {
    const outer = `${segments.slice(0, depth).join("/")}/`;
    if (await read(store, claimKey(outer), signal)) throw refuse(outer);
  }
  const inner = await store.list({ prefix: claimPrefix(prefix), maxKeys: 2, signal });
  const other = inner.objects.find((object) => object.key !== claimKey(prefix));
  if (other) throw refuse(other.key.slice(claimPrefix("").length, -claimName.length));
  const held = await writeOnce(store, claimKey(prefix), record, signal);
  if (held.volume !== record.volume) throw refuse("it");
}

async function releaseClaim(store: ObjectStore, record: Record, signal: AbortSignal): Promise<void> {
  const held = await read(store, claimKey(record.prefix), signal);
  if (held?.volume === record.volume) await store.delete(claimKey(record.prefix), { signal });
}

async function requireEmpty(store: ObjectStore, bucket: string, prefix: string, signal: AbortSignal): Promise<void> {
  const page = await store.list({ prefix, maxKeys: 1, signal });
  if (page.objects.length > 0) {
    throw new DriverError(
      "NotEmpty",
      `prefix ${prefix} of bucket ${bucket} is not empty: remove its objects, or use onDelete: purge or retain in the StorageClass`,
    );
  }
}

/** Writes the record unless there is one; returns the one that stands there in the end. */
async function writeOnce(store: ObjectStore, key: string, record: Record, signal: AbortSignal): Promise<Record> {
  const there = await read(store, key, signal);
  if (there) return there;
  const put = (ifNoneMatch: boolean) =>
    store.put({ key, body: [Buffer.from(JSON.stringify(record))], contentType: "application/json", ifNoneMatch, signal });
  try {
    await put(true);
    return record;
  } catch (error) {
    if (hasCode(error, "AlreadyExists", "Stale", "Conflict")) {
      const other = await read(store, key, signal);
      if (other) return other;
    }
    // A server without conditional writes: the look before has to do; the controller works on a name once at a time.
    if (!hasCode(error, "Unimplemented")) throw error;
    await put(false);
    return record;
  }
}

async function read(store: ObjectStore, key: string, signal: AbortSignal): Promise<Record | undefined> {
  try {
    const { size, etag } = await store.head(key, signal);
    if (size === 0 || size > 8192)
      throw new DriverError("FailedPrecondition", `object ${key} of bucket ${store.bucket} is not a record of this driver`);
    const body = new Uint8Array(size);
    await store.get({ key, offset: 0, length: size, ifMatch: etag, into: body, signal });
    return parse(Buffer.from(body).toString("utf8"), key, store.bucket);
  } catch (error) {
    if (hasCode(error, "NotFound")) return undefined;
    throw error;
  }
}

function parse(text: string, key: string, bucket: string): Record {
  try {
    const record = JSON.parse(text) as Partial<Record>;
    const fields = [record.volume, record.prefix, record.parameters, record.capacity, record.onDelete];
    // The prefix decides what is deleted, so a damaged record must not reach that far.
    if (fields.every((field) => typeof field === "string") && record.prefix !== "" && /^\d{1,19}$/.test(record.capacity as string))
      return record as Record;
  } catch {
    // falls through: said below
  }
  throw new DriverError(
    "FailedPrecondition",
    `object ${key} of bucket ${bucket} is damaged: it is a record of this driver and cannot be read`,
  );
}

function ownershipIn(record: Record): Ownership {
  return {
    volume: record.volume,
    parameters: record.parameters,
    capacityBytes: BigInt(record.capacity),
    onDelete: parseOnDelete(record.onDelete),
  };
}

function volumeKey(volume: string): string {
  return `${recordsPrefix}volumes/${volume}`;
}

function claimPrefix(prefix: string): string {
  return `${recordsPrefix}prefixes/${prefix}`;
}

function claimKey(prefix: string): string {
  return claimPrefix(prefix) + claimName;
}
