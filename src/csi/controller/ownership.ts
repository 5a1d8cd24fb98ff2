// Whose bucket is it? Ownership stands in the bucket's tags; where a server has no bucket tags (Unimplemented), in a marker
// object. The record goes with the bucket, so deleting the bucket and giving it up are one step.
import { createHash } from "node:crypto";
import { DriverError, hasCode } from "../../core/errors.ts";
import { driverName } from "../../core/version.ts";
import type { Buckets } from "./buckets.ts";
import type { OnDelete, VolumePlan } from "./parameters.ts";
import { parseOnDelete } from "./parameters.ts";
import { recordsPrefix } from "./prefix-template.ts";
import { recordName } from "./volume-id.ts";

export interface Ownership {
  /** recordName() of the name in the request: tags cannot hold every character. */
  readonly volume: string;
  /** Digest of everything that makes two requests of one name incompatible. */
  readonly parameters: string;
  readonly capacityBytes: bigint;
  readonly onDelete: OnDelete;
}

export const markerKey = `${recordsPrefix}owner`;

export function ownershipOf(name: string, plan: VolumePlan, capacityBytes: bigint): Ownership {
  const canonical = JSON.stringify(Object.entries(plan).sort(([a], [b]) => (a < b ? -1 : 1)));
  const parameters = createHash("sha256").update(canonical).digest("hex").slice(0, 32);
  return { volume: recordName(name), parameters, capacityBytes, onDelete: plan.onDelete };
}

/** Undefined when the bucket bears no sign of this driver. Throws BucketMissing. */
export async function readOwnership(buckets: Buckets, bucket: string, signal: AbortSignal): Promise<Ownership | undefined> {
  try {
    const found = fromRecord(await buckets.getTags(bucket, signal));
    if (found) return found;
  } catch (error) {
    if (!hasCode(error, "Unimplemented")) throw error;
  }
  return readMarker(buckets, bucket, signal);
}

export async function writeOwnership(buckets: Buckets, bucket: string, ownership: Ownership, signal: AbortSignal): Promise<void> {
  try {
    await buckets.putTags(bucket, toRecord(ownership), signal);
  } catch (error) {
    if (!hasCode(error, "Unimplemented")) throw error;
    await buckets.objects(bucket).put({ key: markerKey, body: [encode(ownership)], contentType: "application/json", signal });
  }
}

export function encode(ownership: Ownership): Uint8Array {
  return Buffer.from(JSON.stringify(toRecord(ownership)));
}

function toRecord(ownership: Ownership): Record<string, string> {
  return {
    [`${driverName}/volume`]: ownership.volume,
    [`${driverName}/parameters`]: ownership.parameters,
    [`${driverName}/capacity`]: ownership.capacityBytes.toString(),
    [`${driverName}/on-delete`]: ownership.onDelete,
  };
}

function fromRecord(record: Readonly<Record<string, string>>): Ownership | undefined {
  const volume = record[`${driverName}/volume`];
  const parameters = record[`${driverName}/parameters`];
  const capacity = record[`${driverName}/capacity`];
  if (!volume || !parameters || !capacity || !/^\d{1,19}$/.test(capacity)) return undefined;
  return { volume, parameters, capacityBytes: BigInt(capacity), onDelete: parseOnDelete(record[`${driverName}/on-delete`]) };
}

async function readMarker(buckets: Buckets, bucket: string, signal: AbortSignal): Promise<Ownership | undefined> {
  const store = buckets.objects(bucket);
  try {
    const { size, etag } = await store.head(markerKey, signal);
    // Anything larger is not a marker.
    if (size === 0 || size > 4096) return undefined;
    const body = new Uint8Array(size);
    await store.get({ key: markerKey, offset: 0, length: size, ifMatch: etag, into: body, signal });
    return fromRecord(JSON.parse(Buffer.from(body).toString("utf8")) as Record<string, string>);
  } catch (error) {
    if (hasCode(error, "NotFound") || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Refuses a request whose volume exists already and is another one. */
export function requireSame(found: Ownership, wanted: Ownership, limitBytes: bigint, name: string): void {
  const refuse = (what: string) => new DriverError("AlreadyExists", `volume ${JSON.stringify(name)} exists already with ${what}`);
  if (found.volume !== wanted.volume)
    throw new DriverError("AlreadyExists", `the place of volume ${JSON.stringify(name)} belongs to another volume`);
  if (found.parameters !== wanted.parameters) throw refuse("other parameters");
  const fits = found.capacityBytes >= wanted.capacityBytes && (limitBytes === 0n || found.capacityBytes <= limitBytes);
  if (!fits) throw refuse(`a capacity of ${found.capacityBytes} bytes, which is not the one asked for`);
}
