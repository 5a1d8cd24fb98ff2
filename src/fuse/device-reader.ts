// Reads requests from /dev/fuse as the event loop's epoll reports them.
//
// Node has no public way to watch a descriptor, but a net.Socket on a pipe is watched by epoll, and dup3() can put /dev/fuse
// under the pipe's number before the first read. libuv then reads one request per event, and we drain the rest with plain
// read(2) until EAGAIN: most of the cost of an event is shared by all requests of a burst. Blocking reads in libuv's thread
// pool would cost ten times as much and keep the process from exiting.
import { closeSync } from "node:fs";
import net from "node:net";
import { Errno } from "../core/errno.ts";
import { duplicateOver, pipe, setNonBlocking } from "../linux/descriptor.ts";
import { lastErrno, libc } from "../linux/libc.ts";
import type { RequestBuffer, RequestBufferPool } from "./request-buffer.ts";

export interface RequestHandler {
  /** One request lies in the buffer. To keep the buffer, retain() it before returning. */
  request(buffer: RequestBuffer, size: number): void;
  /** What was there has been read. */
  batchEnd(): void;
  /** No more requests will come: ENODEV (unmounted), ECONNABORTED (aborted) or what else read(2) said. */
  end(errno: number): void;
}

/** Promise reactions and timers wait while we drain, so a burst is cut here; epoll reports the rest at once. */
const maxDrain = 64;

export class DeviceReader {
  readonly #fd: number;
  readonly #pool: RequestBufferPool;
  readonly #handler: RequestHandler;
  #socket: net.Socket | undefined;
  #current: RequestBuffer;
  #closed = false;

  /** The descriptor stays the caller's; the reader works on a duplicate. */
  constructor(fd: number, pool: RequestBufferPool, handler: RequestHandler) {
    this.#fd = fd;
    this.#pool = pool;
    this.#handler = handler;
    this.#current = pool.take();
  }

  start(): void {
    setNonBlocking(this.#fd);
    const [watched, writeEnd] = pipe();
    const socket = new net.Socket({
      fd: watched,
      readable: true,
      writable: false,
      onread: { buffer: () => this.#current.bytes, callback: (size: number) => this.#readable(size) },
    });
    duplicateOver(this.#fd, watched);
    closeSync(writeEnd);
    this.#socket = socket;
    socket.on("error", (error: NodeJS.ErrnoException) => this.#failed(-(error.errno ?? -Errno.EIO)));
    socket.on("end", () => this.#failed(Errno.ENODEV));
  }

  /** Stops reading; nothing is reported afterwards. */
  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Handles what waits right now, `limit` requests at most. Works after close() too, for a last round. */
  drain(limit: number): void {
    for (let count = 0; count < limit; count++) {
      const { bytes } = this.#current;
      const read = libc.read(this.#fd, bytes, bytes.length) as number;
      if (read > 0) this.#handle(read);
      else if (!isTransient(lastErrno())) return; // EAGAIN: done; else libuv's next read meets the same error and reports it
    }
  }

  #readable(size: number): boolean {
    this.#handle(size);
    if (!this.#closed) this.drain(maxDrain);
    this.#handler.batchEnd();
    return true;
  }

  #handle(size: number): void {
    const buffer = this.#current;
    this.#handler.request(buffer, size);
    if (buffer.retained) this.#current = this.#pool.take();
  }

  #failed(errno: number): void {
    if (this.#closed) return;
    this.#socket?.destroy();
    this.#socket = undefined;
    // The request was withdrawn while it was being copied to us: that ends libuv's stream, not the connection.
    if (isTransient(errno)) this.start();
    else {
      this.#closed = true;
      this.#handler.end(errno);
    }
  }
}

function isTransient(errno: number): boolean {
  return errno === Errno.ENOENT || errno === Errno.EINTR;
}
