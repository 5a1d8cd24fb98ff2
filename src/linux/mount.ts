// mount(2) and umount2(2). A path that is not absolute, or a target that is the root, is refused before the kernel sees it:
// a mount over the wrong directory hides everything below it.
import { statSync } from "node:fs";
import path from "node:path";
import { Errno } from "../core/errno.ts";
import { DriverError } from "../core/errors.ts";
import { checked, lastErrno, libc } from "./libc.ts";
import { systemError } from "./system-error.ts";

export const MountFlag = {
  readOnly: 1, noSuid: 2, noDev: 4, noExec: 8, remount: 32, noAtime: 1024, bind: 4096, recursive: 16384, private: 1 << 18,
} as const;

export interface MountArguments {
  readonly source: string;
  readonly target: string;
  readonly type?: string;
  /** A sum of MountFlag. */
  readonly flags?: number;
  readonly data?: string;
}

export function mount({ source, target, type, flags = 0, data }: MountArguments): void {
  refuseDangerous(target);
  checked(libc.mount(source, target, type ?? null, flags, data ?? null), `mount ${type ?? "bind"} on ${target}`);
}

/** Binds source to target; read-only takes a second call, since the kernel ignores the flag in the first. */
export function bindMount(source: string, target: string, options: { readOnly?: boolean; recursive?: boolean } = {}): void {
  mount({ source, target, flags: MountFlag.bind | (options.recursive ? MountFlag.recursive : 0) });
  if (!options.readOnly) return;
  try {
    remountReadOnly(target);
  } catch (error) {
    umount(target, { lazy: true });
    throw error;
  }
}

/** Makes this one mount point read-only; the file system behind it stays as it is for the others. */
export function remountReadOnly(target: string): void {
  mount({ source: "none", target, flags: MountFlag.remount | MountFlag.bind | MountFlag.readOnly });
}

export interface UmountOptions {
  /** Detach now, end when the last user is gone (MNT_DETACH). */
  readonly lazy?: boolean;
  /** Abort what is under way (MNT_FORCE): for FUSE, waiting requests fail. */
  readonly force?: boolean;
  /** The target must not be a symbolic link. On by default. */
  readonly followSymlinks?: boolean;
}

/** True when something was unmounted, false when nothing was mounted there (also when the path is gone). */
export function umount(target: string, options: UmountOptions = {}): boolean {
  refuseDangerous(target);
  const flags = (options.force ? 1 : 0) | (options.lazy ? 2 : 0) | (options.followSymlinks ? 0 : 8);
  if (libc.umount2(target, flags) === 0) return true;
  const errno = lastErrno();
  if (errno === Errno.EINVAL || errno === Errno.ENOENT) return false;
  throw systemError(errno, `umount ${target}`);
}

/** Throws unless the path is an existing directory. Never call it on a mount point whose server may be dead. */
export function requireDirectory(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (!found) throw new DriverError("NotFound", `mount point ${target} does not exist`, { errno: Errno.ENOENT });
  if (!found.isDirectory()) throw new DriverError("NotDirectory", `mount point ${target} is not a directory`, { errno: Errno.ENOTDIR });
}

function refuseDangerous(target: string): void {
  if (!path.isAbsolute(target) || target.includes("\0") || path.normalize(target) === "/") {
    throw new DriverError("InvalidArgument", `${JSON.stringify(target)} is no mount point: an absolute path other than / is needed`);
  }
}
