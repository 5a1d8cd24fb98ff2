// The id of a volume made by CreateVolume, which is all that DeleteVolume gets to know:
//   <bucket>                     a bucket of its own, in the driver's region
//   <bucket>@<region>            the same in another region
//   <bucket>[@<region>]/<record> a prefix of a shared bucket; the record in the bucket says which (volume-prefix.ts)
// Ids of statically provisioned volumes are free text; most do not even parse.
import { createHash } from "node:crypto";
import { isBucketName } from "./parameters.ts";

export interface VolumeId {
  readonly bucket: string;
  readonly region?: string;
  /** Present for a volume in a shared bucket. */
  readonly record?: string;
}

export function formatVolumeId(id: VolumeId): string {
  return `${id.bucket}${id.region ? `@${id.region}` : ""}${id.record ? `/${id.record}` : ""}`;
}

/** Undefined when CreateVolume cannot have made this id. */
export function parseVolumeId(text: string): VolumeId | undefined {
  const match = /^([a-z0-9.-]{3,63})(?:@([a-z0-9-]{1,32}))?(?:\/([0-9a-f]{32}))?$/.exec(text);
  if (!match?.[1] || !isBucketName(match[1])) return undefined;
  return { bucket: match[1], ...(match[2] ? { region: match[2] } : {}), ...(match[3] ? { record: match[3] } : {}) };
}

/** The name of the record of a volume in a shared bucket: derived, so that a repeated CreateVolume finds it. */
export function recordName(volumeName: string): string {
  return createHash("sha256").update(volumeName).digest("hex").slice(0, 32);
}
