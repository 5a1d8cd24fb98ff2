// The controller's Buckets over src/s3.
import type { ControllerSettings } from "../../../generated/settings/controller.ts";
import { DriverError } from "../../core/errors.ts";
import { driverVersion } from "../../core/version.ts";
import { type BucketAdmin, createBucketAdmin } from "../../s3/bucket-admin.ts";
import { createS3Store } from "../../s3/client.ts";
import type { ConnectionOptions } from "../../s3/connection-options.ts";
import { type CredentialsSource, staticCredentials } from "../../s3/credentials.ts";
import type { ObjectStore } from "../../s3/object-store.ts";
import { readDriverKeys } from "../driver-keys.ts";
import type { S3Keys } from "../secrets.ts";
import type { Buckets, ConnectBuckets } from "./buckets.ts";

/** A caller waits at the other end and comes again by itself: fail early rather than retry for minutes. */
const maxAttempts = 3;

export function connectS3Buckets(settings: ControllerSettings): ConnectBuckets {
  return async ({ keys, region }) => {
    const own = keys ?? (await readDriverKeys(settings));
    if (!own) {
      throw new DriverError(
        "FailedPrecondition",
        "neither the request nor the driver has credentials: give the StorageClass a provisioner secret, or the driver a Secret",
      );
    }
    const options: ConnectionOptions = {
      region: region ?? settings.s3Region,
      endpointUrl: settings.s3EndpointUrl,
      pathStyle: true,
      maxAttempts,
      userAgentPrefix: `s3-csi-driver/${driverVersion}`,
      proxyEnv: process.env,
      ...(settings.s3CaBundle ? { caBundle: settings.s3CaBundle } : {}),
    };
    return new S3Buckets(options, staticCredentials(withoutRegion(own)));
  };
}

class S3Buckets implements Buckets {
  readonly #options: ConnectionOptions;
  readonly #credentials: CredentialsSource;
  readonly #admin: BucketAdmin;
  readonly #stores = new Map<string, ObjectStore>();

  constructor(options: ConnectionOptions, credentials: CredentialsSource) {
    this.#options = options;
    this.#credentials = credentials;
    this.#admin = createBucketAdmin({ ...options, credentials });
  }

  head(bucket: string, signal: AbortSignal): Promise<void> {
    return this.#admin.headBucket(bucket, signal);
  }

  async create(bucket: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#admin.createBucket(bucket, signal)) === "created";
  }

  delete(bucket: string, signal: AbortSignal): Promise<void> {
    return this.#admin.deleteBucket(bucket, signal);
  }

  list(signal: AbortSignal): Promise<readonly string[]> {
    return this.#admin.listBuckets(signal);
  }

  getTags(bucket: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    return this.#admin.getTags(bucket, signal);
  }

  putTags(bucket: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    return this.#admin.putTags(bucket, tags, signal);
  }

  async purge(bucket: string, prefix: string, signal: AbortSignal): Promise<void> {
    if (prefix === "") {
      for await (const versions of this.#admin.versions(bucket, signal)) await this.#admin.deleteMany(bucket, versions, signal);
      await this.#admin.abortUploads(bucket, signal);
      return;
    }
    const store = this.objects(bucket);
    for (;;) {
      const { objects } = await store.list({ prefix, signal });
      if (objects.length === 0) break;
      await store.deleteMany(
        objects.map((object) => object.key),
        signal,
      );
    }
    for (const { key, uploadId } of await store.listUploads(prefix, signal))
      await store.abortUpload({ key, uploadId, checksum: "off" }, signal);
  }

  objects(bucket: string): ObjectStore {
    const known = this.#stores.get(bucket);
    if (known) return known;
    const store = createS3Store({ ...this.#options, bucket, credentials: this.#credentials });
    this.#stores.set(bucket, store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all([this.#admin.close(), ...[...this.#stores.values()].map((store) => store.close())]);
  }
}

function withoutRegion({ accessKeyId, secretAccessKey, sessionToken }: S3Keys): Omit<S3Keys, "region"> {
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}
