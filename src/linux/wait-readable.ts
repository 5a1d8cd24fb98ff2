// Waiting until a file descriptor that we read ourselves (recvmsg, accept) is readable, driven by the event loop.
//
// libuv asks for a buffer before it reads; a buffer of length 0 makes it report ENOBUFS instead, with nothing read. A socket
// on a duplicate of the fd, given such a buffer, is therefore a pure readiness event.
import { closeSync } from "node:fs";
import net from "node:net";
import { checked, libc } from "./libc.ts";

const fDupfdCloexec = 1030;

/** Resolves when the socket is readable, was closed by the peer, or failed: the caller's own read then says which. */
export async function waitReadable(fd: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const duplicate = checked(libc.fcntl(fd, fDupfdCloexec, 0), "duplicate a descriptor");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let watcher: net.Socket;
  try {
    watcher = new net.Socket({ fd: duplicate, readable: true, writable: false, onread: { buffer: Buffer.alloc(0), callback: () => true } });
  } catch (error) {
    closeSync(duplicate);
    throw error;
  }
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  watcher.on("error", () => resolve()).on("close", () => resolve());
  watcher.resume();
  try {
    await promise;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    watcher.destroy();
  }
}
