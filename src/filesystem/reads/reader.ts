// A file opened for reading: one version of an object, and the cursors of whoever reads it.
import { hasCode, toDriverError } from "../../core/errors.ts";
import type { Awaitable, Handle, ReadReply } from "../../fuse/file-system.ts";
import { ioError, stale } from "../errors.ts";
import { maxBlockSize } from "../memory.ts";
import type { FileNode } from "../state.ts";
import type { Volume } from "../volume.ts";
import type { Backing } from "./backing.ts";
import type { BlockCache, CachedObject } from "./block-cache.ts";
import { type Cursor, Cursors, starved, windowOf } from "./window.ts";

const MiB = 1024 * 1024;
/** Objects up to this size come whole with the first request. */
export const smallObject = MiB;
const maxStreamWindow = 64 * MiB;
const maxAttempts = 20;
const empty: ReadReply = { chunks: [] };

export function isReadByKernel(node: FileNode): boolean {
  for (const reader of node.readers) if (reader.readByKernel) return true;
  return false;
}

export class Reader {
  readonly handle: Handle;
  readonly node: FileNode;
  readonly object: CachedObject;
  /** False after a FLUSH, until it is used again. */
  active = true;
  /** Closed behind its back: it was flushed, and then the file was opened again. */
  invalidated = false;
  /** The kernel reads the file without us. It allows no other way then, for any handle of this node. */
  readByKernel = false;
  /** By which it does so; another process's is unknown to us. */
  backing: Backing | undefined;
  readonly #volume: Volume;
  readonly #cache: BlockCache;
  readonly #cursors = new Cursors();

  constructor(handle: Handle, node: FileNode, object: CachedObject, volume: Volume, cache: BlockCache) {
    this.handle = handle;
    this.node = node;
    this.object = object;
    this.#volume = volume;
    this.#cache = cache;
  }

  read(offset: number, size: number): Awaitable<ReadReply> {
    const end = Math.min(offset + size, this.object.size);
    if (offset >= end) return empty;
    const cursor = this.#cursors.advance(offset, end);
    this.#readAhead(cursor, offset, end);
    const taken = this.#cache.take(this.object, offset, end);
    if (taken) {
      this.#passed(cursor, offset);
      return taken;
    }
    return this.#readSlow(cursor, offset, end);
  }

  /** Brings the first bytes before anybody asks: the whole of a small object. */
  async warmUp(): Promise<void> {
    const end = Math.min(smallObject, this.object.size);
    if (end === 0) return;
    this.#cache.request(this.object, 0, end, smallObject, true);
    try {
      await this.#cache.wait(this.object, 0, Math.min(end, 1));
    } catch (error) {
      throw this.#explain(error);
    }
  }

  close(): void {
    this.backing?.release();
    this.#cache.close(this.object);
  }

  async #readSlow(cursor: Cursor, offset: number, end: number): Promise<ReadReply> {
    starved(cursor, this.#maxWindow());
    let failures = 0;
    for (let attempt = 0; ; attempt++) {
      if (!this.#cache.covers(this.object, offset, end)) {
        cursor.requested = offset;
        this.#readAhead(cursor, offset, end);
      }
      try {
        await this.#cache.wait(this.object, offset, end);
      } catch (error) {
        // What was given up for want of memory, or with another reader, is asked for again.
        if (attempt < maxAttempts && toDriverError(error).code === "Cancelled") continue;
        // What failed may have been fetched ahead of need, long ago: the reader asks once more.
        if (failures++ === 0 && !hasCode(error, "Stale", "NotFound", "AccessDenied")) continue;
        throw this.#explain(error);
      }
      const taken = this.#cache.take(this.object, offset, end);
      if (taken) {
        this.#passed(cursor, offset);
        return taken;
      }
    }
  }

  #readAhead(cursor: Cursor, offset: number, end: number): void {
    const window = windowOf(cursor, this.#maxWindow());
    if (window === 0) {
      this.#cache.request(this.object, offset, end, this.#partSize, true);
      return;
    }
    const from = Math.max(cursor.requested, offset);
    // Half a window is left before more is asked for, so that requests stay large.
    if (from - cursor.next > window / 2) return;
    const first = Math.min(this.object.size, offset + MiB);
    if (from < end) this.#cache.request(this.object, offset, Math.max(first, end), MiB, true);
    const target = Math.min(this.object.size, Math.ceil((cursor.next + window) / MiB) * MiB);
    const piece = Math.min(this.#partSize, Math.max(MiB, 2 ** Math.floor(Math.log2(window / 4))));
    if (this.#cache.request(this.object, from, target, piece, false)) cursor.requested = Math.max(cursor.requested, target);
  }

  get #partSize(): number {
    return Math.min(this.#volume.options.readPartSize, maxBlockSize);
  }

  #maxWindow(): number {
    const streams = Math.max(1, this.#volume.state.readers.size);
    return Math.min(maxStreamWindow, Math.max(2 * MiB, (this.#volume.arena.capacity * 0.6) / streams));
  }

  #passed(cursor: Cursor, offset: number): void {
    if (cursor.run >= 2 * MiB) this.#cache.consumed(this.object, Math.max(0, offset - 2 * MiB), offset);
  }

  #explain(error: unknown): Error {
    const { profile } = this.#volume.options;
    if (hasCode(error, "Stale")) return stale(`${this.object.key} was replaced while it was read`);
    return ioError(error, profile, `reading ${this.object.key}`);
  }
}
