// What the kernel holds on to, written down as it happens where it outlives this process: what is open for reading, and the directories
// that the kernel knows. Whoever goes on after a crash gives it all its numbers back. Without the directories, a process that
// works in one, or a container that sees only one (subPath), could never find its way again: ESTALE has no path to walk there.
//
// A file that is being written cannot be gone on with: what was not yet sent died with its writer.
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

export interface DirectoryEntry {
  readonly node: NodeId;
  readonly key: string;
  /** Made by mkdir and not yet in S3 when it was recorded. */
  readonly local: boolean;
}

export interface CrashRecord {
  /** Before the kernel learns of the handle. */
  opened(entry: OpenEntry): void;
  closed(handle: Handle): void;
  /** Nothing happens when it is there already. */
  known(entry: DirectoryEntry): void;
  forgotten(node: NodeId): void;
}

export interface Recorded {
  readonly open: readonly OpenEntry[];
  readonly directories: readonly DirectoryEntry[];
}

/** Gives nodes their numbers back. How often the kernel has looked them up is not known; it gives all of that back at once. Directories
 *  on the way that are not recorded get new numbers: those that the kernel has are stale, and it asks anew. */
export function restoreRecorded(state: MountState, { open, directories }: Recorded): void {
  for (const { node, key, local } of [...directories].sort((a, b) => a.key.length - b.key.length || a.node - b.node)) {
    const place = placeOf(state, node, key.slice(0, -1));
    if (place) state.addDirectory(place.parent, place.name, local, node).lookups = 1;
  }
  for (const { node, key, version, readByKernel } of [...open].sort((a, b) => a.node - b.node)) {
    const place = version && placeOf(state, node, key);
    if (!place) continue;
    const before = place.parent.children.get(place.name);
    state.addFile(place.parent, place.name, version, node).lookups = 1;
    if (readByKernel) unlink(place.parent, place.name, before);
  }
}

function placeOf(state: MountState, node: NodeId, key: string): { readonly parent: DirectoryNode; readonly name: string } | undefined {
  if (state.nodes.has(node) || !key.startsWith(state.root.key)) return undefined;
  const names = key.slice(state.root.key.length).split("/");
  const name = names.pop();
  if (!name) return undefined;
  return { parent: names.reduce((directory, step) => child(state, directory, step), state.root), name };
}

function child(state: MountState, directory: DirectoryNode, name: string): DirectoryNode {
  const known = directory.children.get(name);
  return known?.kind === "directory" ? known : state.addDirectory(directory, name, false);
}

/** As after a hand-over: whoever opens it next gets a new node. */
function unlink(parent: DirectoryNode, name: string, before: Node | undefined): void {
  if (before) parent.children.set(name, before);
  else parent.children.delete(name);
}
