// Where a unix socket lies, and a name for it that fits: the kernel takes 107 bytes, kubelet's pod directories are often longer.
import { closeSync, constants, openSync } from "node:fs";
import path from "node:path";
import { DriverError } from "../core/errors.ts";

const longest = 107;

/** The absolute path in unix:///p, unix:/p or /p. */
export function socketPathOf(endpoint: string): string {
  const found = endpoint.startsWith("unix:") ? endpoint.slice("unix:".length).replace(/^\/\/(?=\/)/, "") : endpoint;
  if (!path.isAbsolute(found) || found.startsWith("//")) {
    throw new DriverError("InvalidArgument", `${JSON.stringify(endpoint)} is not a unix socket with an absolute path, such as unix:///csi/csi.sock`);
  }
  return path.normalize(found);
}

export interface ShortPath {
  readonly path: string;
  release(): void;
}

/** The same file by a path that the kernel accepts, through a descriptor of its directory; valid until released. */
export function shortSocketPath(socketPath: string): ShortPath {
  if (Buffer.byteLength(socketPath) <= longest) return { path: socketPath, release: () => {} };
  const fd = openSync(path.dirname(socketPath), constants.O_RDONLY | constants.O_DIRECTORY);
  const short = `/proc/self/fd/${fd}/${path.basename(socketPath)}`;
  if (Buffer.byteLength(short) > longest) {
    closeSync(fd);
    throw new DriverError("NameTooLong", `the name of the socket ${path.basename(socketPath)} is too long`);
  }
  return { path: short, release: () => closeSync(fd) };
}
