// A file system of a few megabytes, to be filled for real.
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Takes every byte that is left. */
  fill(): void;
  /** Gives back what fill() took. */
  drain(): void;
  remove(): void;
}

/** Mounted on this directory, which is made. Options are tmpfs's: size, nr_inodes, ro. */
export function smallDisk(directory: string, options: string): SmallDisk {
  mkdirSync(directory, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
  const filler = path.join(directory, "filler");
  const remove = () => {
    process.off("exit", remove);
    execFileSync("umount", ["-l", directory]);
    rmSync(directory, { recursive: true, force: true });
  };
  // Before the folder around it is emptied.
  process.prependOnceListener("exit", remove);
  return { path: directory, fill: () => fill(filler), drain: () => rmSync(filler, { force: true }), remove };
}

function fill(file: string): void {
  const fd = openSync(file, "a");
  try {
    for (;;) writeSync(fd, Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(fd);
  }
}
