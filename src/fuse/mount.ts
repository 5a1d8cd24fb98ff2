// Opens /dev/fuse and mounts it. Whoever holds the descriptor afterwards can serve the mount, with no privilege at all.
import { closeSync, constants, openSync } from "node:fs";
import { DriverError } from "../core/errors.ts";
import { MountFlag, mount, requireDirectory, umount } from "../linux/mount.ts";
import { findMount } from "../linux/mount-info.ts";
import type { DeviceNumber } from "../linux/read-ahead.ts";
import { fromNodeError } from "../linux/system-error.ts";

export interface FuseMountOptions {
  /** An existing directory, absolute. */
  readonly mountPoint: string;
  /** Shown as the source in mountinfo. */
  readonly source?: string;
  /** Shown as "fuse.<subtype>". */
  readonly subtype?: string;
  readonly readOnly?: boolean;
  /** Users other than the one named by userId may use the mount. */
  readonly allowOther?: boolean;
  /** The kernel checks permissions by mode, uid and gid; without it, by the file system's access() alone. */
  readonly defaultPermissions?: boolean;
  readonly userId?: number;
  readonly groupId?: number;
  /** Bytes of one READ at most; without it max_pages of the negotiation decides. */
  readonly maxRead?: number;
  /** st_mode of the root. */
  readonly rootMode?: number;
  readonly noExec?: boolean;
}

export interface FuseMount {
  /** Of /dev/fuse, non-blocking. The mount lives until the last duplicate of it is closed. */
  readonly fd: number;
  readonly device: DeviceNumber;
  /** The connection's number in /sys/fs/fuse/connections. */
  readonly connection: number;
}

export function mountFuse(options: FuseMountOptions): FuseMount {
  const { mountPoint } = options;
  requireDirectory(mountPoint);
  const fd = openDevice();
  try {
    mount({ source: options.source ?? "mountpoint-s3", target: mountPoint, type: options.subtype ? `fuse.${options.subtype}` : "fuse", flags: flagsOf(options), data: dataOf(fd, options) });
    const found = findMount(mountPoint);
    if (!found) {
      // The path went through a symbolic link, so mountinfo knows it by another name and nobody could ever check it.
      umount(mountPoint, { lazy: true, followSymlinks: true });
      throw new DriverError("InvalidArgument", `mount point ${mountPoint} must not lead through symbolic links`);
    }
    return { fd, device: { major: found.major, minor: found.minor }, connection: found.minor };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openDevice(): number {
  try {
    return openSync("/dev/fuse", constants.O_RDWR | constants.O_NONBLOCK);
  } catch (error) {
    throw fromNodeError(error, "open /dev/fuse");
  }
}

function flagsOf(options: FuseMountOptions): number {
  const { noSuid, noDev, noAtime, readOnly, noExec } = MountFlag;
  return noSuid | noDev | noAtime | (options.readOnly ? readOnly : 0) | (options.noExec ? noExec : 0);
}

function dataOf(fd: number, options: FuseMountOptions): string {
  return [
    `fd=${fd}`,
    `rootmode=${(options.rootMode ?? 0o40000).toString(8)}`,
    `user_id=${options.userId ?? 0}`,
    `group_id=${options.groupId ?? 0}`,
    ...(options.allowOther ? ["allow_other"] : []),
    ...(options.defaultPermissions ? ["default_permissions"] : []),
    ...(options.maxRead === undefined ? [] : [`max_read=${options.maxRead}`]),
  ].join(",");
}
