// What the controller needs of an S3 server, seen by one identity. Implemented by src/s3; failures are DriverErrors:
// "BucketMissing", "AlreadyExists" (also: owned by somebody else), "NotEmpty", "AccessDenied", "Unimplemented".
import type { ObjectStore } from "../../s3/object-store.ts";
import type { S3Keys } from "../secrets.ts";

export interface Buckets {
  /** Throws BucketMissing. */
  head(bucket: string, signal: AbortSignal): Promise<void>;
  /** True when it was made now, false when it was ours already. Throws AlreadyExists when it belongs to another account. */
  create(bucket: string, signal: AbortSignal): Promise<boolean>;
  /** Throws NotEmpty, BucketMissing. */
  delete(bucket: string, signal: AbortSignal): Promise<void>;
  /** Names of the account's buckets. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** An empty record when there are none. Throws Unimplemented where the server has no bucket tags. */
  getTags(bucket: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  putTags(bucket: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
  /** Removes every object and unfinished upload below the prefix; of a whole bucket (""), every version and delete marker too. */
  purge(bucket: string, prefix: string, signal: AbortSignal): Promise<void>;
  objects(bucket: string): ObjectStore;
  close(): Promise<void>;
}

/** Connects with the keys of a request, or with the driver's own when there are none. */
export type ConnectBuckets = (options: { readonly keys: S3Keys | undefined; readonly region: string | undefined }) => Promise<Buckets>;
