// Incremental upload (directory buckets): each part is appended to the object as soon as it is full, one after the other,
// each on condition that nobody else wrote in between.
import type { Awaitable } from "../../fuse/file-system.ts";
import type { ObjectStore, PutResult, WriteOptions } from "../../s3/object-store.ts";
import type { UploadRecord } from "../record.ts";
import { PartBuffer } from "./part-buffer.ts";
import type { PoolMember, UploadPool } from "./upload-pool.ts";
import type { Sink } from "./writer.ts";

export interface AppendOptions {
  readonly store: ObjectStore;
  readonly pool: UploadPool;
  readonly key: string;
  readonly partSize: number;
  readonly write: WriteOptions;
  /** The version to append to; undefined for a new object. */
  readonly base: { readonly etag: string; readonly size: number } | undefined;
}

export class AppendUpload implements Sink, PoolMember {
  size: number;
  readonly #options: AppendOptions;
  readonly #controller = new AbortController();
  #part: PartBuffer;
  #etag: string | undefined;
  #published: number;
  #tail: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(options: AppendOptions) {
    this.#options = options;
    this.size = options.base?.size ?? 0;
    this.#published = this.size;
    this.#etag = options.base?.etag;
    this.#part = new PartBuffer(options.pool);
    options.pool.join(this);
  }

  append(data: Uint8Array): Awaitable<void> {
    this.size += data.length;
    const task = this.#tail.then(() => this.#take(data));
    this.#tail = task.catch((error: unknown) => {
      this.#failure ??= error;
    });
    return task;
  }

  async publish(): Promise<PutResult> {
    await this.#tail;
    if (this.#failure) throw this.#failure;
    if (this.#part.size > 0 || this.#etag === undefined) await this.#send();
    return { etag: this.#etag as string, size: this.#published };
  }

  async complete(): Promise<PutResult> {
    try {
      return await this.publish();
    } finally {
      this.#end();
    }
  }

  async abort(): Promise<void> {
    this.#controller.abort();
    await this.#tail;
    this.#end();
  }

  async describe(): Promise<UploadRecord> {
    await this.#tail;
    if (this.#failure) throw this.#failure;
    const base = this.#etag === undefined ? undefined : { etag: this.#etag, size: this.#published };
    return { kind: "append", multipart: undefined, parts: [], tail: this.#part.chunks.map((chunk) => Uint8Array.from(chunk)), base };
  }

  get sendable(): number {
    return 0;
  }

  send(): void {}

  async #take(data: Uint8Array): Promise<void> {
    for (let at = 0; at < data.length; ) {
      if (this.#failure) throw this.#failure;
      const room = this.#options.partSize - this.#part.size;
      if (room === 0) {
        await this.#send();
        continue;
      }
      const copied = this.#part.copy(data.subarray(at, Math.min(data.length, at + room)));
      at += copied;
      if (copied === 0 && !this.#part.grow(Math.min(room, data.length - at))) await this.#part.waiting;
    }
  }

  async #send(): Promise<void> {
    const { store, key, write, pool } = this.#options;
    const part = this.#part;
    this.#part = new PartBuffer(pool);
    const { size } = part;
    const body = part.seal();
    const condition = this.#etag === undefined ? {} : { ifMatch: this.#etag, writeOffset: this.#published };
    const result = await pool.sending(async () => {
      try {
        return await store.put({ key, body, ...write, ...condition, signal: this.#controller.signal });
      } finally {
        part.free();
      }
    });
    this.#etag = result.etag;
    this.#published += size;
  }

  #end(): void {
    this.#part.free();
    this.#options.pool.leave(this);
  }
}
