// The calls that are rare or have large documents: through the SDK.
import { DriverError, hasCode } from "../core/errors.ts";
import type { ChecksumAlgorithm, CopyOptions, MultipartUpload, PutResult, UploadedPart, WriteOptions } from "./object-store.ts";
import type { RequesterOptions } from "./requester.ts";
import { createSdk, type Sdk } from "./sdk.ts";
import { encodeKey } from "./sign.ts";
import { timeToCopyMs } from "./time-to-copy.ts";

const maxDeletes = 1000;

export class ControlCalls {
  readonly #options: RequesterOptions;
  readonly #sdk: Sdk;
  readonly #common: { readonly Bucket: string; readonly RequestPayer?: "requester"; readonly ExpectedBucketOwner?: string };

  constructor(options: RequesterOptions, region: () => string) {
    this.#options = options;
    this.#sdk = createSdk(options, options.credentials, region);
    this.#common = {
      Bucket: options.bucket,
      ...(options.requesterPays ? { RequestPayer: "requester" as const } : {}),
      ...(options.expectedBucketOwner === undefined ? {} : { ExpectedBucketOwner: options.expectedBucketOwner }),
    };
  }

  async deleteMany(keys: readonly string[], signal?: AbortSignal): Promise<void> {
    for (let at = 0; at < keys.length; at += maxDeletes) {
      const Objects = keys.slice(at, at + maxDeletes).map((Key) => ({ Key }));
      const context = { operation: "DeleteObjects", bucket: this.#options.bucket };
      const result = await this.#sdk.run(context, (s3, c) => s3.send(new c.DeleteObjectsCommand({ ...this.#common, Delete: { Objects, Quiet: true } }), sent(signal)), signal);
      const [first] = result.Errors ?? [];
      if (first) throw new DriverError(first.Code === "AccessDenied" ? "AccessDenied" : "Io", `${first.Key} could not be deleted (${first.Code}: ${first.Message})`);
    }
  }

  async copyPart(
    upload: MultipartUpload,
    partNumber: number,
    source: { readonly key: string; readonly ifMatch?: string; readonly offset: number; readonly length: number },
    signal?: AbortSignal,
  ): Promise<UploadedPart> {
    const input = {
      ...this.#common,
      Key: upload.key,
      UploadId: upload.uploadId,
      PartNumber: partNumber,
      CopySource: this.#copySource(source.key),
      CopySourceRange: `bytes=${source.offset}-${source.offset + source.length - 1}`,
      ...(source.ifMatch === undefined ? {} : { CopySourceIfMatch: source.ifMatch }),
    };
    const context = { operation: "UploadPartCopy", bucket: this.#options.bucket, key: source.key, onPrecondition: "Stale" as const };
    const { CopyPartResult: result } = await this.#sdk.run(context, (s3, c) => s3.send(new c.UploadPartCopyCommand(input), sent(signal, source.length)), signal);
    const checksum = upload.checksum === "crc32c" ? result?.ChecksumCRC32C : upload.checksum === "crc64nvme" ? result?.ChecksumCRC64NVME : undefined;
    return { partNumber, etag: result?.ETag ?? "", size: source.length, ...(checksum === undefined ? {} : { checksum }) };
  }

  async listUploads(prefix: string, signal?: AbortSignal) {
    const uploads: { key: string; uploadId: string; initiatedMs: number }[] = [];
    let markers = {};
    for (;;) {
      const input = { ...this.#common, Prefix: prefix, ...markers };
      const context = { operation: "ListMultipartUploads", bucket: this.#options.bucket };
      const page = await this.#sdk.run(context, (s3, c) => s3.send(new c.ListMultipartUploadsCommand(input), sent(signal)), signal);
      for (const u of page.Uploads ?? []) uploads.push({ key: u.Key ?? "", uploadId: u.UploadId ?? "", initiatedMs: u.Initiated?.getTime() ?? 0 });
      if (!page.IsTruncated) return uploads;
      markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  async hasParts({ key, uploadId }: Pick<MultipartUpload, "key" | "uploadId">, signal?: AbortSignal): Promise<boolean> {
    const input = { ...this.#common, Key: key, UploadId: uploadId, MaxParts: 1 };
    const context = { operation: "ListParts", bucket: this.#options.bucket, key };
    try {
      const { Parts = [] } = await this.#sdk.run(context, (s3, c) => s3.send(new c.ListPartsCommand(input), sent(signal)), signal);
      return Parts.length > 0;
    } catch (error) {
      if (hasCode(error, "NotFound")) return false;
      throw error;
    }
  }

  async copy(copy: CopyOptions): Promise<PutResult> {
    const { signal } = copy;
    const input = {
      ...this.#common,
      Key: copy.key,
      CopySource: this.#copySource(copy.sourceKey),
      ...(copy.sourceIfMatch === undefined ? {} : { CopySourceIfMatch: copy.sourceIfMatch }),
      ...(copy.ifNoneMatch ? { IfNoneMatch: "*" } : {}),
      ...writeInput(copy),
    };
    const context = { operation: "CopyObject", bucket: this.#options.bucket, key: copy.sourceKey, onPrecondition: copy.ifNoneMatch ? ("AlreadyExists" as const) : ("Stale" as const) };
    const result = await this.#sdk.run(context, (s3, c) => s3.send(new c.CopyObjectCommand(input), sent(signal, copy.sourceSize)), signal);
    return { etag: result.CopyObjectResult?.ETag ?? "" };
  }

  close(): Promise<void> {
    return this.#sdk.close();
  }

  #copySource(key: string): string {
    return `${this.#options.bucket}/${encodeKey(key)}`;
  }
}

const sdkChecksum = { crc32c: "CRC32C", crc64nvme: "CRC64NVME" } as const;

function writeInput(options: WriteOptions) {
  const checksum: ChecksumAlgorithm | undefined = options.checksum;
  return {
    ...(options.contentType === undefined ? {} : { ContentType: options.contentType }),
    ...(options.storageClass === undefined ? {} : { StorageClass: options.storageClass as "STANDARD" }),
    ...(options.sse === undefined ? {} : { ServerSideEncryption: options.sse }),
    ...(options.sseKmsKeyId === undefined ? {} : { SSEKMSKeyId: options.sseKmsKeyId }),
    // Given metadata replace the source's; else they are carried over.
    ...(options.metadata === undefined ? {} : { Metadata: { ...options.metadata }, MetadataDirective: "REPLACE" as const }),
    ...(checksum === undefined || checksum === "off" ? {} : { ChecksumAlgorithm: sdkChecksum[checksum] }),
  };
}

/** @param copied the bytes that the store copies before it replies */
function sent(signal: AbortSignal | undefined, copied = 0): { abortSignal?: AbortSignal; requestTimeout?: number } {
  return { ...(signal ? { abortSignal: signal } : {}), ...(copied > 0 ? { requestTimeout: timeToCopyMs(copied) } : {}) };
}
