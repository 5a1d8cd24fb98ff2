// Requests about open directories.
import { decodeFsyncIn, decodeOpenIn, decodeReadIn, decodeReleaseIn, FsyncFlag, Opcode } from "../../../generated/fuse/kernel.ts";
import { Errno } from "../../core/errno.ts";
import { DirectoryBuffer } from "../directory-sink.ts";
import type { Dispatcher, Operation } from "../dispatcher.ts";
import { directoryReply, emptyReply, openDirectoryReply } from "../replies.ts";
import type { Request } from "../request.ts";
import { safeOffset } from "./arguments.ts";

/** More than any kernel asks for (max_pages of 4 KiB): a garbled size must not make us allocate gigabytes. */
const maxDirectoryBuffer = 16 * 1024 * 1024;

export const directoryOperations: readonly (readonly [number, Operation])[] = [
  [Opcode.OPENDIR, (d, r) => {
    if (!d.fileSystem.opendir) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.opendir(r.node, decodeOpenIn(r.words, r.bodyAt).flags, r), openDirectoryReply);
  }],
  [Opcode.READDIR, (d, r) => readDirectory(d, r, false)],
  [Opcode.READDIRPLUS, (d, r) => readDirectory(d, r, true)],
  [Opcode.RELEASEDIR, (d, r) => {
    if (!d.fileSystem.releasedir) return d.complete(r, undefined, emptyReply);
    d.complete(r, d.fileSystem.releasedir(r.node, decodeReleaseIn(r.words, r.bodyAt).fh, r), emptyReply);
  }],
  [Opcode.FSYNCDIR, (d, r) => {
    if (!d.fileSystem.fsyncdir) return d.fail(r, Errno.ENOSYS);
    const { fh, fsyncFlags } = decodeFsyncIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.fsyncdir(r.node, fh, (fsyncFlags & FsyncFlag.FDATASYNC) !== 0, r), emptyReply);
  }],
];

function readDirectory(d: Dispatcher, r: Request, plus: boolean): void {
  if (!d.fileSystem.readdir) return d.fail(r, Errno.ENOSYS);
  const { fh, offset, size } = decodeReadIn(r.words, r.bodyAt);
  if (size > maxDirectoryBuffer) return d.fail(r, Errno.EINVAL);
  const sink = new DirectoryBuffer(size);
  const filled = d.fileSystem.readdir(r.node, fh, safeOffset(offset), plus, sink, r);
  d.complete(r, filled instanceof Promise ? filled.then(() => sink) : sink, directoryReply);
}
