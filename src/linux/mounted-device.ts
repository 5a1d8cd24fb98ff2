// What is mounted at one path, without the mount table: the kernel writes that anew for every reader, all mounts of the node,
// and a node that starts hundreds of pods at once would do little else.
import { Errno } from "../core/errno.ts";
import { lastErrno, libc } from "./libc.ts";
import { findMount } from "./mount-info.ts";

export interface Device {
  readonly major: number;
  readonly minor: number;
}

const atFdcwd = -100;
/** Not through a symbolic link, no automount, and what the kernel knows by itself: the server of a mount, perhaps dead, is not asked. */
const flags = 0x100 | 0x800 | 0x4000;
const noFields = 0;
const attributeMountRoot = 0x2000n;
const found = Buffer.alloc(256);

/** The file system mounted exactly there (the top-most), undefined when nothing is. */
export function mountedDevice(target: string): Device | undefined {
  if (libc.statx(atFdcwd, target, flags, noFields, found) !== 0) {
    const errno = lastErrno();
    return errno === Errno.ENOENT || errno === Errno.ENOTDIR ? undefined : findMount(target);
  }
  // A kernel before 5.8 does not tell.
  if ((found.readBigUInt64LE(56) & attributeMountRoot) === 0n) return findMount(target);
  if ((found.readBigUInt64LE(8) & attributeMountRoot) === 0n) return undefined;
  return { major: found.readUInt32LE(136), minor: found.readUInt32LE(140) };
}
