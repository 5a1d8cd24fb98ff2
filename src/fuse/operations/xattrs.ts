// Requests about extended attributes.
import { decodeGetxattrIn, decodeSetxattrIn, Opcode, structSize } from "../../../generated/fuse/kernel.ts";
import { Errno } from "../../core/errno.ts";
import type { Operation } from "../dispatcher.ts";
import { emptyReply, xattrReply } from "../replies.ts";
import { textAfter } from "./arguments.ts";

export const xattrOperations: readonly (readonly [number, Operation])[] = [
  [Opcode.SETXATTR, (d, r) => {
    if (!d.fileSystem.setxattr) return d.fail(r, Errno.ENOSYS);
    const { size, flags } = decodeSetxattrIn(r.words, r.bodyAt);
    const [name, at] = textAfter(r, d.setxattrExtended ? structSize.setxattrExtIn : structSize.setxattrIn);
    if (at + size > r.end) return d.fail(r, Errno.EIO);
    d.complete(r, d.fileSystem.setxattr(r.node, name, r.buffer.bytes.subarray(at, at + size), flags, r), emptyReply, true);
  }],
  [Opcode.GETXATTR, (d, r) => {
    if (!d.fileSystem.getxattr) return d.fail(r, Errno.ENOSYS);
    const [name] = textAfter(r, structSize.getxattrIn);
    d.complete(r, d.fileSystem.getxattr(r.node, name, r), xattrReply(decodeGetxattrIn(r.words, r.bodyAt).size));
  }],
  [Opcode.LISTXATTR, (d, r) => {
    if (!d.fileSystem.listxattr) return d.fail(r, Errno.ENOSYS);
    const names = d.fileSystem.listxattr(r.node, r);
    const reply = xattrReply(decodeGetxattrIn(r.words, r.bodyAt).size);
    d.complete(r, names instanceof Promise ? names.then(joined) : joined(names), reply);
  }],
  [Opcode.REMOVEXATTR, (d, r) => {
    if (!d.fileSystem.removexattr) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.removexattr(r.node, textAfter(r, 0)[0], r), emptyReply);
  }],
];

function joined(names: readonly string[]): Buffer {
  return Buffer.from(names.map((name) => `${name}\0`).join(""));
}
