// Requests about open files.
import { decodeCopyFileRangeIn, decodeCreateIn, decodeFallocateIn, decodeFlushIn, decodeFsyncIn, decodeLseekIn, decodeOpenIn, decodeReadIn, decodeReleaseIn, decodeWriteIn, FsyncFlag, Opcode, ReleaseFlag, structSize } from "../../../generated/fuse/kernel.ts";
import { Errno } from "../../core/errno.ts";
import type { Dispatcher, Operation } from "../dispatcher.ts";
import { createReply, dataReply, emptyReply, offsetReply, openReply, type Reply, sizeReply } from "../replies.ts";
import type { Request } from "../request.ts";
import { nameAfter, safeOffset } from "./arguments.ts";

const writeDataAt = structSize.inHeader + structSize.writeIn;
/** What one call of copy_file_range answered in 32 bits may copy: the kernel's MAX_RW_COUNT. */
const maxCopy32 = 0x7fff_f000;
const wholeFileUnlock = { start: 0n, end: 0x7fff_ffff_ffff_ffffn, type: 2, pid: 0 } as const;

export const fileOperations: readonly (readonly [number, Operation])[] = [
  [Opcode.OPEN, (d, r) => {
    if (!d.fileSystem.open) return d.fail(r, Errno.ENOSYS);
    d.complete(r, d.fileSystem.open(r.node, decodeOpenIn(r.words, r.bodyAt).flags, r), openReply);
  }],
  [Opcode.CREATE, (d, r) => {
    if (!d.fileSystem.create) return d.fail(r, Errno.ENOSYS);
    const { mode, flags, umask } = decodeCreateIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.create(r.node, nameAfter(r, structSize.createIn), mode, flags, umask, r), createReply);
  }],
  [Opcode.READ, (d, r) => {
    if (!d.fileSystem.read) return d.fail(r, Errno.ENOSYS);
    const { fh, offset, size } = decodeReadIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.read(r.node, fh, safeOffset(offset), size, r), dataReply);
  }],
  [Opcode.WRITE, (d, r) => {
    if (!d.fileSystem.write) return d.fail(r, Errno.ENOSYS);
    const { fh, offset, size } = decodeWriteIn(r.words, r.bodyAt);
    const end = writeDataAt + size;
    if (end > r.end) return d.fail(r, Errno.EIO);
    const data = r.buffer.bytes.subarray(writeDataAt, end);
    safeOffset(offset + size);
    d.complete(r, d.fileSystem.write(r.node, fh, offset, data, r), sizeReply, true);
  }],
  [Opcode.FLUSH, (d, r) => {
    if (!d.fileSystem.flush) return d.fail(r, Errno.ENOSYS);
    const { fh, lockOwner } = decodeFlushIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.flush(r.node, fh, lockOwner, r), emptyReply);
  }],
  [Opcode.RELEASE, (d, r) => {
    const { fh, flags, releaseFlags, lockOwner } = decodeReleaseIn(r.words, r.bodyAt);
    // The last close gives up a flock; the file system hears of it as of any other unlocking.
    if (releaseFlags & ReleaseFlag.FLOCK_UNLOCK) d.quietly(() => d.fileSystem.setlk?.(r.node, fh, lockOwner, wholeFileUnlock, false, true, r));
    // The kernel needs an answer to this one in any case: others may wait for it.
    if (!d.fileSystem.release) return d.complete(r, undefined, emptyReply);
    d.complete(r, d.fileSystem.release(r.node, fh, flags, r), emptyReply);
  }],
  [Opcode.FSYNC, (d, r) => {
    if (!d.fileSystem.fsync) return d.fail(r, Errno.ENOSYS);
    const { fh, fsyncFlags } = decodeFsyncIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.fsync(r.node, fh, (fsyncFlags & FsyncFlag.FDATASYNC) !== 0, r), emptyReply);
  }],
  [Opcode.FALLOCATE, (d, r) => {
    if (!d.fileSystem.fallocate) return d.fail(r, Errno.ENOSYS);
    const { fh, offset, length, mode } = decodeFallocateIn(r.words, r.bodyAt);
    safeOffset(offset + length);
    d.complete(r, d.fileSystem.fallocate(r.node, fh, offset, length, mode, r), emptyReply);
  }],
  [Opcode.LSEEK, (d, r) => {
    if (!d.fileSystem.lseek) return d.fail(r, Errno.ENOSYS);
    const { fh, offset, whence } = decodeLseekIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.lseek(r.node, fh, safeOffset(offset), whence, r), offsetReply);
  }],
  [Opcode.COPY_FILE_RANGE, (d, r) => copyFileRange(d, r, maxCopy32, sizeReply)],
  [Opcode.COPY_FILE_RANGE_64, (d, r) => copyFileRange(d, r, Number.MAX_SAFE_INTEGER, offsetReply)],
];

function copyFileRange(d: Dispatcher, r: Request, limit: number, reply: Reply<number>): void {
  if (!d.fileSystem.copyFileRange) return d.fail(r, Errno.ENOSYS);
  const c = decodeCopyFileRangeIn(r.words, r.bodyAt);
  const from = { node: r.node, handle: c.fhIn, offset: safeOffset(c.offIn) };
  const to = { node: c.nodeidOut, handle: c.fhOut, offset: safeOffset(c.offOut) };
  d.complete(r, d.fileSystem.copyFileRange(from, to, Math.min(c.len, limit), c.flags, r), reply);
}
