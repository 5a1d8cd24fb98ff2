// A file's bytes in memory, sparse: what was never written takes no room and reads as zeros.

const pieceSize = 128 * 1024;
const zeros = new Uint8Array(pieceSize);

export class MemoryContent {
  #pieces = new Map<number, Uint8Array>();
  size = 0;

  /** Views of the content, cut at the end of the file. */
  read(offset: number, length: number): Uint8Array[] {
    const chunks: Uint8Array[] = [];
    const end = Math.min(offset + length, this.size);
    for (let at = offset; at < end; ) {
      const index = Math.floor(at / pieceSize);
      const from = at - index * pieceSize;
      const to = Math.min(pieceSize, from + end - at);
      chunks.push((this.#pieces.get(index) ?? zeros).subarray(from, to));
      at += to - from;
    }
    return chunks;
  }

  write(offset: number, data: Uint8Array): void {
    for (let done = 0; done < data.length; ) {
      const at = offset + done;
      const index = Math.floor(at / pieceSize);
      const from = at - index * pieceSize;
      const part = data.subarray(done, done + pieceSize - from);
      this.#piece(index).set(part, from);
      done += part.length;
    }
    this.size = Math.max(this.size, offset + data.length);
  }

  resize(size: number): void {
    if (size < this.size) this.zero(size, this.size - size);
    this.size = size;
  }

  /** Makes a hole; the size stays. */
  zero(offset: number, length: number): void {
    const end = Math.min(offset + length, this.size);
    for (const [index, piece] of this.#pieces) {
      const start = index * pieceSize;
      const from = Math.max(offset, start);
      const to = Math.min(end, start + pieceSize);
      if (to - from === pieceSize) this.#pieces.delete(index);
      else if (to > from) piece.fill(0, from - start, to - start);
    }
  }

  get blocks(): number {
    return this.#pieces.size * (pieceSize / 512);
  }

  /** Where data (or, if `hole`, nothing) begins at or after the offset. undefined: past the end. */
  seek(offset: number, hole: boolean): number | undefined {
    if (offset < 0 || offset >= this.size) return undefined;
    for (let at = offset; at < this.size; at = (Math.floor(at / pieceSize) + 1) * pieceSize) {
      if (this.#pieces.has(Math.floor(at / pieceSize)) !== hole) return at;
      // A sparse file of any size: go from piece to piece, not through the void.
      if (!hole) {
        const next = Math.min(...[...this.#pieces.keys()].filter((i) => i * pieceSize > at).map((i) => i * pieceSize));
        return next < this.size ? next : undefined;
      }
    }
    return hole ? this.size : undefined;
  }

  #piece(index: number): Uint8Array {
    let piece = this.#pieces.get(index);
    if (!piece) {
      piece = new Uint8Array(pieceSize);
      this.#pieces.set(index, piece);
    }
    return piece;
  }
}
