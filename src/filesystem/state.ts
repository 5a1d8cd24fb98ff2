// Everything of a mount that the kernel holds numbers of: nodes with their lookup counts, open files and open directories.
// It is kept in this one place and can be written down (exportState) so that another process can go on with it.
import type { DriverError } from "../core/errors.ts";
import type { Handle, NodeId } from "../fuse/file-system.ts";
import { rootNodeId } from "../fuse/file-system.ts";
import type { ObjectStat } from "../s3/object-store.ts";
import type { CrashRecord } from "./crash-record.ts";
import { DirectoryIndex } from "./directory-index.ts";
import type { OpenDirectory } from "./directories.ts";
import { notFound, stale } from "./errors.ts";
import type { Reader } from "./reads/reader.ts";
import type { Writer } from "./writes/writer.ts";

/** One version of an object, as listings show it. */
export type Version = Pick<ObjectStat, "etag" | "size" | "lastModifiedMs" | "storageClass" | "restored">;

interface NodeBase {
  readonly id: NodeId;
  /** Undefined for the root only. A node that was replaced keeps its parent but is no longer among its children. */
  parent: DirectoryNode | undefined;
  name: string;
  /** What the kernel will give back by FORGET. */
  lookups: number;
  /** Until when what we know of it may be believed without asking S3. */
  validUntilMs: number;
  /** Order of the S3 request that what we know stems from; older answers are not applied. */
  knownSince: number;
}

export interface FileNode extends NodeBase {
  readonly kind: "file";
  key: string;
  /** The version in S3; undefined while there is none. */
  version: Version | undefined;
  /** Set while the file exists here and not (or not in this form) in S3. */
  local: LocalFile | undefined;
  readers: Set<Reader>;
  renaming: boolean;
  /** It was opened before, so the kernel may hold its content. */
  pagesKnown: boolean;
  /** Somebody opens it in a way that the kernel does not allow beside reading by itself. */
  onlyThroughUs: boolean;
}

export interface LocalFile {
  /** Undefined between MKNOD and the first OPEN. */
  writer: Writer | undefined;
  size: number;
  atimeMs: number;
  mtimeMs: number;
}

export interface DirectoryNode extends NodeBase {
  readonly kind: "directory";
  /** Ends in "/", or is empty. */
  key: string;
  /** Made by mkdir and not yet in S3. */
  local: boolean;
  /** The removed local directory takes no more children. */
  removed: boolean;
  readonly children: Map<string, Node>;
  readonly index: DirectoryIndex;
}

export type Node = FileNode | DirectoryNode;

export class MountState {
  readonly root: DirectoryNode;
  readonly nodes = new Map<NodeId, Node>();
  readonly readers = new Map<Handle, Reader>();
  readonly writers = new Map<Handle, Writer>();
  readonly directories = new Map<Handle, OpenDirectory>();
  #nextNode = rootNodeId + 1;
  #nextHandle = 1;
  #order = 0;
  #predecessorDied = false;
  readonly #record: CrashRecord | undefined;

  /** @param record where it is kept what the kernel holds on to, for whoever goes on after a crash */
  constructor(prefix: string, record: CrashRecord | undefined) {
    this.#record = record;
    this.root = this.#directory(rootNodeId, undefined, "", prefix, false);
    this.root.lookups = 1;
    this.nodes.set(rootNodeId, this.root);
  }

  /** Numbers S3 requests and local changes, so that it can be said which came first. */
  nextOrder(): number {
    return ++this.#order;
  }

  reserveNodeId(): NodeId {
    return this.#nextNode++;
  }

  reserveHandle(): Handle {
    return this.#nextHandle++;
  }

