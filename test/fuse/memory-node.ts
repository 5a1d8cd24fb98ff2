// What the in-memory file system keeps of a file, directory, link or device.
import { DriverError } from "../../src/core/errors.ts";
import { type Attributes, type Entry, FileType, fileTypeMask, type NodeId } from "../../src/fuse/file-system.ts";
import { MemoryContent } from "./memory-content.ts";

export class MemoryNode {
  readonly id: NodeId;
  mode: number;
  uid: number;
  gid: number;
  rdev = 0;
  nlink = 1;
  atimeMs: number;
  mtimeMs: number;
  ctimeMs: number;
  /** How often the kernel knows it. */
  lookups = 0;
  opens = 0;
  target = "";
  readonly content = new MemoryContent();
  readonly xattrs = new Map<string, Uint8Array>();
  readonly children = new Map<string, MemoryNode>();
  parent: MemoryNode | undefined;

  constructor(id: NodeId, mode: number, uid: number, gid: number) {
    this.id = id;
    this.mode = mode;
    this.uid = uid;
    this.gid = gid;
    this.atimeMs = this.mtimeMs = this.ctimeMs = now();
  }

  get type(): number {
    return this.mode & fileTypeMask;
  }

  get isDirectory(): boolean {
    return this.type === FileType.directory;
  }

  touch(): void {
    this.mtimeMs = this.ctimeMs = now();
  }

  attributes(): Attributes {
    const { mode, nlink, uid, gid, rdev, atimeMs, mtimeMs, ctimeMs } = this;
    const size = this.type === FileType.symlink ? Buffer.byteLength(this.target) : this.isDirectory ? 4096 : this.content.size;
    return { ino: this.id, mode, nlink, uid, gid, rdev, size, blocks: this.content.blocks, blksize: 4096, atimeMs, mtimeMs, ctimeMs };
  }

  entry(validMs: number): Entry {
    return { node: this.id, attributes: this.attributes(), validMs, entryValidMs: validMs };
  }

  child(name: string): MemoryNode {
    const found = this.directory().children.get(name);
    if (!found) throw new DriverError("NotFound", "no such name");
    return found;
  }

  directory(): this {
    if (!this.isDirectory) throw new DriverError("NotDirectory", "not a directory");
    return this;
  }
}

/** Milliseconds with a fraction: two changes in a row must differ. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
