// A file system that any process can go on serving: contents follow from offsets, node ids from names, and what is written
// lies in a directory that outlives the server. Changes are idempotent, as taking over demands.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { DriverError } from "../../../src/core/errors.ts";
import {
  type Attributes, type AttributesReply, type Caller, type DirectorySink, type Entry, type FileSystem, FileType, type NodeId, type OpenReply, type ReadReply,
  rootNodeId, type SetAttributes,
} from "../../../src/fuse/file-system.ts";

/** Of the file "data" and of each in "many": the byte at offset o of node n. */
export function expectedByte(node: NodeId, offset: number): number {
  return (offset * 31 + Math.floor(offset / 4096) * 7 + node) & 0xff;
}

export const dataSize = 64 << 20;
export const manyFiles = 200;
const manySize = 10_000;
const nodes = { data: 2, many: 3, out: 4, made: 5 } as const;
const manyBase = 1000;
const madeBase = 1_000_000;
/** Node ids of made files must follow from the name alone. */
const madeName = /^made-(\d{1,6})$/;

export class StatelessFileSystem implements FileSystem {
  readonly wantedCapabilities = ["DO_READDIRPLUS", "READDIRPLUS_AUTO"];
  readonly #made: string;
  readonly #out: number;
  readonly #outPath: string;
  reads = 0;

  constructor(directory: string) {
    this.#made = path.join(directory, "made");
    mkdirSync(this.#made, { recursive: true });
    this.#outPath = path.join(directory, "out");
    this.#out = openSync(this.#outPath, existsSync(this.#outPath) ? "r+" : "w+");
  }

  destroy(): void {
    closeSync(this.#out);
  }

  lookup(parent: NodeId, name: string): Entry {
    const node = this.#find(parent, name);
    if (node === undefined) throw new DriverError("NotFound", "no such name");
    return { node, ...this.getattr(node), entryValidMs: 0 };
  }

  getattr(node: NodeId): AttributesReply {
    return { attributes: this.#attributes(node), validMs: 0 };
  }

  setattr(node: NodeId, changes: SetAttributes): AttributesReply {
    if (node === nodes.out && changes.size !== undefined) truncateSync(this.#outPath, changes.size);
    return this.getattr(node);
  }

  open(node: NodeId): OpenReply {
    return { handle: node };
  }

  release(): void {}

  async read(node: NodeId, _handle: number, offset: number, size: number): Promise<ReadReply> {
    this.reads++;
    const length = Math.max(0, Math.min(size, this.#attributes(node).size - offset));
    const chunk = Buffer.allocUnsafe(length);
    if (node === nodes.out) return { chunks: [chunk.subarray(0, readSync(this.#out, chunk, 0, length, offset))] };
    for (let i = 0; i < length; i++) chunk[i] = expectedByte(node, offset + i);
    // A turn of the event loop, so that kills meet requests that were read and not answered.
    await new Promise((resolve) => setImmediate(resolve));
    return { chunks: [chunk] };
  }

  write(_node: NodeId, _handle: number, offset: number, data: Uint8Array): number {
    return writeSync(this.#out, data, 0, data.length, offset);
  }

  create(_parent: NodeId, name: string, _mode: number, _flags: number, _umask: number, caller: Caller): { entry: Entry; open: OpenReply } {
    const file = path.join(this.#made, name);
    if (!madeName.test(name)) throw new DriverError("NotPermitted", "only made-<number>");
    if (existsSync(file) && !caller.resent) throw new DriverError("AlreadyExists", "exists");
    writeFileSync(file, "");
    return { entry: this.lookup(nodes.made, name), open: { handle: 0 } };
  }

  unlink(_parent: NodeId, name: string, caller: Caller): void {
    const file = path.join(this.#made, name);
    if (!existsSync(file) && !caller.resent) throw new DriverError("NotFound", "no such name");
    rmSync(file, { force: true });
  }

  opendir(): OpenReply {
    return { handle: 0 };
  }

  readdir(node: NodeId, _handle: number, offset: number, plus: boolean, sink: DirectorySink): void {
    const names = this.#names(node);
    for (let i = offset; i < names.length; i++) {
      const name = names[i] as string;
      const found = this.#find(node, name);
      if (found === undefined) continue;
      const entry = { name, ino: found, type: this.#attributes(found).mode & 0o170000, nextOffset: i + 1 };
      if (!(plus ? sink.addPlus(entry, { node: found, ...this.getattr(found), entryValidMs: 0 }) : sink.add(entry))) return;
    }
  }

  #names(node: NodeId): string[] {
    if (node === rootNodeId) return Object.keys(nodes);
    if (node === nodes.many) return Array.from({ length: manyFiles }, (_, i) => `file-${i}`);
    return readdirSync(this.#made).sort();
  }

  #find(parent: NodeId, name: string): NodeId | undefined {
    if (parent === rootNodeId) return nodes[name as keyof typeof nodes];
    if (parent === nodes.many) {
      const index = Number(/^file-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
      return index < manyFiles ? manyBase + index : undefined;
    }
    const made = madeName.exec(name);
    return made && existsSync(path.join(this.#made, name)) ? madeBase + Number(made[1]) : undefined;
  }

  #attributes(node: NodeId): Attributes {
    const directory = node === rootNodeId || node === nodes.many || node === nodes.made;
    const size = node === nodes.data ? dataSize : node === nodes.out ? statSync(this.#outPath).size : node >= madeBase || directory ? 0 : manySize;
    const mode = directory ? FileType.directory | 0o777 : FileType.regular | 0o666;
    return { ino: node, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blocks: 0, blksize: 4096, atimeMs: 0, mtimeMs: 0, ctimeMs: 0 };
  }
}
