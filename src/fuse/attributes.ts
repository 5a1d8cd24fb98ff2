// Attributes of the FileSystem interface as the kernel's structs.
import { type Attr, encodeAttrOut, encodeEntryOut } from "../../generated/fuse/kernel.ts";
import type { Attributes, AttributesReply, Entry } from "./file-system.ts";

export function writeAttrOut(words: Uint32Array, at: number, reply: AttributesReply): void {
  const { validMs } = reply;
  encodeAttrOut(words, at, { attrValid: seconds(validMs), attrValidNsec: nanoseconds(validMs), attr: toAttr(reply.attributes) });
}

export function writeEntryOut(words: Uint32Array, at: number, entry: Entry): void {
  const { validMs, entryValidMs } = entry;
  encodeEntryOut(words, at, {
    nodeid: entry.node,
    generation: entry.generation ?? 0,
    entryValid: seconds(entryValidMs),
    attrValid: seconds(validMs),
    entryValidNsec: nanoseconds(entryValidMs),
    attrValidNsec: nanoseconds(validMs),
    attr: toAttr(entry.attributes),
  });
}

function toAttr(a: Attributes): Attr {
  return {
    ino: a.ino,
    size: a.size,
    blocks: a.blocks,
    atime: Math.floor(a.atimeMs / 1000),
    mtime: Math.floor(a.mtimeMs / 1000),
    ctime: Math.floor(a.ctimeMs / 1000),
    atimensec: nanoseconds(a.atimeMs),
    mtimensec: nanoseconds(a.mtimeMs),
    ctimensec: nanoseconds(a.ctimeMs),
    mode: a.mode,
    nlink: a.nlink,
    uid: a.uid,
    gid: a.gid,
    rdev: a.rdev,
    blksize: a.blksize,
    flags: 0,
  };
}

/** The kernel adds this to its clock in jiffies; "for ever" must not overflow there. */
const maxValidSeconds = 0x7fff_ffff;

function seconds(validMs: number): number {
  return Math.min(Math.floor(validMs / 1000), maxValidSeconds);
}

function nanoseconds(ms: number): number {
  const rest = ms % 1000;
  return Math.min(Math.round((rest < 0 ? rest + 1000 : rest) * 1e6), 999_999_999) || 0;
}
