// One object on its way to S3, written from front to back. Up to a part's size it is buffered and goes as a single
// PutObject; beyond that, parts are sent while more is written. It becomes visible only when it is complete.
import { DriverError } from "../../core/errors.ts";
import type { Awaitable } from "../../fuse/file-system.ts";
import type { MultipartUpload, ObjectStore, PutResult, UploadedPart, WriteOptions } from "../../s3/object-store.ts";
import type { UploadRecord } from "../record.ts";
import { abandon, removeOrphans } from "./abandon.ts";
import { completeMultipart, type Condition, putObject } from "./finish.ts";
import { PartBuffer } from "./part-buffer.ts";
import { maxUploadSize, minPartSize, partSize } from "./parts.ts";
import type { WriteTee } from "../cache/write-tee.ts";
import type { PoolMember, UploadPool } from "./upload-pool.ts";

const parallelParts = 6;

export interface UploadOptions {
  readonly store: ObjectStore;
  readonly pool: UploadPool;
  readonly key: string;
  readonly partSize: number;
  readonly write: WriteOptions;
  readonly condition: Condition;
  /** The cache on disk keeps a copy. */
  readonly tee?: WriteTee | undefined;
}

export class Upload implements PoolMember {
  /** Bytes accepted. */
  size = 0;
  readonly key: string;
  readonly #options: UploadOptions;
  readonly #largestPart: number;
  readonly #maxSize: number;
  readonly #controller = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #parts: UploadedPart[] = [];
  #part: PartBuffer;
  #partNumber = 1;
  #multipart: Promise<MultipartUpload> | undefined;
  #startedMs = 0;
  #queue: Promise<void> | undefined;
  #failure: unknown;
  #aborted: Promise<void> | undefined;

  constructor(options: UploadOptions) {
    this.#options = options;
    this.key = options.key;
    this.#largestPart = 2 ** Math.floor(Math.log2(options.pool.limit / 2));
    this.#maxSize = maxUploadSize(options.partSize, this.#largestPart);
    this.#part = new PartBuffer(options.pool);
    options.pool.join(this);
  }

