// The S3 operations the driver needs, as an interface: the client (client.ts) speaks to servers, memory-store.ts and
// faulty-store.ts are its twins for tests. All failures are DriverErrors; "NotFound" is a missing key, "BucketMissing" a
// missing bucket, "Stale" a failed If-Match, "AlreadyExists" a failed If-None-Match, "Unimplemented" a feature that the
// store does not have.

export interface ObjectStat {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly lastModifiedMs: number;
  readonly storageClass?: string;
  /** GLACIER and DEEP_ARCHIVE objects: true when a restored copy can be read now. */
  readonly restored?: boolean;
}

export interface HeadResult extends ObjectStat {
  readonly contentType?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ListOptions {
  readonly prefix: string;
  readonly delimiter?: string;
  readonly maxKeys?: number;
  readonly startAfter?: string;
  readonly continuationToken?: string;
  readonly signal?: AbortSignal;
}

export interface ListPage {
  readonly objects: readonly ObjectStat[];
  readonly commonPrefixes: readonly string[];
  /** Set when there is more. */
  readonly nextToken?: string;
}

export interface GetOptions {
  readonly key: string;
  readonly offset: number;
  /** Bytes wanted; the range must lie within the object. */
  readonly length: number;
  /** The range is the whole object: its checksum, which stores tell of whole objects only, is proven. */
  readonly whole?: boolean;
  /** Refuse (Stale) when the object's ETag is another one. */
  readonly ifMatch?: string;
  /** Receives the body: exactly `length` bytes long. Filled in order. */
  readonly into: Uint8Array;
  /** Called as the body grows: bytes [0, filled) of `into` are valid. Checksums, where given, are only proven at the end. */
  readonly onProgress?: (filled: number) => void;
  readonly signal?: AbortSignal;
}

export interface GetResult {
  readonly etag: string;
  /** Size of the whole object. */
  readonly objectSize: number;
  readonly lastModifiedMs: number;
}

export type ChecksumAlgorithm = "crc32c" | "crc64nvme" | "off";

export interface WriteOptions {
  readonly contentType?: string;
  readonly storageClass?: string;
  readonly sse?: "aws:kms" | "aws:kms:dsse" | "AES256";
  readonly sseKmsKeyId?: string;
  readonly checksum?: ChecksumAlgorithm;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface PutOptions extends WriteOptions {
  readonly key: string;
  readonly body: readonly Uint8Array[];
  /** Refuse (AlreadyExists) when the key exists. */
  readonly ifNoneMatch?: boolean;
  /** Refuse (Stale) when the object's ETag is another one. */
  readonly ifMatch?: string;
  /** Append: write at this offset, which must be the object's size (directory buckets). */
  readonly writeOffset?: number;
  readonly signal?: AbortSignal;
}

export interface PutResult {
  readonly etag: string;
  readonly size?: number;
}

export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
  readonly size: number;
  /** base64, in the upload's algorithm. */
  readonly checksum?: string;
}

export interface MultipartUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly checksum: ChecksumAlgorithm;
  /** Attempts between these times got no answer; each may have started another upload of the key. */
  readonly doubt?: TimeSpan;
}

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface CompleteOptions {
  readonly ifNoneMatch?: boolean;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

export interface CopyOptions extends WriteOptions {
  readonly sourceKey: string;
  /** A store replies when it has copied all of it. */
  readonly sourceSize: number;
  readonly sourceIfMatch?: string;
  readonly key: string;
  readonly ifNoneMatch?: boolean;
  readonly signal?: AbortSignal;
}

export interface RenameOptions {
  readonly sourceKey: string;
  readonly key: string;
  readonly noReplace?: boolean;
  readonly signal?: AbortSignal;
}

/** One bucket, seen by one identity. */
export interface ObjectStore {
  readonly bucket: string;
  head(key: string, signal?: AbortSignal): Promise<HeadResult>;
  list(options: ListOptions): Promise<ListPage>;
  /** Fills `into`; see GetOptions. */
  get(options: GetOptions): Promise<GetResult>;
  put(options: PutOptions): Promise<PutResult>;
  /** A missing key is success. */
  delete(key: string, options?: { readonly ifMatch?: string; readonly signal?: AbortSignal }): Promise<void>;
  deleteMany(keys: readonly string[], signal?: AbortSignal): Promise<void>;
  createUpload(key: string, options: WriteOptions, signal?: AbortSignal): Promise<MultipartUpload>;
  uploadPart(upload: MultipartUpload, partNumber: number, body: readonly Uint8Array[], signal?: AbortSignal): Promise<UploadedPart>;
  copyPart(
    upload: MultipartUpload,
    partNumber: number,
    source: { readonly key: string; readonly ifMatch?: string; readonly offset: number; readonly length: number },
    signal?: AbortSignal,
  ): Promise<UploadedPart>;
  completeUpload(upload: MultipartUpload, parts: readonly UploadedPart[], options?: CompleteOptions): Promise<PutResult>;
  abortUpload(upload: MultipartUpload, signal?: AbortSignal): Promise<void>;
  listUploads(prefix: string, signal?: AbortSignal): Promise<readonly { readonly key: string; readonly uploadId: string; readonly initiatedMs: number }[]>;
  /** An upload that is not there has none. */
  hasParts(upload: Pick<MultipartUpload, "key" | "uploadId">, signal?: AbortSignal): Promise<boolean>;
  copy(options: CopyOptions): Promise<PutResult>;
  /** RenameObject, directory buckets only. */
  rename(options: RenameOptions): Promise<void>;
  /** Frees sockets. Calls under way fail with Cancelled. */
  close(): Promise<void>;
}
