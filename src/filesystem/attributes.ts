// What stat() and statfs() show.
import { type Attributes, type AttributesReply, type Entry, FileType, type StatFs } from "../fuse/file-system.ts";
import { maxNameBytes } from "./names.ts";
import type { FileNode, Node, Version } from "./state.ts";
import type { Volume } from "./volume.ts";

export function attributesOf(volume: Volume, node: Node): Attributes {
  const { uid, gid, directoryMode } = volume.options;
  if (node.kind === "directory") {
    const ms = volume.mountTimeMs;
    return {
      ino: node.id,
      mode: FileType.directory | directoryMode,
      nlink: 2,
      uid,
      gid,
      rdev: 0,
      size: 0,
      blocks: 0,
      blksize: 4096,
      atimeMs: ms,
      mtimeMs: ms,
      ctimeMs: ms,
    };
  }
  const { local, version } = node;
  const size = local?.size ?? version?.size ?? 0;
  const mtimeMs = local?.mtimeMs ?? version?.lastModifiedMs ?? volume.mountTimeMs;
  return {
    ino: node.id,
    mode: FileType.regular | fileMode(volume, node),
    nlink: 1,
    uid,
    gid,
    rdev: 0,
    size,
    blocks: Math.ceil(size / 512),
    blksize: 4096,
    atimeMs: local?.atimeMs ?? mtimeMs,
    mtimeMs,
    ctimeMs: mtimeMs,
  };
}

export function attributesReply(volume: Volume, node: Node): AttributesReply {
  return { attributes: attributesOf(volume, node), validMs: attributesValidMs(volume, node) };
}

/** An entry that is handed to the kernel; whoever sends it counts the lookup. */
export function entryOf(volume: Volume, node: Node): Entry {
  return {
    node: node.id,
    attributes: attributesOf(volume, node),
    validMs: attributesValidMs(volume, node),
    entryValidMs: Math.max(0, node.validUntilMs - volume.now()),
  };
}

/** An archived object can't be read before it is restored; its mode says so. */
export function isArchived(version: Version | undefined): boolean {
  return (version?.storageClass === "GLACIER" || version?.storageClass === "DEEP_ARCHIVE") && !version.restored;
}

function fileMode(volume: Volume, node: FileNode): number {
  return !node.local && isArchived(node.version) ? 0 : volume.options.fileMode;
}

/** A file that is being written changes with each write: nothing of it is kept. */
function attributesValidMs(volume: Volume, node: Node): number {
  if (node.kind === "file" && node.local) return 0;
  return node.parent ? Math.max(0, node.validUntilMs - volume.now()) : volume.options.positiveMs;
}

const plenty = (2n ** 64n - 1n) / 1024n;

/** S3 has no end: df shows eight exbibytes, all free. */
export const statFs: StatFs = {
  blocks: plenty,
  bfree: plenty,
  bavail: plenty,
  files: plenty,
  ffree: plenty,
  bsize: 512,
  frsize: 0,
  namelen: maxNameBytes,
};
