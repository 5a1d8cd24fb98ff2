// The buffer that a READDIR or READDIRPLUS fills: entries back to back, each padded to 8 bytes.
import { encodeDirent, structSize } from "../../generated/fuse/kernel.ts";
import { writeEntryOut } from "./attributes.ts";
import type { DirectoryEntry, DirectorySink, Entry, NodeId } from "./file-system.ts";

export class DirectoryBuffer implements DirectorySink {
  readonly bytes: Buffer;
  readonly #words: Uint32Array;
  readonly #limit: number;
  #used = 0;
  /** The nodes whose lookups the kernel will owe us once it has got the reply. */
  readonly counted: NodeId[] = [];

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size + (-size & 7));
    this.#words = new Uint32Array(this.bytes.buffer);
    this.#limit = size;
  }

  get used(): number {
    return this.#used;
  }

  add(entry: DirectoryEntry): boolean {
    return this.#add(entry, undefined);
  }

  addPlus(entry: DirectoryEntry, attributes: Entry): boolean {
    if (!this.#add(entry, attributes)) return false;
    if (attributes.node !== 0 && entry.name !== "." && entry.name !== "..") this.counted.push(attributes.node);
    return true;
  }

  #add(entry: DirectoryEntry, plus: Entry | undefined): boolean {
    const { name } = entry;
    const start = this.#used + (plus ? structSize.entryOut : 0);
    const nameAt = start + structSize.dirent;
    const length = Buffer.byteLength(name);
    const end = nameAt + length + (-length & 7);
    if (end > this.#limit) return false;
    if (plus) writeEntryOut(this.#words, this.#used >> 2, plus);
    encodeDirent(this.#words, start >> 2, { ino: entry.ino, off: entry.nextOffset, namelen: length, type: entry.type >>> 12 });
    this.bytes.write(name, nameAt, length, "utf8");
    this.bytes.fill(0, nameAt + length, end);
    this.#used = end;
    return true;
  }
}
