// Requests about nodes and names: LOOKUP, attributes, links, making, removing and renaming.
import { decodeAccessIn, decodeGetattrIn, decodeLinkIn, decodeMkdirIn, decodeMknodIn, decodeRename2In, decodeRenameIn, decodeSetattrIn, GetAttrFlag, Opcode, SetAttrFlag, type SetattrIn, structSize } from "../../../generated/fuse/kernel.ts";
import { Errno } from "../../core/errno.ts";
import type { Operation } from "../dispatcher.ts";
import type { SetAttributes } from "../file-system.ts";
import { attributesReply, emptyReply, entryReply, statFsReply, textReply } from "../replies.ts";
import { nameAfter, nameAndText, safeOffset, twoNamesAfter } from "./arguments.ts";

export const nodeOperations: readonly (readonly [number, Operation])[] = [
  [Opcode.LOOKUP, (d, r) => {
    if (!d.fileSystem.lookup) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.lookup(r.node, nameAfter(r, 0), r), entryReply);
  }],
  [Opcode.GETATTR, (d, r) => {
    if (!d.fileSystem.getattr) return d.fail(r, Errno.ENOSYS);
    const { getattrFlags, fh } = decodeGetattrIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.getattr(r.node, getattrFlags & GetAttrFlag.FH ? fh : undefined, r), attributesReply);
  }],
  [Opcode.SETATTR, (d, r) => {
    if (!d.fileSystem.setattr) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.setattr(r.node, changesOf(decodeSetattrIn(r.words, r.bodyAt)), r), attributesReply);
  }],
  [Opcode.ACCESS, (d, r) => {
    if (!d.fileSystem.access) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.access(r.node, decodeAccessIn(r.words, r.bodyAt).mask, r), emptyReply);
  }],
  [Opcode.READLINK, (d, r) => {
    if (!d.fileSystem.readlink) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.readlink(r.node, r), textReply);
  }],
  [Opcode.SYMLINK, (d, r) => {
    if (!d.fileSystem.symlink) return d.fail(r, Errno.ENOSYS);
    const [name, target] = nameAndText(r, 0);
    d.complete(r, d.fileSystem.symlink(r.node, name, target, r), entryReply);
  }],
  [Opcode.LINK, (d, r) => {
    if (!d.fileSystem.link) return d.fail(r, Errno.ENOSYS);
    const { oldnodeid } = decodeLinkIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.link(oldnodeid, r.node, nameAfter(r, structSize.linkIn), r), entryReply);
  }],
  [Opcode.MKNOD, (d, r) => {
    if (!d.fileSystem.mknod) return d.fail(r, Errno.ENOSYS);
    const { mode, rdev, umask } = decodeMknodIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.mknod(r.node, nameAfter(r, structSize.mknodIn), mode, rdev, umask, r), entryReply);
  }],
  [Opcode.MKDIR, (d, r) => {
    if (!d.fileSystem.mkdir) return d.fail(r, Errno.ENOSYS);
    const { mode, umask } = decodeMkdirIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.mkdir(r.node, nameAfter(r, structSize.mkdirIn), mode, umask, r), entryReply);
  }],
  [Opcode.UNLINK, (d, r) => {
    if (!d.fileSystem.unlink) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.unlink(r.node, nameAfter(r, 0), r), emptyReply);
  }],
  [Opcode.RMDIR, (d, r) => {
    if (!d.fileSystem.rmdir) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.rmdir(r.node, nameAfter(r, 0), r), emptyReply);
  }],
  [Opcode.RENAME, (d, r) => {
    if (!d.fileSystem.rename) return d.fail(r, Errno.ENOSYS);
    const { newdir } = decodeRenameIn(r.words, r.bodyAt);
    const [from, to] = twoNamesAfter(r, structSize.renameIn);
    d.complete(r, d.fileSystem.rename(r.node, from, newdir, to, 0, r), emptyReply);
  }],
  [Opcode.RENAME2, (d, r) => {
    if (!d.fileSystem.rename) return d.fail(r, Errno.ENOSYS);
    const { newdir, flags } = decodeRename2In(r.words, r.bodyAt);
    const [from, to] = twoNamesAfter(r, structSize.rename2In);
    d.complete(r, d.fileSystem.rename(r.node, from, newdir, to, flags, r), emptyReply);
  }],
  [Opcode.STATFS, (d, r) => {
    if (!d.fileSystem.statfs) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.statfs(r.node, r), statFsReply);
  }],
];

function changesOf(s: SetattrIn): SetAttributes {
  const { valid } = s;
  return {
    ...(valid & SetAttrFlag.MODE && { mode: s.mode }),
    ...(valid & SetAttrFlag.UID && { uid: s.uid }),
    ...(valid & SetAttrFlag.GID && { gid: s.gid }),
    ...(valid & SetAttrFlag.SIZE && { size: safeOffset(s.size) }),
    ...(valid & SetAttrFlag.ATIME && { atimeMs: valid & SetAttrFlag.ATIME_NOW ? ("now" as const) : milliseconds(s.atime, s.atimensec) }),
    ...(valid & SetAttrFlag.MTIME && { mtimeMs: valid & SetAttrFlag.MTIME_NOW ? ("now" as const) : milliseconds(s.mtime, s.mtimensec) }),
    ...(valid & SetAttrFlag.CTIME && { ctimeMs: milliseconds(s.ctime, s.ctimensec) }),
    ...(valid & SetAttrFlag.FH && { handle: s.fh }),
  };
}

function milliseconds(seconds: number, nanoseconds: number): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
