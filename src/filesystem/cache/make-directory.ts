import { mkdirSync } from "node:fs";
import path from "node:path";

/** Makes a directory and those above it that are missing. Node.js's own way tells ENOENT for a read-only file system, and never
 *  ends where the kernel says ENOENT for a new name (/proc). */
export function makeDirectory(directory: string, mode: number): void {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    const parent = path.dirname(directory);
    if (code !== "ENOENT" || parent === directory) throw error;
    makeDirectory(parent, mode);
    mkdirSync(directory, { mode });
  }
}
