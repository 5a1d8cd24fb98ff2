// A bucket in memory that behaves as S3 does and counts what it is asked: the twin of client.ts for tests.
import { createHash } from "node:crypto";
import { sleep } from "../core/backoff.ts";
import { DriverError } from "../core/errors.ts";
import type {
  CompleteOptions,
  CopyOptions,
  GetOptions,
  GetResult,
  HeadResult,
  ListOptions,
  ListPage,
  MultipartUpload,
  ObjectStat,
  ObjectStore,
  PutOptions,
  PutResult,
  RenameOptions,
  UploadedPart,
  WriteOptions,
} from "./object-store.ts";
import { compareKeys } from "./key-order.ts";
import { SortedKeys } from "./sorted-keys.ts";

export type StoreOperation = keyof Omit<ObjectStore, "bucket" | "close">;

export interface MemoryStoreOptions {
  readonly now?: () => number;
  readonly latencyMs?: number;
  /** How If-None-Match and If-Match on writes are met: obeyed, silently ignored, or refused as not implemented. */
  readonly conditionalWrites?: "obeyed" | "ignored" | "refused";
  /** A directory bucket: RenameObject and appending exist, and listings come in no order. */
  readonly directoryBucket?: boolean;
  readonly minPartSize?: number;
  /** False keeps only size and ETag of what is written, for objects larger than memory. */
  readonly keepBodies?: boolean;
}

/** Content that is stored, or made when it is read. */
export type Content = Uint8Array | { readonly size: number; fill(into: Uint8Array, offset: number): void };

interface StoredObject {
  readonly content: Content;
  readonly size: number;
  readonly etag: string;
  readonly lastModifiedMs: number;
  readonly options: WriteOptions;
  readonly restored: boolean;
}

interface PendingUpload {
  readonly upload: MultipartUpload;
  readonly options: WriteOptions;
  readonly initiatedMs: number;
  readonly parts: Map<number, { readonly content: Content; readonly digest: Buffer; readonly size: number }>;
}

export class MemoryStore implements ObjectStore {
  readonly bucket = "memory";
  /** Calls so far, by operation. */
  readonly calls: Record<StoreOperation, number> = {
    head: 0,
    list: 0,
    get: 0,
    put: 0,
    delete: 0,
    deleteMany: 0,
    createUpload: 0,
    uploadPart: 0,
    copyPart: 0,
    completeUpload: 0,
    abortUpload: 0,
    listUploads: 0,
    hasParts: 0,
    copy: 0,
    rename: 0,
  };
  bytesFetched = 0;
  bytesWritten = 0;
  readonly #options: Required<MemoryStoreOptions>;
  readonly #objects = new Map<string, StoredObject>();
  readonly #keys = new SortedKeys();
  readonly #uploads = new Map<string, PendingUpload>();
  #nextUpload = 1;

