// Requests about locks: POSIX and flock share them, a flag tells which.
import { decodeLkIn, LockFlag, Opcode } from "../../../generated/fuse/kernel.ts";
import { Errno } from "../../core/errno.ts";
import type { Dispatcher, Operation } from "../dispatcher.ts";
import { emptyReply, lockReply } from "../replies.ts";
import type { Request } from "../request.ts";

export const lockOperations: readonly (readonly [number, Operation])[] = [
  [Opcode.GETLK, (d, r) => {
    if (!d.fileSystem.getlk) return d.fail(r, Errno.ENOSYS);
    const { fh, owner, lk } = decodeLkIn(r.words, r.bodyAt);
    d.complete(r, d.fileSystem.getlk(r.node, fh, owner, lk, r), lockReply);
  }],
  [Opcode.SETLK, (d, r) => setLock(d, r, false)],
  [Opcode.SETLKW, (d, r) => setLock(d, r, true)],
];

function setLock(d: Dispatcher, r: Request, wait: boolean): void {
  if (!d.fileSystem.setlk) return d.fail(r, Errno.ENOSYS);
  const { fh, owner, lk, lkFlags } = decodeLkIn(r.words, r.bodyAt);
  d.complete(r, d.fileSystem.setlk(r.node, fh, owner, lk, wait, (lkFlags & LockFlag.FLOCK) !== 0, r), emptyReply);
}
