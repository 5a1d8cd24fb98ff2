// Bytes of small files that are being written, at the front of the crash record's memory: areas of one size. An area begins with how
// many bytes of it are true; that is written after the bytes themselves, so a process may be killed at any moment.
import { readSync, writeSync } from "node:fs";

const areaBytes = 256 * 1024;
const headerBytes = 4;
const areas = 64;
/** Where the areas end. Those that were never used take no memory. */
export const writtenBytesEnd = areas * areaBytes;

export class WrittenBytes {
  readonly #fd: number;
  readonly #sizes = new Map<number, number>();
  readonly #free: number[] = [];
  readonly #size = Buffer.alloc(headerBytes);

  constructor(fd: number) {
    this.#fd = fd;
    this.reset();
  }

  reset(): void {
    this.#sizes.clear();
    this.#free.splice(0, Infinity, ...Array.from({ length: areas }, (_, i) => areas - 1 - i));
  }

  /** An empty area; undefined when all are in use. */
  take(): number | undefined {
    const area = this.#free.pop();
    if (area !== undefined) this.#setSize(area, 0);
    return area;
  }

  /** False when it does not fit. */
  write(area: number, offset: number, data: Uint8Array): boolean {
    const end = offset + data.length;
    if (headerBytes + end > areaBytes) return false;
    writeSync(this.#fd, data, 0, data.length, area * areaBytes + headerBytes + offset);
    if (end > (this.#sizes.get(area) ?? 0)) this.#setSize(area, end);
    return true;
  }

  give(area: number): void {
    this.#sizes.delete(area);
    this.#free.push(area);
  }

  /** What a predecessor wrote; the area is in use from now on. */
  load(area: number): Uint8Array {
    this.#free.splice(this.#free.indexOf(area), 1);
    readSync(this.#fd, this.#size, 0, headerBytes, area * areaBytes);
    const bytes = Buffer.alloc(Math.min(this.#size.readUInt32LE(0), areaBytes - headerBytes));
    readSync(this.#fd, bytes, 0, bytes.length, area * areaBytes + headerBytes);
    this.#sizes.set(area, bytes.length);
    return bytes;
  }

  #setSize(area: number, size: number): void {
    this.#sizes.set(area, size);
    this.#size.writeUInt32LE(size, 0);
    writeSync(this.#fd, this.#size, 0, headerBytes, area * areaBytes);
  }
}
