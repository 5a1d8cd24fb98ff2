// Writes replies and notifications to /dev/fuse: one write(2) is one message.
import { writev, writevSync } from "node:fs";
import { Errno } from "../core/errno.ts";
import { lastErrno, libc } from "../linux/libc.ts";

/** What the dispatcher needs of the device. Every method gives 0 or an errno; ENOENT means that the request was withdrawn. */
export interface ReplyDevice {
  write(bytes: Buffer, length: number): number;
  writeChunks(chunks: readonly Uint8Array[]): number;
  /** In libuv's thread pool, for copies that would hold up the event loop. */
  writeChunksLater(chunks: readonly Uint8Array[], done: (errno: number) => void): void;
}

export class DeviceWriter implements ReplyDevice {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(bytes: Buffer, length: number): number {
    return (libc.write(this.#fd, bytes, length) as number) < 0 ? lastErrno() : 0;
  }

  writeChunks(chunks: readonly Uint8Array[]): number {
    try {
      writevSync(this.#fd, chunks as Uint8Array[]);
      return 0;
    } catch (error) {
      return errnoFromNode(error);
    }
  }

  writeChunksLater(chunks: readonly Uint8Array[], done: (errno: number) => void): void {
    writev(this.#fd, chunks as Uint8Array[], (error) => done(error ? errnoFromNode(error) : 0));
  }
}

function errnoFromNode(error: unknown): number {
  return -((error as NodeJS.ErrnoException).errno ?? -Errno.EIO);
}
