// Stream sockets in the unix domain as bare descriptors, for what net.Socket cannot do: pass descriptors. The kernel takes
// 107 bytes of path at most; a longer one is reached through the directory's descriptor under /proc/self/fd.
import { closeSync, constants, openSync, rmSync } from "node:fs";
import path from "node:path";
import { Errno } from "../core/errno.ts";
import { DriverError } from "../core/errors.ts";
import { checked, lastErrno, libc } from "./libc.ts";
import { fromNodeError, systemError } from "./system-error.ts";
import { waitReadable } from "./wait-readable.ts";

const afUnix = 1;
const nonBlockingStream = 1 | 0o4000 | 0o2000000; // SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC
const maxPath = 107;
const oPath = 0o10000000;

export function connectUnix(socketPath: string): number {
  return withSocket(socketPath, "connect to", (fd, address) => libc.connect(fd, address, address.length));
}

/** A listening socket; a stale file of a dead predecessor is removed first. */
export function listenUnix(socketPath: string, backlog = 64): number {
  rmSync(socketPath, { force: true });
  const fd = withSocket(socketPath, "bind", (socket, address) => libc.bind(socket, address, address.length));
  checked(libc.listen(fd, backlog), `listen on ${socketPath}`);
  return fd;
}

/** The next connection, as a non-blocking descriptor. */
export async function acceptUnix(listener: number, signal?: AbortSignal): Promise<number> {
  for (;;) {
    const fd = libc.accept4(listener, null, null, 0o4000 | 0o2000000);
    if (fd >= 0) return fd;
    const errno = lastErrno();
    if (errno !== Errno.EAGAIN && errno !== Errno.ECONNABORTED && errno !== Errno.EINTR) throw systemError(errno, "accept");
    await waitReadable(listener, signal);
  }
}

export interface PeerCredentials {
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
}

/** Who is at the other end, as the kernel recorded it when the connection was made (SO_PEERCRED). */
export function peerCredentials(fd: number): PeerCredentials {
  const value = Buffer.alloc(12);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(value.length);
  checked(libc.getsockopt(fd, 1, 17, value, size), "SO_PEERCRED");
  return { pid: value.readInt32LE(0), uid: value.readUInt32LE(4), gid: value.readUInt32LE(8) };
}

/** Two connected sockets, for a child that inherits one of them. */
export function unixSocketPair(): [number, number] {
  const pair = new Int32Array(2);
  checked(libc.socketpair(afUnix, nonBlockingStream, 0, pair), "socketpair");
  return [pair[0] as number, pair[1] as number];
}

/** A path for the same socket that fits into sockaddr_un, valid until close(). For code that only takes paths (gRPC, net). */
export function shortSocketPath(socketPath: string): { readonly path: string; close(): void } {
  if (Buffer.byteLength(socketPath) <= maxPath) return { path: socketPath, close() {} };
  let directory: number;
  try {
    directory = openSync(path.dirname(socketPath), oPath | constants.O_DIRECTORY);
  } catch (error) {
    throw fromNodeError(error, `open the directory of ${socketPath}`);
  }
  const short = `/proc/self/fd/${directory}/${path.basename(socketPath)}`;
  if (Buffer.byteLength(short) > maxPath) {
    closeSync(directory);
    throw new DriverError("NameTooLong", `the socket's name ${path.basename(socketPath)} alone is too long`);
  }
  return { path: short, close: () => closeSync(directory) };
}

function withSocket(socketPath: string, what: string, use: (fd: number, address: Buffer) => number): number {
  const short = shortSocketPath(socketPath);
  const fd = checked(libc.socket(afUnix, nonBlockingStream, 0), "socket");
  try {
    const bytes = Buffer.from(short.path);
    const address = Buffer.alloc(2 + bytes.length + 1);
    address.writeUInt16LE(afUnix);
    bytes.copy(address, 2);
    checked(use(fd, address), `${what} ${socketPath}`);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  } finally {
    short.close();
  }
}
