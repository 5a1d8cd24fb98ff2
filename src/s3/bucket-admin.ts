// What the CSI controller does with whole buckets: make, find, mark as ours, empty, remove.
import { DriverError, hasCode } from "../core/errors.ts";
import type { CredentialsSource } from "./credentials.ts";
import { createSdk, type Sdk } from "./sdk.ts";
import type { ConnectionOptions } from "./connection-options.ts";

export interface BucketAdminOptions extends ConnectionOptions {
  readonly credentials: CredentialsSource;
}

export interface ObjectVersion {
  readonly key: string;
  /** Left out on stores without versions. */
  readonly versionId?: string;
}

export interface BucketAdmin {
  /** "exists": it was ours already. AlreadyExists: it belongs to somebody else. */
  createBucket(name: string, signal?: AbortSignal): Promise<"created" | "exists">;
  /** BucketMissing when there is none, NotEmpty when it holds anything. */
  deleteBucket(name: string, signal?: AbortSignal): Promise<void>;
  /** The names of all buckets of the account. */
  listBuckets(signal?: AbortSignal): Promise<readonly string[]>;
  /** BucketMissing, AccessDenied, or it is there and can be used. */
  headBucket(name: string, signal?: AbortSignal): Promise<void>;
  /** Empty when the bucket has none; Unimplemented when the store has no bucket tags. */
  getTags(name: string, signal?: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Replaces all tags. Unimplemented when the store has no bucket tags: mark the bucket by an object then. */
  putTags(name: string, tags: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<void>;
  /** A small object's text, undefined when it is not there. */
  getText(name: string, key: string, signal?: AbortSignal): Promise<string | undefined>;
  putText(name: string, key: string, text: string, signal?: AbortSignal): Promise<void>;
  /** Every version and delete marker, page by page; on stores without versions, every object. */
  versions(name: string, signal?: AbortSignal): AsyncGenerator<readonly ObjectVersion[]>;
  /** At most 1,000 at a time go to the store together. Fails when any of them could not be deleted. */
  deleteMany(name: string, versions: readonly ObjectVersion[], signal?: AbortSignal): Promise<void>;
  abortUploads(name: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const maxDeletes = 1000;

export function createBucketAdmin(options: BucketAdminOptions): BucketAdmin {
  const sdk = createSdk(options, options.credentials);
  const at = (operation: string, bucket: string, key?: string) => ({ operation, bucket, ...(key === undefined ? {} : { key }) });

  return {
    createBucket: async (Bucket, signal) => {
      const place = options.region === "us-east-1" || options.endpointUrl !== undefined ? {} : { CreateBucketConfiguration: { LocationConstraint: options.region as "eu-west-1" } };
      try {
        await sdk.run(at("CreateBucket", Bucket), (s3, c) => s3.send(new c.CreateBucketCommand({ Bucket, ...place }), sent(signal)), signal);
        return "created";
      } catch (error) {
        if (error instanceof DriverError && error.cause instanceof Error && error.cause.message.startsWith("BucketAlreadyOwnedByYou")) return "exists";
        throw error;
      }
    },
    deleteBucket: async (Bucket, signal) => {
      await sdk.run(at("DeleteBucket", Bucket), (s3, c) => s3.send(new c.DeleteBucketCommand({ Bucket }), sent(signal)), signal);
    },
    listBuckets: async (signal) => {
      const names: string[] = [];
      let token: string | undefined;
      do {
        const input = token === undefined ? {} : { ContinuationToken: token };
        const page = await sdk.run({ operation: "ListBuckets", bucket: "" }, (s3, c) => s3.send(new c.ListBucketsCommand(input), sent(signal)), signal);
        for (const { Name } of page.Buckets ?? []) if (Name) names.push(Name);
        token = page.ContinuationToken;
      } while (token !== undefined);
      return names;
    },
    headBucket: async (Bucket, signal) => {
      try {
        await sdk.run(at("HeadBucket", Bucket), (s3, c) => s3.send(new c.HeadBucketCommand({ Bucket }), sent(signal)), signal);
      } catch (error) {
        // A reply to HEAD has no document that could tell the two apart.
        if (hasCode(error, "NotFound")) throw new DriverError("BucketMissing", `the bucket "${Bucket}" does not exist`, { cause: error });
        throw error;
      }
    },
    getTags: async (Bucket, signal) => {
      try {
        const { TagSet = [] } = await sdk.run(at("GetBucketTagging", Bucket), (s3, c) => s3.send(new c.GetBucketTaggingCommand({ Bucket }), sent(signal)), signal);
        return Object.fromEntries(TagSet.map((t) => [t.Key ?? "", t.Value ?? ""]));
      } catch (error) {
        if (hasCode(error, "NotFound")) return {};
        throw error;
      }
    },
    putTags: async (Bucket, tags, signal) => {
      const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
      await sdk.run(at("PutBucketTagging", Bucket), (s3, c) => s3.send(new c.PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }), sent(signal)), signal);
    },
    getText: async (Bucket, Key, signal) => {
      try {
        const { Body } = await sdk.run(at("GetObject", Bucket, Key), (s3, c) => s3.send(new c.GetObjectCommand({ Bucket, Key }), sent(signal)), signal);
        return await Body?.transformToString();
      } catch (error) {
        if (hasCode(error, "NotFound")) return undefined;
        throw error;
      }
    },
    putText: async (Bucket, Key, text, signal) => {
      await sdk.run(at("PutObject", Bucket, Key), (s3, c) => s3.send(new c.PutObjectCommand({ Bucket, Key, Body: Buffer.from(text) }), sent(signal)), signal);
    },
    versions: (bucket, signal) => versionsOf(sdk, bucket, signal),
    deleteMany: async (Bucket, versions, signal) => {
      for (let from = 0; from < versions.length; from += maxDeletes) {
        const Objects = versions.slice(from, from + maxDeletes).map((v) => ({ Key: v.key, ...(v.versionId === undefined ? {} : { VersionId: v.versionId }) }));
        const call = { Bucket, Delete: { Objects, Quiet: true } };
        const { Errors = [] } = await sdk.run(at("DeleteObjects", Bucket), (s3, c) => s3.send(new c.DeleteObjectsCommand(call), sent(signal)), signal);
        const [first] = Errors;
        if (first) throw new DriverError(first.Code === "AccessDenied" ? "AccessDenied" : "Io", `${Errors.length} objects of ${Bucket} could not be deleted, such as ${first.Key} (${first.Code}: ${first.Message})`);
      }
    },
    abortUploads: async (Bucket, signal) => {
      for (;;) {
        const { Uploads = [] } = await sdk.run(at("ListMultipartUploads", Bucket), (s3, c) => s3.send(new c.ListMultipartUploadsCommand({ Bucket }), sent(signal)), signal);
        if (Uploads.length === 0) return;
        for (const { Key, UploadId } of Uploads) {
          const call = { Bucket, Key, UploadId };
          await sdk.run(at("AbortMultipartUpload", Bucket, Key), (s3, c) => s3.send(new c.AbortMultipartUploadCommand(call), sent(signal)), signal).catch((error: unknown) => {
            if (!hasCode(error, "NotFound")) throw error;
          });
        }
      }
    },
    close: () => sdk.close(),
  };
}

async function* versionsOf(sdk: Sdk, Bucket: string, signal: AbortSignal | undefined): AsyncGenerator<readonly ObjectVersion[]> {
  let markers = {};
  for (;;) {
    const context = { operation: "ListObjectVersions", bucket: Bucket };
    const page = await sdk.run(context, (s3, c) => s3.send(new c.ListObjectVersionsCommand({ Bucket, ...markers }), sent(signal)), signal).catch((error: unknown) => {
      if (hasCode(error, "Unimplemented")) return undefined;
      throw error;
    });
    if (!page) return yield* objectsOf(sdk, Bucket, signal);
    const found = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
    if (found.length > 0) yield found.map((v) => ({ key: v.Key ?? "", ...(v.VersionId === undefined || v.VersionId === "null" ? {} : { versionId: v.VersionId }) }));
    if (!page.IsTruncated) return;
    markers = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
}

async function* objectsOf(sdk: Sdk, Bucket: string, signal: AbortSignal | undefined): AsyncGenerator<readonly ObjectVersion[]> {
  let token: string | undefined;
  do {
    const input = { Bucket, ...(token === undefined ? {} : { ContinuationToken: token }) };
    const page = await sdk.run({ operation: "ListObjectsV2", bucket: Bucket }, (s3, c) => s3.send(new c.ListObjectsV2Command(input), sent(signal)), signal);
    if (page.Contents?.length) yield page.Contents.map((o) => ({ key: o.Key ?? "" }));
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

function sent(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {};
}
