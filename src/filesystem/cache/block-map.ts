// Which blocks of a cached object are there, with a checksum for each. Kept beside the data in a file of its own: a header
// that says what it belongs to, then four bytes a block; zero means a hole.
import { crc32 } from "node:zlib";

const magic = 0x53334d31;
const headerSize = 32;
const maxBlocks = 65_536;
const smallestBlock = 128 * 1024;

export class BlockMap {
  readonly size: number;
  readonly blockSize: number;
  readonly #sums: Uint32Array;
  /** Blocks that were proven in this process. */
  readonly #proven: Uint8Array;
  present = 0;
  proven = 0;

  constructor(size: number, blockSize = blockSizeFor(size), sums?: Uint32Array) {
    this.size = size;
    this.blockSize = blockSize;
    const count = Math.ceil(size / blockSize);
    this.#sums = sums ?? new Uint32Array(count);
    this.#proven = new Uint8Array(count);
    for (const sum of this.#sums) if (sum !== 0) this.present++;
  }

  /** Undefined when it is not whole or belongs to something else. */
  static decode(bytes: Buffer, size: number): BlockMap | undefined {
    if (bytes.length < headerSize || bytes.readUInt32LE(0) !== magic || bytes.readUInt32LE(28) !== crc32(bytes.subarray(0, 28)))
      return undefined;
    const blockSize = bytes.readUInt32LE(4);
    if (Number(bytes.readBigUInt64LE(8)) !== size || blockSize === 0) return undefined;
    const count = Math.ceil(size / blockSize);
    const sums = new Uint32Array(count);
    // A crash may have cut the file: what is missing is a hole.
    for (let i = 0; i < count && headerSize + 4 * i + 4 <= bytes.length; i++) sums[i] = bytes.readUInt32LE(headerSize + 4 * i);
    return new BlockMap(size, blockSize, sums);
  }

  encode(): Buffer {
    const bytes = Buffer.alloc(this.encodedSize);
    bytes.writeUInt32LE(magic, 0);
    bytes.writeUInt32LE(this.blockSize, 4);
    bytes.writeBigUInt64LE(BigInt(this.size), 8);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 28)), 28);
    this.#sums.forEach((sum, i) => {
      bytes.writeUInt32LE(sum, headerSize + 4 * i);
    });
    return bytes;
  }

  /** Where the entries of these blocks stand in the file, and what they say. */
  encodeEntries(first: number, count: number): { readonly position: number; readonly bytes: Buffer } {
    const bytes = Buffer.alloc(4 * count);
    for (let i = 0; i < count; i++) bytes.writeUInt32LE(this.#sums[first + i] ?? 0, 4 * i);
    return { position: headerSize + 4 * first, bytes };
  }

  get encodedSize(): number {
    return headerSize + 4 * this.#sums.length;
  }

  get blocks(): number {
    return this.#sums.length;
  }

  get complete(): boolean {
    return this.present === this.#sums.length;
  }

  has(block: number): boolean {
    return this.#sums[block] !== 0;
  }

  endOf(block: number): number {
    return Math.min(this.size, (block + 1) * this.blockSize);
  }

  set(block: number, sum: number): void {
    if (this.#sums[block] === 0) this.present++;
    this.#sums[block] = sum || 1;
    this.#prove(block);
  }

  drop(block: number): void {
    if (this.#sums[block] !== 0) this.present--;
    this.#sums[block] = 0;
    if (this.#proven[block] !== 0) this.proven--;
    this.#proven[block] = 0;
  }

  matches(block: number, bytes: Uint8Array): boolean {
    if ((crc32(bytes) || 1) !== this.#sums[block]) return false;
    this.#prove(block);
    return true;
  }

  /** It was proven before, by this process. */
  trust(): void {
    for (let block = 0; block < this.#sums.length; block++) if (this.has(block)) this.#prove(block);
  }

  #prove(block: number): void {
    if (this.#proven[block] === 0) this.proven++;
    this.#proven[block] = 1;
  }
}

function blockSizeFor(size: number): number {
  let blockSize = smallestBlock;
  while (size / blockSize > maxBlocks) blockSize *= 2;
  return blockSize;
}
