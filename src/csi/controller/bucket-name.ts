// The name of a volume's bucket, derived from the name in the request, so that a repeated CreateVolume finds its bucket
// again instead of making another.
//
// Every name ends with a checksum over the rest and the driver's name. CreateBucket and the ownership tag are two requests,
// and a controller that dies between them leaves a bucket without a tag. The checksum tells such a bucket from one that
// somebody else made under a similar name: nobody arrives at it by chance (40 bits), so an *empty* bucket with a valid
// checksum in our own account is the rest of an interrupted call, and can be taken up again by CreateVolume or removed by
// DeleteVolume. A bucket that holds data is never judged by its name alone.
import { createHash } from "node:crypto";
import { driverName } from "../../core/version.ts";

const maxLength = 63;
const proofLength = 10;

export function bucketNameFor(prefix: string, volumeName: string): string {
  const room = maxLength - proofLength - 1 - prefix.length;
  const clean = volumeName
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  // What had to be changed or cut could collide with another name that ends up the same.
  const body =
    clean === volumeName && clean.length <= room
      ? clean
      : [clean.slice(0, room - 9).replace(/-+$/, ""), digest(volumeName, 8)].filter(Boolean).join("-");
  return `${prefix}${body}-${proof(prefix + body)}`;
}

/** True when bucketNameFor made this name. */
export function isDerivedName(bucket: string): boolean {
  const cut = bucket.length - proofLength - 1;
  return cut > 0 && bucket[cut] === "-" && bucket.slice(cut + 1) === proof(bucket.slice(0, cut));
}

/** Buckets of the driver this one replaces: a random UUID and no tag. */
export function isPredecessorsName(bucket: string): boolean {
  return /^csi-s3-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(bucket);
}

function proof(body: string): string {
  return digest(`${driverName}\0${body}`, proofLength);
}

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