  addDirectory(parent: DirectoryNode, name: string, local: boolean, id = this.reserveNodeId()): DirectoryNode {
    return this.attach(this.#directory(id, parent, name, `${parent.key}${name}/`, local));
  }

  addFile(parent: DirectoryNode, name: string, version: Version | undefined, id = this.reserveNodeId()): FileNode {
    const key = parent.key + name;
    return this.attach({
      kind: "file",
      id,
      parent,
      name,
      key,
      lookups: 0,
      validUntilMs: 0,
      knownSince: 0,
      version,
      local: undefined,
      readers: new Set(),
      renaming: false,
      pagesKnown: false,
      onlyThroughUs: false,
    });
  }

  attach<T extends Node>(node: T): T {
    const parent = node.parent as DirectoryNode;
    const old = parent.children.get(node.name);
    parent.children.set(node.name, node);
    this.nodes.set(node.id, node);
    if (old && old !== node) this.collect(old);
    return node;
  }

  /** The kernel learns of it, and will give that back by FORGET. */
  handedOut(node: Node): void {
    node.lookups++;
    this.record(node);
  }

  record(node: Node): void {
    if (node.kind === "directory" && node !== this.root) this.#record?.known({ node: node.id, key: node.key, local: node.local });
  }

  /** The local directory is no more, whoever still knows its number. */
  removed(node: DirectoryNode): void {
    node.removed = true;
    this.#record?.forgotten(node.id);
    this.detach(node);
  }

  /** The name no longer means this node. The kernel may still know its number. */
  detach(node: Node): void {
    if (node.parent?.children.get(node.name) === node) {
      node.parent.children.delete(node.name);
      this.collect(node.parent);
    }
    this.collect(node);
  }

  /** Is it what its path leads to? */
  isAttached(node: Node): boolean {
    for (let n: Node = node; n.parent; n = n.parent) if (n.parent.children.get(n.name) !== n) return false;
    return true;
  }

  forget(id: NodeId, count: number): void {
    const node = this.nodes.get(id);
    if (!node || node === this.root) return;
    node.lookups = Math.max(0, node.lookups - count);
    this.collect(node);
  }

  /** Drops a node that neither the kernel nor anything here needs. A file that is being written must not be lost by it. */
  collect(node: Node): void {
    if (node.lookups > 0 || node === this.root || !this.nodes.has(node.id)) return;
    if (node.kind === "file" && (node.readers.size > 0 || (node.local && (node.local.writer || this.isAttached(node))))) return;
    if (node.kind === "directory" && (node.children.size > 0 || (node.local && !node.removed && this.isAttached(node)))) return;
    this.nodes.delete(node.id);
    if (node.kind === "directory") this.#record?.forgotten(node.id);
    const parent = node.parent as DirectoryNode;
    if (parent.children.get(node.name) !== node) return;
    parent.children.delete(node.name);
    this.collect(parent);
  }

  /** For a number that the kernel names and we do not know. When it may be one of a process that died, ESTALE makes the kernel walk the
   *  path again; ENOENT would be a lie. */
  unknownNode(id: NodeId): DriverError {
    const message = `node ${id} is unknown`;
    return this.#predecessorDied ? stale(message) : notFound(message);
  }

  /** The kernel may name nodes and handles that a process gave out which died without a record. Were one of these numbers given
   *  out again, another file's content would be taken for its. So every such process begins in a range of its own: milliseconds
   *  since 2020 in the upper bits, 4096 numbers for each of them in the lower, which is more than can be given out in one. */
  avoidNumbersOfTheDead(nowMs: number): void {
    this.#predecessorDied = true;
    const first = Math.floor(nowMs - Date.UTC(2020)) * 2 ** 12;
    this.advance(first, first);
  }

  /** For restore: ids go on behind those that are in use. */
  advance(nextNode: number, nextHandle: number): void {
    this.#nextNode = Math.max(this.#nextNode, nextNode);
    this.#nextHandle = Math.max(this.#nextHandle, nextHandle);
  }

  get counters(): { readonly nextNode: number; readonly nextHandle: number } {
    return { nextNode: this.#nextNode, nextHandle: this.#nextHandle };
  }

  #directory(id: NodeId, parent: DirectoryNode | undefined, name: string, key: string, local: boolean): DirectoryNode {
    return {
      kind: "directory",
      id,
      parent,
      name,
      key,
      local,
      lookups: 0,
      validUntilMs: 0,
      knownSince: 0,
      removed: false,
      children: new Map(),
      index: new DirectoryIndex(),
    };
  }
}
