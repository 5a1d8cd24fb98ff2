// The directory the user gave for the cache: made when it is missing, and a clear word when it can't be used.
import { accessSync, constants, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DriverError } from "../../core/errors.ts";
import { makeDirectory } from "./make-directory.ts";

/** What we keep there stands in a folder of its own, so that whatever else is there is left in peace. */
const layout = "s3-csi-cache-1";
/** The least that is worth a cache: one block of content. */
const probeBytes = 128 * 1024;

/** The folder for cached objects below it. */
export function prepareCacheDirectory(directory: string): string {
  const root = path.resolve(directory, layout);
  try {
    makeDirectory(root, 0o700);
    // Tells a read-only file system too.
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
    return root;
  } catch (error) {
    throw isFull(error) ? full(directory, error) : unusable(directory, error);
  }
}

/** Throws when not even one block could be kept. */
export function proveRoom(directory: string, root: string): void {
  const probe = path.join(root, `writing-${process.pid}-probe`);
  try {
    writeFileSync(probe, Buffer.alloc(probeBytes), { mode: 0o600 });
  } catch (error) {
    throw isFull(error) ? full(directory, error) : unusable(directory, error);
  } finally {
    rmSync(probe, { force: true });
  }
}

function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
}

function full(directory: string, cause: unknown): DriverError {
  return new DriverError("NoSpace", `the disk of the cache directory ${directory} is full; free some space, or give another directory with --cache`, { cause });
}

function unusable(directory: string, cause: unknown): DriverError {
  const why = (cause as Error).message;
  return new DriverError("InvalidArgument", `the cache directory ${directory} cannot be used: ${why}; make it writable, or give another with --cache`, { cause });
}