  /** Takes the bytes; waits while memory is full. Calls must not overlap in order: the caller checks offsets. */
  append(data: Uint8Array): Awaitable<void> {
    if (this.#failure) throw this.#failure;
    if (this.size + data.length > this.#maxSize) throw new DriverError("FileTooLarge", `${this.key} would exceed ${this.#maxSize} bytes`);
    this.size += data.length;
    if (!this.#queue) {
      const taken = this.#take(data);
      if (taken === data.length) return;
      return this.#enqueue(data.subarray(taken));
    }
    return this.#enqueue(data);
  }

  async complete(): Promise<PutResult> {
    await this.#queue;
    if (this.#failure) throw this.#failure;
    try {
      const result = await (this.#multipart ? this.#completeParts(this.#multipart) : this.#completeWhole());
      this.#options.tee?.commit(result.etag);
      return result;
    } finally {
      this.#end();
    }
  }

  /** Nothing of it stays behind, neither here nor in S3. */
  abort(): Promise<void> {
    this.#aborted ??= this.#abort();
    return this.#aborted;
  }

  async #abort(): Promise<void> {
    this.#failure ??= new DriverError("Cancelled", "the upload was given up");
    this.#controller.abort(this.#failure);
    await this.#queue?.catch(() => {});
    await Promise.allSettled(this.#inFlight);
    this.#end();
    this.#options.tee?.abort();
    if (!this.#multipart) return;
    const { store } = this.#options;
    await this.#multipart.then(
      async (upload) => {
        await abandon(store, upload);
        if (upload.doubt) await removeOrphans(store, this.key, upload.doubt, upload);
      },
      () => removeOrphans(store, this.key, { fromMs: this.#startedMs, toMs: Date.now() }),
    );
  }

  /** What a record of this upload needs so that another process can go on with it. */
  async describe(): Promise<UploadRecord> {
    await this.#queue;
    await Promise.all(this.#inFlight);
    if (this.#failure) throw this.#failure;
    return {
      kind: "upload",
      multipart: await this.#multipart,
      parts: [...this.#parts],
      tail: this.#part.chunks.map((chunk) => Uint8Array.from(chunk)),
    };
  }

  /** Goes on from a record; its unsent bytes are appended by the caller. */
  resume({ multipart, parts }: UploadRecord): void {
    this.#multipart = multipart && Promise.resolve(multipart);
    this.#parts.push(...parts);
    this.#partNumber = parts.reduce((highest, part) => Math.max(highest, part.partNumber), 0) + 1;
    this.size = parts.reduce((sum, part) => sum + part.size, 0);
    // What was sent before is not here to be kept.
    if (parts.length > 0) this.#options.tee?.abort();
  }

  get sendable(): number {
    return this.#part.size >= minPartSize && this.#inFlight.size < parallelParts && !this.#failure ? this.#part.size : 0;
  }

  send(): void {
    const part = this.#part;
    const number = this.#partNumber++;
    this.#part = new PartBuffer(this.#options.pool);
    const chunks = part.seal();
    const copied = this.#options.tee?.write(chunks);
    this.#startedMs ||= Date.now();
    this.#multipart ??= this.#options.store.createUpload(this.key, this.#options.write, this.#controller.signal);
    const sent = this.#options.pool
      .sending(async () => {
        // Freed before others are told that nothing is on its way any more.
        try {
          const upload = await (this.#multipart as Promise<MultipartUpload>);
          this.#parts.push(await this.#options.store.uploadPart(upload, number, chunks, this.#controller.signal));
        } finally {
          await copied;
          part.free();
        }
      })
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#inFlight.delete(sent);
      });
    this.#inFlight.add(sent);
  }

  /** As much as fits without waiting. */
  #take(data: Uint8Array): number {
    let at = 0;
    while (at < data.length) {
      const room = this.#limit - this.#part.size;
      if (room === 0) {
        if (this.#inFlight.size >= parallelParts) break;
        this.send();
        continue;
      }
      const copied = this.#part.copy(data.subarray(at, Math.min(data.length, at + room)));
      if (copied === 0 && !this.#part.grow(Math.min(room, data.length - at))) break;
      at += copied;
    }
    return at;
  }

  #enqueue(data: Uint8Array): Promise<void> {
    const before = this.#queue ?? Promise.resolve();
    const task = before.then(() => this.#takeSlowly(data));
    const tail = task.then(
      () => {
        if (this.#queue === tail) this.#queue = undefined;
      },
      (error: unknown) => {
        this.#failure ??= error;
      },
    );
    this.#queue = tail;
    return task;
  }

  async #takeSlowly(data: Uint8Array): Promise<void> {
    for (let at = 0; ; ) {
      if (this.#failure) throw this.#failure;
      at += this.#take(data.subarray(at));
      if (at === data.length) return;
      if (this.#part.waiting) await this.#part.waiting;
      else await Promise.race(this.#inFlight);
    }
  }

  get #limit(): number {
    return partSize(this.#partNumber, this.#options.partSize, this.#largestPart);
  }

  async #completeWhole(): Promise<PutResult> {
    const { store, key, write, condition, pool, tee } = this.#options;
    const part = this.#part;
    const body = part.seal();
    return await pool.sending(async () => {
      const copied = tee?.write(body);
      try {
        return await putObject(store, { key, body, ...write }, condition, this.#controller.signal);
      } finally {
        await copied;
        part.free();
      }
    });
  }

  async #completeParts(multipart: Promise<MultipartUpload>): Promise<PutResult> {
    if (this.#part.size > 0) this.send();
    await Promise.all(this.#inFlight);
    const { store, condition } = this.#options;
    try {
      if (this.#failure) throw this.#failure;
      const upload = await multipart;
      this.#parts.sort((a, b) => a.partNumber - b.partNumber);
      const sent = this.#parts.reduce((sum, part) => sum + part.size, 0);
      if (sent !== this.size) throw new DriverError("Internal", `${this.key}: ${sent} of ${this.size} bytes were sent`);
      const result = await completeMultipart(store, upload, this.#parts, condition, this.#controller.signal);
      // The file is whole: close() does not wait for this, nor fail with it.
      if (upload.doubt) void removeOrphans(store, this.key, upload.doubt, upload).catch(() => {});
      return result;
    } catch (error) {
      this.#failure ??= error;
      await this.abort();
      throw error;
    }
  }

  #end(): void {
    this.#part.free();
    this.#options.pool.leave(this);
  }
}
