// What the kernel holds on to, written down as it happens where it outlives this process: what is open, the bytes of small files that are
// being written, and the directories that the kernel knows. Whoever goes on after a crash gives it all its numbers back. Without
// the directories, a process that works in one, or a container that sees only one (subPath), could never find its way again: ESTALE
// has no path to walk there.
import type { Handle, NodeId } from "../fuse/file-system.ts";
import type { DirectoryNode, MountState, Node, Version } from "./state.ts";

interface Entry {
  readonly handle: Handle;
  readonly node: NodeId;
  /** Of a directory it ends in "/", or is empty. */
  readonly key: string;
  /** By which it was opened. When the kernel never heard the answer, it asks again by the same number. */
  readonly request: number;
}

export interface OpenEntry extends Entry {
  /** Undefined for a directory. */
  readonly version?: Version | undefined;
  /** The kernel goes on reading it by itself. */
  readonly readByKernel?: boolean;
}

export interface WritingEntry extends Entry {
  readonly opener?: number | undefined;
  /** It is in S3 as this; only the last close has not come yet. */
  readonly version?: Version | undefined;
}

export interface DirectoryEntry {
  readonly node: NodeId;
  readonly key: string;
  /** Made by mkdir and not yet in S3 when it was recorded. */
  readonly local: boolean;
}

/** Everything is recorded before the kernel hears of it. */
export interface CrashRecord {
  opened(entry: OpenEntry): void;
  /** A file that is written from its beginning. The record may give it up at any time, and does so when it is too large for it. */
  writing(entry: WritingEntry): void;
  wrote(handle: Handle, offset: number, data: Uint8Array): void;
  completed(handle: Handle, version: Version | undefined): void;
  /** An open file or directory, or the end of one that was being written and has failed. */
  closed(handle: Handle): void;
  /** Nothing happens when it is there already. */
  known(entry: DirectoryEntry): void;
  forgotten(node: NodeId): void;
}

export interface Recorded {
  readonly open: readonly OpenEntry[];
  readonly writing: readonly (WritingEntry & { readonly content: Uint8Array })[];
  readonly directories: readonly DirectoryEntry[];
}

export const nothingRecorded: Recorded = { open: [], writing: [], directories: [] };

/** Gives nodes their numbers back. How often the kernel has looked them up is not known; it gives all of that back at once. Directories
 *  on the way that are not recorded get new numbers: those that the kernel has are stale, and it asks anew. */
export function restoreNodesOf(state: MountState, { open, writing, directories }: Recorded): void {
  for (const { node, key, local } of [...directories].sort((a, b) => a.key.length - b.key.length || a.node - b.node)) {
    const place = placeOf(state, node, key.slice(0, -1));
    if (place) state.addDirectory(place.parent, place.name, local, node).lookups = 1;
  }
  const files = [...open.filter(({ version }) => version), ...writing];
  for (const entry of files.sort((a, b) => a.node - b.node)) {
    const place = placeOf(state, entry.node, entry.key);
    if (!place) continue;
    const before = place.parent.children.get(place.name);
    state.addFile(place.parent, place.name, entry.version, entry.node).lookups = 1;
    if ("readByKernel" in entry && entry.readByKernel) unlink(place.parent, place.name, before);
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
