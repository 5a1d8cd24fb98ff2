// A volume that is a bucket of its own. Each function can be cut off at any point and called again: see bucket-name.ts for
// why an empty bucket without a tag is still known to be ours.
import { DriverError, hasCode } from "../../core/errors.ts";
import { bucketNameFor, isDerivedName, isPredecessorsName } from "./bucket-name.ts";
import type { Buckets } from "./buckets.ts";
import { markerKey, type Ownership, readOwnership, requireSame, writeOwnership } from "./ownership.ts";
import type { VolumePlan } from "./parameters.ts";

export interface Wanted {
  readonly name: string;
  readonly ownership: Ownership;
  /** 0 for none. */
  readonly limitBytes: bigint;
}

/** Makes the bucket, or finds it made. Returns its name and what stands in its record. */
export async function ensureBucket(
  buckets: Buckets,
  plan: VolumePlan & { kind: "bucket" },
  wanted: Wanted,
  signal: AbortSignal,
): Promise<{ bucket: string; ownership: Ownership }> {
  const bucket = bucketNameFor(plan.bucketNamePrefix, wanted.name);
  if (!(await exists(buckets, bucket, signal))) {
    await refuseOtherBucketOfSameName(buckets, bucket, wanted, signal);
    await buckets.create(bucket, signal);
  }
  const found = await readOwnership(buckets, bucket, signal);
  if (found) {
    requireSame(found, wanted.ownership, wanted.limitBytes, wanted.name);
    return { bucket, ownership: found };
  }
  if (!(await isEmpty(buckets, bucket, signal))) {
    throw new DriverError("AlreadyExists", `bucket ${bucket} exists, holds data and was not made by this driver; it is left alone`);
  }
  await writeOwnership(buckets, bucket, wanted.ownership, signal);
  return { bucket, ownership: wanted.ownership };
}

/** Removes the bucket as its record says. An absent bucket is success; one that is not ours is left alone and said so. */
export async function removeBucket(buckets: Buckets, bucket: string, signal: AbortSignal): Promise<"removed" | "absent" | "retained"> {
  try {
    const ownership = await readOwnership(buckets, bucket, signal);
    if (ownership?.onDelete === "retain") return "retained";
    if (!ownership) await requireRestOfOurs(buckets, bucket, signal);
    if (ownership?.onDelete === "purge") await buckets.purge(bucket, "", signal);
    else if (!(await isEmpty(buckets, bucket, signal))) throw notEmpty(bucket);
    await buckets.objects(bucket).delete(markerKey, { signal });
    await buckets.delete(bucket, signal);
    return "removed";
  } catch (error) {
    if (hasCode(error, "BucketMissing")) return "absent";
    // Versions and delete markers are invisible to a listing, yet the bucket is not empty.
    if (hasCode(error, "NotEmpty")) throw notEmpty(bucket, error);
    throw error;
  }
}

async function requireRestOfOurs(buckets: Buckets, bucket: string, signal: AbortSignal): Promise<void> {
  if (isPredecessorsName(bucket)) return; // made by the driver this one replaces: deleted when empty, as it did
  if (isDerivedName(bucket) && (await isEmpty(buckets, bucket, signal))) return;
  throw new DriverError(
    "FailedPrecondition",
    `bucket ${bucket} was not made by this driver and is left alone; if only the PersistentVolume shall go, set its reclaim policy to Retain`,
  );
}

async function exists(buckets: Buckets, bucket: string, signal: AbortSignal): Promise<boolean> {
  try {
    await buckets.head(bucket, signal);
    return true;
  } catch (error) {
    if (hasCode(error, "BucketMissing", "NotFound")) return false;
    // HeadBucket has no body, so a bucket of somebody else looks like any refusal.
    if (hasCode(error, "AccessDenied")) {
      throw new DriverError("AccessDenied", `bucket ${bucket}: access denied; it may belong to another account`, { cause: error });
    }
    throw error;
  }
}

/** The prefix of bucket names is a parameter too: the same volume under another one is a conflict, not a second bucket. */
async function refuseOtherBucketOfSameName(buckets: Buckets, bucket: string, wanted: Wanted, signal: AbortSignal): Promise<void> {
  let names: readonly string[];
  try {
    names = await buckets.list(signal);
  } catch (error) {
    // Listing all buckets is a right of its own, which the driver does not depend on.
    if (hasCode(error, "AccessDenied", "Unimplemented", "NotSupported")) return;
    throw error;
  }
  const tail = `${wanted.name}-`;
  for (const other of names) {
    if (other === bucket || !isDerivedName(other) || !other.slice(0, -10).endsWith(tail)) continue;
    const found = await readOwnership(buckets, other, signal).catch(() => undefined);
    if (found?.volume === wanted.ownership.volume)
      throw new DriverError("AlreadyExists", `volume ${JSON.stringify(wanted.name)} exists already as bucket ${other}`);
  }
}

async function isEmpty(buckets: Buckets, bucket: string, signal: AbortSignal): Promise<boolean> {
  const page = await buckets.objects(bucket).list({ prefix: "", maxKeys: 2, signal });
  return page.objects.every((object) => object.key === markerKey) && page.commonPrefixes.length === 0;
}

function notEmpty(bucket: string, cause?: unknown): DriverError {
  return new DriverError(
    "NotEmpty",
    `bucket ${bucket} is not empty: remove its objects (and old versions), or use onDelete: purge or retain in the StorageClass`,
    { cause },
  );
}
