// The bytes of an upload, also written to a file that becomes a cached object when the upload is complete and its ETag known.
import { closeSync, openSync, rmSync } from "node:fs";
import { crc32 } from "node:zlib";
import { BlockMap } from "./block-map.ts";
import { writeFully } from "./cached-file.ts";

/** For the map of it, and for pages that are not full. */
const mapBytes = 16 * 1024;

export interface TeeOwner {
  /** Room for so many bytes more; false when there is none. */
  reserve(bytes: number): boolean;
  /** Gives back all that was reserved. */
  release(bytes: number): void;
  /** Takes the file over. */
  commit(etag: string, map: BlockMap): void;
  onFailure(error: unknown): void;
}

export class WriteTee {
  readonly #path: string;
  readonly #owner: TeeOwner;
  readonly #sums: number[] = [];
  readonly #blockSize = 1024 * 1024;
  #fd: number | undefined;
  #made = false;
  #size = 0;
  #reserved = 0;
  #running = 0;
  #ended = false;
  /** Calls of write under way. */
  #writing = 0;

  constructor(path: string, owner: TeeOwner) {
    this.#path = path;
    this.#owner = owner;
  }

  /** Calls come in order; the chunks must stay as they are until it resolves. Never fails. */
  async write(chunks: readonly Uint8Array[]): Promise<void> {
    if (this.#ended) return;
    this.#writing++;
    try {
      if (!this.#reserve(chunks)) return this.abort();
      this.#fd ??= openSync(this.#path, "w", 0o600);
      this.#made = true;
      let position = this.#size;
      for (const chunk of chunks) this.#sum(chunk);
      for (const chunk of chunks) {
        await writeFully(this.#fd, chunk, position);
        position += chunk.length;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#writing--;
      if (this.#ended) this.#discard();
    }
  }

  /** Every write has resolved. */
  commit(etag: string): void {
    if (this.#ended || this.#fd === undefined) return this.abort();
    try {
      closeSync(this.#fd);
      this.#fd = undefined;
      if (this.#size % this.#blockSize !== 0) this.#sums.push(this.#running || 1);
      this.#owner.release(this.#reserved);
      this.#reserved = 0;
      this.#owner.commit(etag, new BlockMap(this.#size, this.#blockSize, Uint32Array.from(this.#sums)));
      this.#ended = true;
    } catch (error) {
      this.#fail(error);
    }
  }

  abort(): void {
    this.#ended = true;
    this.#discard();
  }

  #reserve(chunks: readonly Uint8Array[]): boolean {
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, this.#reserved === 0 ? mapBytes : 0);
    if (!this.#owner.reserve(bytes)) return false;
    this.#reserved += bytes;
    return true;
  }

  #sum(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const room = this.#blockSize - (this.#size % this.#blockSize);
      const piece = chunk.subarray(at, at + room);
      this.#running = crc32(piece, this.#running);
      this.#size += piece.length;
      at += piece.length;
      if (this.#size % this.#blockSize !== 0) continue;
      this.#sums.push(this.#running || 1);
      this.#running = 0;
    }
  }

  #fail(error: unknown): void {
    this.abort();
    this.#owner.onFailure(error);
  }

  /** A descriptor that is being written through must stay: its number would go to another file, and the bytes with it. */
  #discard(): void {
    if (this.#writing > 0) return;
    const fd = this.#fd;
    this.#fd = undefined;
    this.#owner.release(this.#reserved);
    this.#reserved = 0;
    try {
      if (fd !== undefined) closeSync(fd);
      if (this.#made) rmSync(this.#path, { force: true });
    } catch (error) {
      this.#owner.onFailure(error);
    }
  }
}
