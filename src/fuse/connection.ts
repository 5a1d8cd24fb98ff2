// The kernel's connection objects: one per FUSE mount, named by the minor number of its device.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { hasCode } from "../core/errors.ts";
import { checked, libc } from "../linux/libc.ts";
import { mount } from "../linux/mount.ts";
import { fromNodeError } from "../linux/system-error.ts";

const connections = "/sys/fs/fuse/connections";

/** Whether the connection behind a descriptor of /dev/fuse is neither aborted nor unmounted. As long as it is, its number is its
 *  own; afterwards the kernel gives the number to the next mount, and aborting it would end somebody else's. */
export function isConnected(fd: number): boolean {
  const entry = Buffer.alloc(8);
  entry.writeInt32LE(fd, 0);
  checked(libc.poll(entry, 1, 0) as number, "poll of the FUSE connection");
  const pollError = 8;
  return (entry.readInt16LE(6) & pollError) === 0;
}

/** Ends the connection: what waits gets ECONNABORTED, what comes later ENOTCONN. False when it does not exist any more. */
export function abortConnection(connection: number): boolean {
  ensureControlFileSystem();
  const file = `${connections}/${connection}/abort`;
  if (!existsSync(file)) return false;
  try {
    writeFileSync(file, "1");
    return true;
  } catch (error) {
    const failure = fromNodeError(error, `write ${file}`);
    if (hasCode(failure, "NotFound")) return false;
    throw failure;
  }
}

/** fusectl has to be mounted before it is needed: a mount that hangs may be the root of what hangs. */
export function ensureControlFileSystem(): void {
  if (readdirSync(connections).length > 0) return;
  try {
    mount({ source: "fusectl", target: connections, type: "fusectl" });
  } catch (error) {
    if (!hasCode(error, "Busy")) throw error;
  }
}
