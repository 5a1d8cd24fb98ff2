// A complete file system in memory: files, directories, links, devices, xattrs, random writes, holes. It exists to prove the
// transport, so it does everything the FileSystem interface has and leaves permission checks to the kernel.
import { Errno } from "../../src/core/errno.ts";
import { DriverError } from "../../src/core/errors.ts";
import {
  type AttributesReply, type Caller, type DirectorySink, type Entry, type FileSystem, FileType, type Forget, type Handle, type NodeId, type OpenReply,
  type ReadReply, rootNodeId, type SetAttributes, type StatFs,
} from "../../src/fuse/file-system.ts";
import { MemoryLocks } from "./memory-locks.ts";
import { MemoryNode, now } from "./memory-node.ts";

export interface MemoryOptions {
  readonly validMs?: number;
  readonly open?: Partial<OpenReply>;
  readonly capabilities?: readonly string[];
}

const maxName = 255;
const sgid = 0o2000;

export class MemoryFileSystem extends MemoryLocks implements FileSystem {
  readonly wantedCapabilities: readonly string[];
  readonly nodes = new Map<NodeId, MemoryNode>();
  readonly #validMs: number;
  readonly #open: Partial<OpenReply>;
  #nextNode = 2;
  #nextHandle = 1;
  /** A directory's names as they were when it was opened: offsets stay valid while it changes. */
  readonly #listings = new Map<Handle, [string, MemoryNode][]>();
  destroyed = 0;

  constructor(options: MemoryOptions = {}) {
    super();
    this.#validMs = options.validMs ?? 1000;
    this.#open = options.open ?? {};
    this.wantedCapabilities = options.capabilities ?? ["DO_READDIRPLUS", "READDIRPLUS_AUTO", "ATOMIC_O_TRUNC", "CACHE_SYMLINKS"];
    const root = new MemoryNode(rootNodeId, FileType.directory | 0o777, 0, 0);
    root.nlink = 2;
    this.nodes.set(rootNodeId, root);
  }

  destroy(): void {
    this.destroyed++;
  }