  constructor(options: MemoryStoreOptions = {}) {
    this.#options = {
      now: options.now ?? Date.now,
      latencyMs: options.latencyMs ?? 0,
      conditionalWrites: options.conditionalWrites ?? "obeyed",
      directoryBucket: options.directoryBucket ?? false,
      minPartSize: options.minPartSize ?? 5 * 1024 * 1024,
      keepBodies: options.keepBodies ?? true,
    };
  }

  // What "another client" and assertions use: no counting, no latency.

  set(key: string, content: Content | string, options: WriteOptions & { restored?: boolean; etag?: string } = {}): string {
    const body = typeof content === "string" ? Buffer.from(content) : content;
    const etag =
      options.etag ?? (body instanceof Uint8Array ? quoted(md5(body).toString("hex")) : quoted(`generated-${body.size}-${key.length}`));
    this.#store(key, {
      content: body,
      size: sizeOf(body),
      etag,
      lastModifiedMs: this.#options.now(),
      options,
      restored: options.restored ?? false,
    });
    return etag;
  }

  remove(key: string): boolean {
    this.#keys.delete(key);
    return this.#objects.delete(key);
  }

  peek(
    key: string,
  ): { readonly body: Uint8Array; readonly etag: string; readonly size: number; readonly options: WriteOptions } | undefined {
    const object = this.#objects.get(key);
    if (!object) return undefined;
    return {
      etag: object.etag,
      size: object.size,
      options: object.options,
      get body() {
        return read(object.content, 0, object.size);
      },
    };
  }

  get keys(): readonly string[] {
    return this.#keys.from("");
  }

  get pendingUploads(): number {
    return this.#uploads.size;
  }

  get requests(): number {
    return Object.values(this.calls).reduce((sum, n) => sum + n, 0);
  }

  resetCounters(): void {
    for (const operation of Object.keys(this.calls) as StoreOperation[]) this.calls[operation] = 0;
    this.bytesFetched = 0;
    this.bytesWritten = 0;
  }

  // ObjectStore

  async head(key: string, signal?: AbortSignal): Promise<HeadResult> {
    await this.#begin("head", signal);
    const object = this.#objects.get(key);
    if (!object) throw missing(key);
    return {
      ...statOf(key, object),
      contentType: object.options.contentType ?? "binary/octet-stream",
      metadata: object.options.metadata ?? {},
    };
  }

  async list(options: ListOptions): Promise<ListPage> {
    await this.#begin("list", options.signal);
    const { prefix, delimiter } = options;
    const limit = Math.min(options.maxKeys ?? 1000, 1000);
    const after = options.continuationToken ?? options.startAfter ?? "";
    const objects: ObjectStat[] = [];
    const commonPrefixes: string[] = [];
    let last = "";
    let skip: string | undefined =
      delimiter && after.startsWith(prefix) && after.endsWith(delimiter) && options.continuationToken !== undefined ? after : undefined;
    for (let key = compareKeys(after, prefix) < 0 ? this.#keys.atOrAfter(prefix) : this.#keys.after(after); key !== undefined; ) {
      if (!key.startsWith(prefix)) break;
      if (skip !== undefined && key.startsWith(skip)) {
        key = this.#keys.afterPrefix(skip);
        continue;
      }
      skip = undefined;
      if (objects.length + commonPrefixes.length === limit) return this.#page(objects, commonPrefixes, last);
      const cut = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
      if (cut < 0) {
        objects.push(statOf(key, this.#objects.get(key) as StoredObject));
        last = key;
        key = this.#keys.after(key);
      } else {
        last = key.slice(0, cut + 1);
        commonPrefixes.push(last);
        key = this.#keys.afterPrefix(last);
      }
    }
    return this.#page(objects, commonPrefixes, undefined);
  }

  async get(options: GetOptions): Promise<GetResult> {
    await this.#begin("get", options.signal);
    const object = this.#objects.get(options.key);
    if (!object) throw missing(options.key);
    if (options.ifMatch !== undefined && options.ifMatch !== object.etag) throw new DriverError("Stale", `${options.key} was replaced`);
    if (options.offset + options.length > object.size) throw new DriverError("InvalidArgument", "the range is not within the object");
    fill(object.content, options.into.subarray(0, options.length), options.offset);
    this.bytesFetched += options.length;
    options.onProgress?.(options.length);
    return { etag: object.etag, objectSize: object.size, lastModifiedMs: object.lastModifiedMs };
  }

  async put(options: PutOptions): Promise<PutResult> {
    await this.#begin("put", options.signal);
    const body = Buffer.concat(options.body as Uint8Array[]);
    this.bytesWritten += body.length;
    this.#check(options.key, options.ifNoneMatch, options.ifMatch);
    if (options.writeOffset !== undefined) return this.#append(options, body, options.writeOffset);
    const etag = quoted(md5(body).toString("hex"));
    this.#store(options.key, {
      content: this.#keep(body),
      size: body.length,
      etag,
      lastModifiedMs: this.#options.now(),
      options,
      restored: false,
    });
    return { etag, size: body.length };
  }

  async delete(key: string, options?: { readonly ifMatch?: string; readonly signal?: AbortSignal }): Promise<void> {
    await this.#begin("delete", options?.signal);
    if (options?.ifMatch !== undefined && this.#objects.get(key)?.etag !== options.ifMatch)
      throw new DriverError("Stale", `${key} was replaced`);
    this.remove(key);
  }

  async deleteMany(keys: readonly string[], signal?: AbortSignal): Promise<void> {
    await this.#begin("deleteMany", signal);
    for (const key of keys) this.remove(key);
  }

  async createUpload(key: string, options: WriteOptions, signal?: AbortSignal): Promise<MultipartUpload> {
    await this.#begin("createUpload", signal);
    const upload = { key, uploadId: `upload-${this.#nextUpload++}`, checksum: options.checksum ?? "off" } as const;
    this.#uploads.set(upload.uploadId, { upload, options, initiatedMs: this.#options.now(), parts: new Map() });
    return upload;
  }

  async uploadPart(upload: MultipartUpload, partNumber: number, body: readonly Uint8Array[], signal?: AbortSignal): Promise<UploadedPart> {
    await this.#begin("uploadPart", signal);
    const pending = this.#pending(upload);
    if (partNumber < 1 || partNumber > 10_000) throw new DriverError("InvalidArgument", `part number ${partNumber}`);
    const whole = this.#options.keepBodies ? Buffer.concat(body as Uint8Array[]) : undefined;
    const hash = createHash("md5");
    let size = 0;
    for (const chunk of body) {
      hash.update(chunk);
      size += chunk.length;
    }
    this.bytesWritten += size;
    const digest = hash.digest();
    pending.parts.set(partNumber, { content: whole ?? hollow(size), digest, size });
    return { partNumber, etag: quoted(digest.toString("hex")), size };
  }

  async copyPart(
    upload: MultipartUpload,
    partNumber: number,
    source: { readonly key: string; readonly ifMatch?: string; readonly offset: number; readonly length: number },
    signal?: AbortSignal,
  ): Promise<UploadedPart> {
    await this.#begin("copyPart", signal);
    const object = this.#objects.get(source.key);
    if (!object) throw missing(source.key);
    if (source.ifMatch !== undefined && source.ifMatch !== object.etag) throw new DriverError("Stale", `${source.key} was replaced`);
    const content = Buffer.from(read(object.content, source.offset, source.length));
    const digest = md5(content);
    this.#pending(upload).parts.set(partNumber, { content, digest, size: source.length });
    return { partNumber, etag: quoted(digest.toString("hex")), size: source.length };
  }

  async completeUpload(upload: MultipartUpload, parts: readonly UploadedPart[], options: CompleteOptions = {}): Promise<PutResult> {
    await this.#begin("completeUpload", options.signal);
    const pending = this.#pending(upload);
    this.#check(upload.key, options.ifNoneMatch, options.ifMatch);
    const hash = createHash("md5");
    const contents: Content[] = [];
    for (const [index, part] of parts.entries()) {
      const stored = pending.parts.get(part.partNumber);
      if (!stored || quoted(stored.digest.toString("hex")) !== part.etag)
        throw new DriverError("InvalidArgument", `part ${part.partNumber} is not there`);
      if (index < parts.length - 1 && stored.size < this.#options.minPartSize)
        throw new DriverError("InvalidArgument", `part ${part.partNumber} is too small`);
      if (index > 0 && part.partNumber <= (parts[index - 1] as UploadedPart).partNumber)
        throw new DriverError("InvalidArgument", "parts out of order");
      hash.update(stored.digest);
      contents.push(stored.content);
    }
    const etag = quoted(`${hash.digest("hex")}-${parts.length}`);
    const content = joined(contents);
    this.#store(upload.key, {
      content,
      size: sizeOf(content),
      etag,
      lastModifiedMs: this.#options.now(),
      options: pending.options,
      restored: false,
    });
    this.#uploads.delete(upload.uploadId);
    return { etag, size: sizeOf(content) };
  }

  async abortUpload(upload: MultipartUpload, signal?: AbortSignal): Promise<void> {
    await this.#begin("abortUpload", signal);
    this.#pending(upload);
    this.#uploads.delete(upload.uploadId);
  }

  async listUploads(prefix: string, signal?: AbortSignal) {
    await this.#begin("listUploads", signal);
    return [...this.#uploads.values()]
      .filter((pending) => pending.upload.key.startsWith(prefix))
      .map((pending) => ({ key: pending.upload.key, uploadId: pending.upload.uploadId, initiatedMs: pending.initiatedMs }));
  }

  async hasParts({ uploadId }: Pick<MultipartUpload, "key" | "uploadId">, signal?: AbortSignal): Promise<boolean> {
    await this.#begin("hasParts", signal);
    return (this.#uploads.get(uploadId)?.parts.size ?? 0) > 0;
  }

  async copy(options: CopyOptions): Promise<PutResult> {
    await this.#begin("copy", options.signal);
    const source = this.#objects.get(options.sourceKey);
    if (!source) throw missing(options.sourceKey);
    if (options.sourceIfMatch !== undefined && options.sourceIfMatch !== source.etag)
      throw new DriverError("Stale", `${options.sourceKey} was replaced`);
    this.#check(options.key, options.ifNoneMatch, undefined);
    this.#store(options.key, { ...source, lastModifiedMs: this.#options.now() });
    return { etag: source.etag, size: source.size };
  }

  async rename(options: RenameOptions): Promise<void> {
    await this.#begin("rename", options.signal);
    if (!this.#options.directoryBucket) throw new DriverError("Unimplemented", "RenameObject is for directory buckets");
    const source = this.#objects.get(options.sourceKey);
    if (!source) throw missing(options.sourceKey);
    if (options.noReplace && this.#objects.has(options.key)) throw new DriverError("AlreadyExists", `${options.key} exists`);
    this.remove(options.sourceKey);
    this.#store(options.key, source);
  }

  async close(): Promise<void> {}

  async #begin(operation: StoreOperation, signal: AbortSignal | undefined): Promise<void> {
    this.calls[operation]++;
    signal?.throwIfAborted();
    if (this.#options.latencyMs > 0) await sleep(this.#options.latencyMs, signal);
  }

  #store(key: string, object: StoredObject): void {
    this.#keys.add(key);
    this.#objects.set(key, object);
  }

  #keep(body: Buffer): Content {
    return this.#options.keepBodies ? body : hollow(body.length);
  }

  #pending(upload: MultipartUpload): PendingUpload {
    const pending = this.#uploads.get(upload.uploadId);
    if (!pending) throw new DriverError("NotFound", `upload ${upload.uploadId} does not exist`);
    return pending;
  }

  #check(key: string, ifNoneMatch: boolean | undefined, ifMatch: string | undefined): void {
    if (!ifNoneMatch && ifMatch === undefined) return;
    if (this.#options.conditionalWrites === "ignored") return;
    if (this.#options.conditionalWrites === "refused") throw new DriverError("Unimplemented", "conditional writes are not implemented");
    const object = this.#objects.get(key);
    if (ifNoneMatch && object) throw new DriverError("AlreadyExists", `${key} exists`);
    if (ifMatch !== undefined && object?.etag !== ifMatch) throw new DriverError("Stale", `${key} was replaced`);
  }

  #append(options: PutOptions, body: Buffer, offset: number): PutResult {
    if (!this.#options.directoryBucket) throw new DriverError("Unimplemented", "appending is for directory buckets");
    const old = this.#objects.get(options.key);
    if ((old?.size ?? 0) !== offset) throw new DriverError("InvalidArgument", "the write offset is not the object's size");
    const whole = Buffer.concat([old ? read(old.content, 0, old.size) : new Uint8Array(0), body]);
    const etag = quoted(md5(whole).toString("hex"));
    this.#store(options.key, { content: whole, size: whole.length, etag, lastModifiedMs: this.#options.now(), options, restored: false });
    return { etag, size: whole.length };
  }

  #page(objects: ObjectStat[], commonPrefixes: string[], nextToken: string | undefined): ListPage {
    if (this.#options.directoryBucket) {
      objects.reverse();
      commonPrefixes.reverse();
    }
    return nextToken === undefined ? { objects, commonPrefixes } : { objects, commonPrefixes, nextToken };
  }
}

