// A mount written down: everything the kernel holds numbers of, as plain data (structured clone can carry it), so that
// another process can go on where this one stopped. Nothing in it is needed for correctness of the bucket itself.
import type { Handle, NodeId } from "../fuse/file-system.ts";
import type { MultipartUpload, UploadedPart } from "../s3/object-store.ts";
import { isReadByKernel } from "./reads/reader.ts";
import type { DirectoryNode, FileNode, MountState, Node, Version } from "./state.ts";

export interface MountRecord {
  readonly format: 1;
  readonly mountTimeMs: number;
  readonly nextNode: number;
  readonly nextHandle: number;
  /** Parents stand before their children. */
  readonly nodes: readonly NodeRecord[];
  readonly readers: readonly ReaderRecord[];
  readonly writers: readonly WriterRecord[];
  readonly directories: readonly { readonly handle: Handle; readonly node: NodeId }[];
}

export interface NodeRecord {
  readonly id: NodeId;
  readonly parent: NodeId;
  readonly name: string;
  readonly kind: Node["kind"];
  readonly lookups: number;
  /** It is what its name means; others are only known by number. */
  readonly attached: boolean;
  readonly version?: Version | undefined;
  readonly local?: { readonly size: number; readonly atimeMs: number; readonly mtimeMs: number } | boolean | undefined;
}

export interface ReaderRecord {
  readonly handle: Handle;
  readonly node: NodeId;
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly active: boolean;
  /** The kernel goes on reading it by itself. */
  readonly readByKernel?: boolean;
}

export interface WriterRecord {
  readonly handle: Handle;
  readonly node: NodeId;
  readonly opener: number | undefined;
  readonly written: boolean;
  /** "open" goes on; the others only remember what later calls are told. */
  readonly state: "open" | "completed" | "failed";
  readonly upload?: UploadRecord | undefined;
}

export interface UploadRecord {
  readonly kind: "upload" | "append";
  readonly multipart: MultipartUpload | undefined;
  readonly parts: readonly UploadedPart[];
  /** Bytes that were written and not yet sent. */
  readonly tail: readonly Uint8Array[];
  /** For "append": what the object is up to now. */
  readonly base?: { readonly etag: string; readonly size: number } | undefined;
}

export function recordNodes(state: MountState): NodeRecord[] {
  const records: NodeRecord[] = [];
  const seen = new Set<Node>([state.root]);
  const visit = (node: Node) => {
    if (seen.has(node)) return;
    seen.add(node);
    const parent = node.parent as DirectoryNode;
    visit(parent);
    const local =
      node.kind === "directory"
        ? node.local
        : node.local && { size: node.local.size, atimeMs: node.local.atimeMs, mtimeMs: node.local.mtimeMs };
    records.push({
      id: node.id,
      parent: parent.id,
      name: node.name,
      kind: node.kind,
      lookups: node.lookups,
      // A new registration of what the kernel reads by itself would be refused, and so would any other way: whoever opens it
      // next gets a new node.
      attached: parent.children.get(node.name) === node && !(node.kind === "file" && isReadByKernel(node)),
      ...(node.kind === "file" ? { version: node.version } : {}),
      local,
    });
  };
  for (const node of state.nodes.values()) visit(node);
  return records;
}

/** Before anything else happens to the state. */
export function restoreNodes(state: MountState, record: MountRecord): void {
  state.advance(record.nextNode, record.nextHandle);
  for (const { id, parent, name, kind, lookups, attached, version, local } of record.nodes) {
    const directory = state.nodes.get(parent);
    if (directory?.kind !== "directory") continue;
    const current = directory.children.get(name);
    const node: Node =
      kind === "directory" ? state.addDirectory(directory, name, local === true, id) : state.addFile(directory, name, version, id);
    node.lookups = lookups;
    if (node.kind === "file" && typeof local === "object") (node as FileNode).local = { ...local, writer: undefined };
    if (attached) continue;
    if (current) directory.children.set(name, current);
    else directory.children.delete(name);
  }
}
