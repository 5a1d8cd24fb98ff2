// Target directories: bound to a source, looked at and released. A target's mount may be dead or not answer, so nothing here
// touches what is mounted there; the mount table tells enough.
import { mkdirSync, rmdirSync } from "node:fs";
import { Errno } from "../../core/errno.ts";
import { DriverError } from "../../core/errors.ts";
import { bindMount, umount } from "../../linux/mount.ts";
import { findMount, type MountPoint, mountRefs } from "../../linux/mount-info.ts";
import { fromNodeError } from "../../linux/system-error.ts";
import { mountDevice } from "../names.ts";

/** The directory must not be a mount point already. */
export function bindTarget(source: string, target: string, readOnly: boolean): void {
  try {
    mkdirSync(target, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw fromNodeError(error, `make target ${target}`);
  }
  bindMount(source, target, { readOnly });
}

/** Removes every mount at the target and the directory itself. True when there was anything. */
export function releaseTarget(target: string): boolean {
  let found = false;
  while (unmountOnce(target)) found = true;
  try {
    rmdirSync(target);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return found;
    // Something lies in the directory below: not ours, so not to be removed.
    if (code === "ENOTEMPTY") return found;
    throw fromNodeError(error, `remove target ${target}`);
  }
}

/** Mounts of this file system other than the source's own: they must be bound anew when the source is replaced. */
export function staleTargets(dead: MountPoint, source: string): MountPoint[] {
  return mountRefs(source).filter((mount) => mount.mountPoint !== source && mount.id !== dead.id);
}

export function isSameFileSystem(a: MountPoint, b: MountPoint): boolean {
  return a.major === b.major && a.minor === b.minor;
}

/** Refuses a target on which something else is mounted. */
export function requireOwnMount(mount: MountPoint): void {
  if (mount.source === mountDevice || mount.type === "fuse" || mount.type.startsWith("fuse.")) return;
  throw new DriverError("FailedPrecondition", `something else (${mount.type}) is mounted at ${mount.mountPoint}`);
}

/**
 * A mount by version 1 of the driver, whose process ran under systemd and mounted the target itself: nothing else shows the
 * same file system, while a target of ours always has its source.
 */
export function isSystemdMount(target: string, mounts: readonly MountPoint[]): boolean {
  const mount = findMount(target, mounts);
  return mount !== undefined && mount.source === mountDevice && mountRefs(target, mounts).length === 0;
}

function unmountOnce(target: string): boolean {
  try {
    return umount(target);
  } catch (error) {
    if (!(error instanceof DriverError) || error.errno !== Errno.EBUSY) throw error;
    throw new DriverError("Busy", `target ${target} is still in use`, { cause: error, errno: Errno.EBUSY });
  }
}
