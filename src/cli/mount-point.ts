// Is this a directory that can be mounted on? Said before anything else is tried.
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { DriverError } from "../core/errors.ts";
import { findMount } from "../linux/mount-info.ts";

/** The directory's own path, symbolic links resolved. */
export function usableMountPoint(directory: string): string {
  const asked = path.resolve(directory);
  // Asked first: a look at a mount whose server is dead would fail or hang.
  const there = findMount(asked);
  if (there) throw new DriverError("Busy", `${asked} is a mount point already (${there.type}, ${there.source}); unmount it first: s3-csi unmount ${asked}`);
  let real: string;
  try {
    real = realpathSync(asked);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new DriverError("NotFound", missing ? `the mount point ${asked} does not exist; make the directory first` : `the mount point ${asked} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  if (real !== asked && findMount(real)) throw new DriverError("Busy", `${real} is a mount point already; unmount it first`);
  if (!statSync(real).isDirectory()) throw new DriverError("NotDirectory", `the mount point ${real} is not a directory; give a directory`);
  return real;
}