const quoted = (etag: string) => `"${etag}"`;
const md5 = (body: Uint8Array) => createHash("md5").update(body).digest();
const missing = (key: string) => new DriverError("NotFound", `${key} does not exist`);
const sizeOf = (content: Content) => (content instanceof Uint8Array ? content.length : content.size);
const hollow = (size: number): Content => ({ size, fill: (into: Uint8Array) => void into.fill(0) });

function statOf(key: string, object: StoredObject): ObjectStat {
  const { size, etag, lastModifiedMs, options, restored } = object;
  return { key, size, etag, lastModifiedMs, ...(options.storageClass ? { storageClass: options.storageClass, restored } : {}) };
}

function fill(content: Content, into: Uint8Array, offset: number): void {
  if (content instanceof Uint8Array) into.set(content.subarray(offset, offset + into.length));
  else content.fill(into, offset);
}

function read(content: Content, offset: number, length: number): Uint8Array {
  const into = new Uint8Array(length);
  fill(content, into, offset);
  return into;
}

function joined(contents: readonly Content[]): Content {
  const size = contents.reduce((sum, content) => sum + sizeOf(content), 0);
  if (contents.every((content) => content instanceof Uint8Array)) return Buffer.concat(contents as Uint8Array[]);
  return hollow(size);
}
