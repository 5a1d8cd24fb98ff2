// Bytes of one part, in pieces that grow with it: a small file holds little memory, a large part few pieces.
import type { Block } from "../memory.ts";
import type { UploadPool } from "./upload-pool.ts";

const firstPiece = 16 * 1024;
const largestPiece = 1024 * 1024;

export class PartBuffer {
  size = 0;
  /** Set while memory is awaited. */
  waiting: Promise<void> | undefined;
  readonly #pool: UploadPool;
  readonly #blocks: Block[] = [];
  #room = 0;
  /** Takes nothing more, not even memory that was asked for before. */
  #sealed = false;

  constructor(pool: UploadPool) {
    this.#pool = pool;
  }

  /** Copies what fits into the memory at hand; returns how much that was. */
  copy(data: Uint8Array): number {
    const block = this.#blocks.at(-1);
    const count = Math.min(this.#room, data.length);
    if (!block || count === 0) return 0;
    block.bytes.set(count === data.length ? data : data.subarray(0, count), block.bytes.length - this.#room);
    this.#room -= count;
    this.size += count;
    return count;
  }

  /** More memory for at least a part of `wanted` bytes: true when it is there at once, else `waiting` tells when. */
  grow(wanted: number): boolean {
    if (this.waiting) return false;
    const piece = Math.min(largestPiece, Math.max(firstPiece, nextPowerOfTwo(wanted), this.size === 0 ? 0 : nextPowerOfTwo(this.size)));
    const block = this.#pool.allocate(piece);
    if (!(block instanceof Promise)) {
      this.#add(block);
      return true;
    }
    this.waiting = block
      .then((late) => {
        if (this.#sealed) this.#pool.free(late);
        else this.#add(late);
      })
      .finally(() => {
        this.waiting = undefined;
      });
    this.waiting.catch(() => {});
    return false;
  }

  get chunks(): readonly Uint8Array[] {
    return this.#blocks.map((block, i) =>
      i === this.#blocks.length - 1 ? block.bytes.subarray(0, block.bytes.length - this.#room) : block.bytes,
    );
  }

  /** The content, final: it is sent now. */
  seal(): readonly Uint8Array[] {
    const { chunks } = this;
    this.#sealed = true;
    return chunks;
  }

  free(): void {
    this.#sealed = true;
    this.#room = 0;
    this.size = 0;
    for (const block of this.#blocks.splice(0)) this.#pool.free(block);
  }

  #add(block: Block): void {
    this.#blocks.push(block);
    this.#room = block.bytes.length;
  }
}

function nextPowerOfTwo(n: number): number {
  return 2 ** Math.ceil(Math.log2(n));
}
