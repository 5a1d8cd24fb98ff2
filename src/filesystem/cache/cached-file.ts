// One version of one object on disk: a sparse file of its content and the map of what is there.
import { close, fdatasync, open as openFile, read, readFileSync, statSync, write } from "node:fs";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { BlockMap } from "./block-map.ts";

const openAsync = promisify(openFile);
const readAsync = promisify(read) as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>;
const writeAsync = promisify(write) as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesWritten: number }>;
const closeAsync = promisify(close);
const syncAsync = promisify(fdatasync);

export class CachedFile {
  readonly id: string;
  readonly dataPath: string;
  readonly mapPath: string;
  readonly map: BlockMap;
  /** Whoever reads or writes it; it is neither closed nor evicted meanwhile. */
  users = 0;
  /** On disk without a word in the map: left by a crash, a failed write or damage. Rather too much than too little. */
  #stray: number;
  #isNew: boolean;
  #data: Promise<number> | undefined;
  #mapFd: Promise<number> | undefined;

  constructor(id: string, path: string, size: number) {
    this.id = id;
    this.dataPath = `${path}.data`;
    this.mapPath = `${path}.map`;
    const known = loadMap(this.mapPath, size);
    this.#isNew = known === undefined;
    this.map = known ?? new BlockMap(size);
    this.#stray = Math.max(0, allocated(this.dataPath) - Math.min(size, this.map.present * this.map.blockSize));
  }

  /** What it takes of the disk, the map included. */
  get bytes(): number {
    const { size, present, blockSize } = this.map;
    return wholePages(Math.min(size, present * blockSize + this.#stray)) + wholePages(this.map.encodedSize);
  }

  /** Ranges of [start, end), each wholly there or wholly missing. */
  *runs(start: number, end: number): Generator<{ readonly start: number; readonly end: number; readonly present: boolean }> {
    const { map } = this;
    for (let at = start; at < end; ) {
      const present = map.has(Math.floor(at / map.blockSize));
      let to = at;
      do to = map.endOf(Math.floor(to / map.blockSize));
      while (to < end && map.has(Math.floor(to / map.blockSize)) === present);
      yield { start: at, end: Math.min(to, end), present };
      at = to;
    }
  }

  /** False when what is on disk is not what was written; it is then a hole. */
  async read(start: number, end: number, into: Uint8Array): Promise<boolean> {
    const { map } = this;
    const fd = await this.#open();
    for (let block = Math.floor(start / map.blockSize); block * map.blockSize < end; block++) {
      const from = block * map.blockSize;
      const to = map.endOf(block);
      // Only whole blocks can be proven.
      const inside = from >= start && to <= end;
      const bytes = inside ? into.subarray(from - start, to - start) : Buffer.allocUnsafe(to - from);
      const { bytesRead } = await readAsync(fd, bytes, 0, bytes.length, from);
      if (bytesRead !== bytes.length || !map.matches(block, bytes)) {
        map.drop(block);
        this.#stray += to - from;
        await this.#writeEntries(block, 1);
        return false;
      }
      if (!inside) into.set(bytes.subarray(Math.max(start, from) - from, Math.min(end, to) - from), Math.max(start, from) - start);
    }
    return true;
  }

  /** Keeps the blocks that lie wholly within [start, start + bytes). Returns how many bytes that were. */
  async write(start: number, bytes: Uint8Array): Promise<number> {
    const { map } = this;
    const end = start + bytes.length;
    const first = Math.ceil(start / map.blockSize);
    let last = first;
    while (last < map.blocks && map.endOf(last) <= end) last++;
    if (last === first) return 0;
    const from = first * map.blockSize;
    const kept = bytes.subarray(from - start, map.endOf(last - 1) - start);
    const fd = await this.#open();
    // Until the map has it; a disk that is full may have taken some of it.
    this.#stray += kept.length;
    await writeFully(fd, kept, from);
    this.#stray -= kept.length;
    // The data first, then the word that it is there.
    for (let block = first; block < last; block++)
      map.set(block, crc32(kept.subarray(block * map.blockSize - from, map.endOf(block) - from)));
    await this.#writeEntries(first, last - first);
    return kept.length;
  }

  /** For the kernel to read by itself. */
  descriptor(): Promise<number> {
    return this.#open();
  }

  async close(): Promise<void> {
    const fds = [this.#data, this.#mapFd];
    this.#data = undefined;
    this.#mapFd = undefined;
    for (const fd of fds) if (fd) await fd.then(closeAsync).catch(() => {});
  }

  async sync(): Promise<void> {
    for (const fd of [this.#data, this.#mapFd]) if (fd) await syncAsync(await fd);
  }

  #open(): Promise<number> {
    if (!this.#data) {
      if (this.#isNew) this.#stray = 0;
      this.#data = openAsync(this.dataPath, this.#isNew ? "w+" : "r+", 0o600);
    }
    return this.#data;
  }

  async #writeEntries(first: number, count: number): Promise<void> {
    if (!this.#mapFd) {
      this.#mapFd = openAsync(this.mapPath, this.#isNew ? "w+" : "r+", 0o600);
      const fd = await this.#mapFd;
      if (this.#isNew) await writeFully(fd, this.map.encode(), 0);
      this.#isNew = false;
    }
    const { position, bytes } = this.map.encodeEntries(first, count);
    await writeFully(await this.#mapFd, bytes, position);
  }
}

export async function writeFully(fd: number, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await writeAsync(fd, bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

/** Files take whole pages of a disk. */
function wholePages(bytes: number): number {
  return Math.ceil(bytes / 4096) * 4096;
}

/** Bytes of the disk that a file takes; none when it is missing. */
export function allocated(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
}

function loadMap(path: string, size: number): BlockMap | undefined {
  try {
    return BlockMap.decode(readFileSync(path), size);
  } catch {
    return undefined;
  }
}