  lookup(parent: NodeId, name: string): Entry {
    checkName(name);
    const found = this.#node(parent).directory().children.get(name);
    // A negative entry spares the kernel the question, and us an exception.
    if (!found) return { ...this.#node(rootNodeId).entry(0), node: 0, entryValidMs: 0 };
    return this.#handOut(found);
  }

  forget(forgotten: readonly Forget[]): void {
    for (const { node, count } of forgotten) {
      const found = this.nodes.get(node);
      if (!found) continue;
      found.lookups -= count;
      this.#collect(found);
    }
  }

  getattr(node: NodeId): AttributesReply {
    return { attributes: this.#node(node).attributes(), validMs: this.#validMs };
  }

  setattr(node: NodeId, changes: SetAttributes, caller: Caller): AttributesReply {
    const n = this.#node(node);
    const { mode, uid, gid, size, atimeMs, mtimeMs, ctimeMs } = changes;
    if (mode !== undefined) n.mode = n.type | (mode & 0o7777);
    if (uid !== undefined) n.uid = uid;
    if (gid !== undefined) n.gid = gid;
    if (size !== undefined && size !== n.content.size) n.content.resize(size);
    if (size !== undefined) n.mtimeMs = now();
    if (atimeMs !== undefined) n.atimeMs = atimeMs === "now" ? now() : atimeMs;
    if (mtimeMs !== undefined) n.mtimeMs = mtimeMs === "now" ? now() : mtimeMs;
    n.ctimeMs = ctimeMs ?? now();
    void caller;
    return this.getattr(node);
  }

  readlink(node: NodeId): string {
    return this.#node(node).target;
  }

  symlink(parent: NodeId, name: string, target: string, caller: Caller): Entry {
    const node = this.#make(parent, name, FileType.symlink | 0o777, caller);
    node.target = target;
    return this.#handOut(node);
  }

  link(node: NodeId, newParent: NodeId, newName: string): Entry {
    const linked = this.#node(node);
    this.#insert(this.#node(newParent).directory(), newName, linked);
    linked.nlink++;
    linked.ctimeMs = now();
    return this.#handOut(linked);
  }

  mknod(parent: NodeId, name: string, mode: number, rdev: number, umask: number, caller: Caller): Entry {
    const node = this.#make(parent, name, mode & ~umask, caller);
    node.rdev = rdev;
    return this.#handOut(node);
  }

  mkdir(parent: NodeId, name: string, mode: number, umask: number, caller: Caller): Entry {
    const above = this.#node(parent);
    const inherited = above.mode & sgid;
    const node = this.#make(parent, name, FileType.directory | (mode & ~umask & 0o7777) | inherited, caller);
    node.nlink = 2;
    node.parent = above;
    above.nlink++;
    return this.#handOut(node);
  }

  unlink(parent: NodeId, name: string): void {
    const above = this.#node(parent);
    const node = above.child(name);
    if (node.isDirectory) throw new DriverError("IsDirectory", "a directory");
    this.#remove(above, name, node);
  }

  rmdir(parent: NodeId, name: string): void {
    const above = this.#node(parent);
    const node = above.child(name).directory();
    if (node.children.size > 0) throw new DriverError("NotEmpty", "not empty");
    this.#remove(above, name, node);
  }

  rename(parent: NodeId, name: string, newParent: NodeId, newName: string, flags: number): void {
    if (flags & ~3) throw new DriverError("InvalidArgument", "RENAME_WHITEOUT");
    checkName(newName);
    const from = this.#node(parent);
    const to = this.#node(newParent).directory();
    const node = from.child(name);
    const other = to.children.get(newName);
    if (flags & 2) {
      if (!other) throw new DriverError("NotFound", "nothing to exchange with");
      from.children.set(name, other);
      if (other.isDirectory) this.#moved(other, from);
      other.ctimeMs = now();
    } else {
      if (other && flags & 1) throw new DriverError("AlreadyExists", "exists");
      if (other === node) return;
      if (other?.isDirectory && !node.isDirectory) throw new DriverError("IsDirectory", "a directory");
      if (other && !other.isDirectory && node.isDirectory) throw new DriverError("NotDirectory", "not a directory");
      if (other && other.children.size > 0) throw new DriverError("NotEmpty", "not empty");
      if (other) this.#remove(to, newName, other);
      from.children.delete(name);
    }
    to.children.set(newName, node);
    if (node.isDirectory) this.#moved(node, to);
    for (const changed of [from, to]) changed.touch();
    node.ctimeMs = now();
  }

  open(node: NodeId, flags: number): OpenReply {
    const n = this.#node(node);
    if (flags & 0o1000) {
      n.content.resize(0);
      n.touch();
    }
    n.opens++;
    return { handle: this.#nextHandle++, ...this.#open };
  }

  create(parent: NodeId, name: string, mode: number, _flags: number, umask: number, caller: Caller): { entry: Entry; open: OpenReply } {
    const node = this.#make(parent, name, FileType.regular | (mode & ~umask & 0o7777), caller);
    node.opens++;
    return { entry: this.#handOut(node), open: { handle: this.#nextHandle++, ...this.#open } };
  }

  read(node: NodeId, _handle: Handle, offset: number, size: number): ReadReply {
    return { chunks: this.#node(node).content.read(offset, size) };
  }

  write(node: NodeId, _handle: Handle, offset: number, data: Uint8Array): number {
    const n = this.#node(node);
    n.content.write(offset, data);
    n.touch();
    return data.length;
  }

  release(node: NodeId): void {
    const n = this.#node(node);
    n.opens--;
    this.#collect(n);
  }

  fsync(): void {}

  fallocate(node: NodeId, _handle: Handle, offset: number, length: number, mode: number): void {
    const { content } = this.#node(node);
    const keepSize = 1;
    const punchHole = 2;
    const zeroRange = 16;
    if (mode & ~(keepSize | punchHole | zeroRange)) throw new DriverError("NotSupported", "this mode of fallocate");
    if (mode & (punchHole | zeroRange)) content.zero(offset, length);
    if (!(mode & keepSize)) content.resize(Math.max(content.size, offset + length));
    this.#node(node).touch();
  }

  lseek(node: NodeId, _handle: Handle, offset: number, whence: number): number {
    const found = this.#node(node).content.seek(offset, whence === 4);
    if (found === undefined) throw new DriverError("InvalidArgument", "nothing there", { errno: Errno.ENXIO });
    return found;
  }

  copyFileRange(from: { node: NodeId; offset: number }, to: { node: NodeId; offset: number }, length: number): number {
    const target = this.#node(to.node);
    let copied = 0;
    for (const chunk of this.#node(from.node).content.read(from.offset, Math.min(length, 16 << 20)).map((c) => c.slice())) {
      target.content.write(to.offset + copied, chunk);
      copied += chunk.length;
    }
    target.touch();
    return copied;
  }

  opendir(node: NodeId): OpenReply {
    const n = this.#node(node).directory();
    const handle = this.#nextHandle++;
    this.#listings.set(handle, [[".", n], ["..", n.parent ?? n], ...n.children]);
    return { handle };
  }

  readdir(_node: NodeId, handle: Handle, offset: number, plus: boolean, sink: DirectorySink): void {
    const listing = this.#listings.get(handle) ?? [];
    for (let i = offset; i < listing.length; i++) {
      const [name, node] = listing[i] as [string, MemoryNode];
      const entry = { name, ino: node.id, type: node.type, nextOffset: i + 1 };
      if (!plus) {
        if (!sink.add(entry)) return;
        continue;
      }
      // Unlinked since the directory was opened: the kernel must not learn of it as a live name.
      const alive = name === "." || name === ".." || this.nodes.has(node.id);
      if (!sink.addPlus(entry, alive ? node.entry(this.#validMs) : { ...node.entry(0), node: 0 })) return;
      if (alive && name !== "." && name !== "..") node.lookups++;
    }
  }

  releasedir(_node: NodeId, handle: Handle): void {
    this.#listings.delete(handle);
  }

  fsyncdir(): void {}

  statfs(): StatFs {
    return { blocks: 1n << 30n, bfree: 1n << 29n, bavail: 1n << 29n, files: 1n << 20n, ffree: 1n << 19n, bsize: 4096, frsize: 4096, namelen: maxName };
  }

  setxattr(node: NodeId, name: string, data: Uint8Array, flags: number): void {
    const { xattrs } = this.#node(node);
    if (flags & 1 && xattrs.has(name)) throw new DriverError("AlreadyExists", "the attribute exists");
    if (flags & 2 && !xattrs.has(name)) throw new DriverError("NoAttribute", "no such attribute");
    xattrs.set(name, new Uint8Array(data));
    this.#node(node).ctimeMs = now();
  }

  getxattr(node: NodeId, name: string): Uint8Array {
    const value = this.#node(node).xattrs.get(name);
    if (!value) throw new DriverError("NoAttribute", "no such attribute");
    return value;
  }

  listxattr(node: NodeId): string[] {
    return [...this.#node(node).xattrs.keys()];
  }

  removexattr(node: NodeId, name: string): void {
    if (!this.#node(node).xattrs.delete(name)) throw new DriverError("NoAttribute", "no such attribute");
  }

  #node(id: NodeId): MemoryNode {
    const node = this.nodes.get(id);
    if (!node) throw new DriverError("Stale", `node ${id} does not exist`);
    return node;
  }

  #make(parent: NodeId, name: string, mode: number, caller: Caller): MemoryNode {
    const above = this.#node(parent).directory();
    const node = new MemoryNode(this.#nextNode++, mode, caller.uid, above.mode & sgid ? above.gid : caller.gid);
    this.#insert(above, name, node);
    this.nodes.set(node.id, node);
    return node;
  }

  #insert(above: MemoryNode, name: string, node: MemoryNode): void {
    checkName(name);
    if (above.children.has(name)) throw new DriverError("AlreadyExists", "exists");
    above.children.set(name, node);
    above.touch();
  }

  #remove(above: MemoryNode, name: string, node: MemoryNode): void {
    above.children.delete(name);
    above.touch();
    node.nlink -= node.isDirectory ? 2 : 1;
    if (node.isDirectory) above.nlink--;
    node.ctimeMs = now();
    this.#collect(node);
  }

  #moved(directory: MemoryNode, to: MemoryNode): void {
    if (directory.parent) directory.parent.nlink--;
    to.nlink++;
    directory.parent = to;
  }

  #handOut(node: MemoryNode): Entry {
    node.lookups++;
    return node.entry(this.#validMs);
  }

  #collect(node: MemoryNode): void {
    if (node.nlink <= 0 && node.lookups <= 0 && node.opens <= 0) this.nodes.delete(node.id);
  }
}

function checkName(name: string): void {
  if (Buffer.byteLength(name) > maxName) throw new DriverError("NameTooLong", "the name is too long");
}
