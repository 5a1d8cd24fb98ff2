// s3-csi unmount.
import { realpathSync } from "node:fs";
import path from "node:path";
import { Errno } from "../core/errno.ts";
import { DriverError } from "../core/errors.ts";
import { umount } from "../linux/mount.ts";
import { findMount } from "../linux/mount-info.ts";

export function unmountCommand(argv: readonly string[]): number {
  const lazy = argv.includes("--lazy") || argv.includes("-z");
  const unknown = argv.find((a) => a.startsWith("-") && a !== "--lazy" && a !== "-z");
  if (unknown) throw new DriverError("InvalidArgument", `unknown option ${unknown}; there is --lazy`);
  const [directory, ...more] = argv.filter((a) => !a.startsWith("-"));
  if (directory === undefined || more.length > 0) throw new DriverError("InvalidArgument", "usage: s3-csi unmount DIRECTORY [--lazy]");
  const asked = path.resolve(directory);
  const mountPoint = findMount(asked) ? asked : resolved(asked);
  const there = findMount(mountPoint);
  if (!there) throw new DriverError("NotFound", `nothing is mounted on ${asked}`);
  if (!there.type.startsWith("fuse") || there.source !== "mountpoint-s3")
    throw new DriverError("InvalidArgument", `${mountPoint} is not ours (${there.type}, ${there.source}); use umount`);
  try {
    umount(mountPoint, { lazy });
  } catch (error) {
    const { errno } = error as { errno?: number };
    if (errno === Errno.EBUSY) throw new DriverError("Busy", `${mountPoint} is in use; end the programs that use it, or add --lazy`, { cause: error });
    if (errno === Errno.EPERM) throw new DriverError("NotPermitted", "unmounting needs root; run it with sudo", { cause: error });
    throw error;
  }
  return 0;
}

function resolved(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
