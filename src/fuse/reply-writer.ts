// Puts replies on the device. Small ones are assembled in one scratch buffer: copying a few KiB is cheaper than a second
// iovec. Larger payloads go from where they lie (writev), the largest in the thread pool, so that the kernel's copy does
// not hold up other requests.
import { encodeOutHeader } from "../../generated/fuse/kernel.ts";
import { Errno } from "../core/errno.ts";
import type { ReplyDevice } from "./device-writer.ts";
import type { Request } from "./request.ts";

const headerSize = 16;
const copyLimit = 16 * 1024;

export class ReplyWriter {
  readonly #device: ReplyDevice;
  readonly #scratch = Buffer.alloc(headerSize + copyLimit);
  readonly words = new Uint32Array(this.#scratch.buffer, this.#scratch.byteOffset, this.#scratch.length >> 2);
  /** Where a reply's struct begins in `words`. */
  readonly bodyAt = headerSize >> 2;
  readonly #asyncFrom: number;
  #inFlight = 0;
  #idle: (() => void) | undefined;

  /** @param asyncFrom payloads of this size and more are written in the thread pool */
  constructor(device: ReplyDevice, asyncFrom: number) {
    this.#device = device;
    this.#asyncFrom = asyncFrom;
  }

  /** Sends what was encoded behind the header. */
  finish(r: Request, bodySize: number): number {
    const len = headerSize + bodySize;
    encodeOutHeader(this.words, 0, { len, error: 0, uniqueLow: r.uniqueLow, uniqueHigh: r.uniqueHigh });
    return this.#device.write(this.#scratch, len);
  }

  error(r: Request, errno: number): number {
    encodeOutHeader(this.words, 0, { len: headerSize, error: -errno, uniqueLow: r.uniqueLow, uniqueHigh: r.uniqueHigh });
    return this.#device.write(this.#scratch, headerSize);
  }

  /** Sends the chunks; `release` is called exactly once unless this returns an errno at once. `now`: never in the thread pool. */
  data(r: Request, chunks: readonly Uint8Array[], release: (() => void) | undefined, now = false): number {
    let size = 0;
    for (const chunk of chunks) size += chunk.length;
    if (size <= copyLimit) {
      let at = headerSize;
      for (const chunk of chunks) {
        this.#scratch.set(chunk, at);
        at += chunk.length;
      }
      const errno = this.finish(r, size);
      if (errno === 0) release?.();
      return errno;
    }
    const header = Buffer.allocUnsafe(headerSize);
    header.writeUInt32LE(headerSize + size, 0);
    header.writeInt32LE(0, 4);
    header.writeUInt32LE(r.uniqueLow, 8);
    header.writeUInt32LE(r.uniqueHigh, 12);
    const message = [header, ...chunks];
    if (now || size < this.#asyncFrom) {
      const errno = this.#device.writeChunks(message);
      if (errno === 0) release?.();
      return errno;
    }
    this.#inFlight++;
    this.#device.writeChunksLater(message, (errno) => {
      release?.();
      this.#inFlight--;
      // Nothing was handed out with data, so a withdrawn request needs no undoing; other errors must still be answered.
      if (errno !== 0 && errno !== Errno.ENOENT) this.error(r, Errno.EIO);
      if (this.#inFlight === 0) this.#idle?.();
    });
    return 0;
  }

  /** Resolves when no reply is on its way in the thread pool. */
  async drained(): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }
}
