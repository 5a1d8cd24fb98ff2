// What is open for reading, written down as it happens where it outlives this process, so that whoever goes on after a crash can
// go on reading it. A file that is being written cannot be gone on with: what was not yet sent died with its writer.
import type { Handle, NodeId } from "../fuse/file-system.ts";
import type { DirectoryNode, MountState, Node, Version } from "./state.ts";

export interface OpenEntry {
  readonly handle: Handle;
  readonly node: NodeId;
  /** Of a directory it ends in "/", or is empty. */
  readonly key: string;
  /** Undefined for a directory. */
  readonly version?: Version | undefined;
  /** The kernel goes on reading it by itself. */
  readonly readByKernel?: boolean;
}

export interface OpenRecord {
  /** Before the kernel learns of the handle. */
  put(entry: OpenEntry): void;
  remove(handle: Handle): void;
}

/** Gives what was open its nodes back, under the numbers that the kernel has. How often it has looked them up is not known; it gives
 *  all of that back at once. Directories on the way get new numbers: those that the kernel has are stale, and it asks anew. */
export function restoreOpenNodes(state: MountState, entries: readonly OpenEntry[]): void {
  for (const entry of [...entries].sort((a, b) => Number(isFile(a)) - Number(isFile(b)) || a.key.length - b.key.length || a.node - b.node)) {
    if (state.nodes.has(entry.node) || !entry.key.startsWith(state.root.key)) continue;
    const names = entry.key.slice(state.root.key.length).split("/");
    if (!isFile(entry)) names.pop();
    const name = names.pop();
    if (name === undefined || name === "") continue;
    const parent = names.reduce((directory, step) => child(state, directory, step), state.root);
    const before = parent.children.get(name);
    const node: Node = isFile(entry) ? state.addFile(parent, name, entry.version, entry.node) : state.addDirectory(parent, name, false, entry.node);
    node.lookups = 1;
    // As after a hand-over: whoever opens it next gets a new node.
    if (!entry.readByKernel) continue;
    if (before) parent.children.set(name, before);
    else parent.children.delete(name);
  }
}

function isFile(entry: OpenEntry): boolean {
  return entry.version !== undefined;
}

function child(state: MountState, directory: DirectoryNode, name: string): DirectoryNode {
  const known = directory.children.get(name);
  return known?.kind === "directory" ? known : state.addDirectory(directory, name, false);
}
