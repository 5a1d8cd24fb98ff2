// What the server holds: buckets, their objects and their uploads in progress.
import { createHash, randomBytes } from "node:crypto";
import type { Account } from "./accounts.ts";
import type { Checksum, ChecksumName } from "./checksums.ts";
import { Content } from "./content.ts";
import { accessDenied, noSuchBucket, noSuchKey, noSuchUpload } from "./s3-error.ts";
import { SortedKeys } from "./sorted-keys.ts";

export interface StoredObject {
  readonly content: Content;
  /** Without quotes. */
  readonly etag: string;
  readonly lastModifiedMs: number;
  /** content-type, cache-control, x-amz-meta-*, x-amz-storage-class, ...: given back as they came. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum?: Checksum & { readonly type: "FULL_OBJECT" | "COMPOSITE" };
  readonly partSizes?: readonly number[];
}

export interface Part {
  readonly content: Buffer;
  readonly etag: string;
  readonly checksum: Checksum | undefined;
  readonly lastModifiedMs: number;
}

export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly initiatedMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum: ChecksumName | undefined;
  readonly checksumType: "FULL_OBJECT" | "COMPOSITE";
  readonly parts: Map<number, Part>;
}

export class Bucket {
  readonly name: string;
  readonly owner: Account;
  readonly createdMs = Date.now();
  readonly objects = new SortedKeys<StoredObject>();
  readonly uploads = new Map<string, Upload>();
  tags: readonly { readonly key: string; readonly value: string }[] = [];
  /** Where it is; without it, wherever it is asked for. */
  region: string | undefined;
  /** Anyone may read it without a signature. */
  isPublic = false;

  constructor(name: string, owner: Account) {
    this.name = name;
    this.owner = owner;
  }

  /** Directory buckets have append, rename and sessions. */
  get isDirectory(): boolean {
    return this.name.endsWith("--x-s3");
  }

  object(key: string): StoredObject {
    const object = this.objects.get(key);
    if (!object) throw noSuchKey(key);
    return object;
  }

  upload(id: string, key: string): Upload {
    const upload = this.uploads.get(id);
    if (!upload || upload.key !== key) throw noSuchUpload(id);
    return upload;
  }

  /** For tests: puts an object in without a request. */
  put(key: string, ...segments: (Buffer | string)[]): StoredObject {
    const content = new Content(segments.map((s) => (typeof s === "string" ? Buffer.from(s) : s)));
    const etag = content.segments.length === 1 && content.size <= 1 << 20 ? md5(content.segments) : randomBytes(16).toString("hex");
    const object = { content, etag, lastModifiedMs: Date.now(), headers: { "content-type": "binary/octet-stream" } };
    this.objects.set(key, object);
    return object;
  }
}

export class State {
  readonly buckets = new Map<string, Bucket>();

  create(name: string, owner: Account): Bucket {
    const bucket = new Bucket(name, owner);
    this.buckets.set(name, bucket);
    return bucket;
  }

  /** The bucket, when this account may see it. */
  bucket(name: string, account: Account | undefined): Bucket {
    const bucket = this.buckets.get(name);
    if (!bucket) throw noSuchBucket(name);
    if (bucket.owner.id !== account?.id && !bucket.isPublic) throw accessDenied();
    return bucket;
  }
}

export function md5(segments: readonly Uint8Array[]): string {
  const hash = createHash("md5");
  for (const segment of segments) hash.update(segment);
  return hash.digest("hex");
}
