// Messages to the kernel that nobody asked for.
//
// The kernel may block while it takes one: dropping pages waits for reads of these pages, which we have yet to answer. So
// they are written in the thread pool, and one after the other, so that they never occupy more than one of its threads.
import { writev } from "node:fs";
import {
  encodeNotifyDeleteOut, encodeNotifyInvalEntryOut, encodeNotifyInvalInodeOut, encodeNotifyRetrieveOut, encodeNotifyStoreOut, encodeOutHeader,
  InvalEntryFlag, Notification, structSize,
} from "../../generated/fuse/kernel.ts";
import { sleep } from "../core/backoff.ts";
import { Errno } from "../core/errno.ts";
import { DriverError } from "../core/errors.ts";
import { libc } from "../linux/libc.ts";
import { fromNodeError } from "../linux/system-error.ts";
import type { NodeId, Notifier } from "./file-system.ts";

export class Notifications implements Notifier {
  readonly #fd: number;
  #tail: Promise<void> = Promise.resolve();
  #pending = 0;
  #closed = false;
  #nextRetrieval = 1;
  readonly #retrievals = new Map<number, (data: Buffer | undefined) => void>();

  constructor(fd: number) {
    this.#fd = fd;
  }

  invalidateNode(node: NodeId, offset = 0, length = 0): Promise<void> {
    // A length of 0 means to the end, a negative offset the attributes alone.
    return this.#send(Notification.INVAL_INODE, structSize.notifyInvalInodeOut, (w) => encodeNotifyInvalInodeOut(w, 4, { ino: node, off: offset, len: length }));
  }

  invalidateEntry(parent: NodeId, name: string, options: { expireOnly?: boolean } = {}): Promise<void> {
    const text = Buffer.from(`${name}\0`);
    const flags = options.expireOnly ? InvalEntryFlag.EXPIRE_ONLY : 0;
    const fill = (w: Uint32Array) => encodeNotifyInvalEntryOut(w, 4, { parent, namelen: text.length - 1, flags });
    return this.#send(Notification.INVAL_ENTRY, structSize.notifyInvalEntryOut, fill, [text]);
  }

  deleted(parent: NodeId, child: NodeId, name: string): Promise<void> {
    const text = Buffer.from(`${name}\0`);
    const fill = (w: Uint32Array) => encodeNotifyDeleteOut(w, 4, { parent, child, namelen: text.length - 1 });
    return this.#send(Notification.DELETE, structSize.notifyDeleteOut, fill, [text]);
  }

  store(node: NodeId, offset: number, chunks: readonly Uint8Array[]): Promise<void> {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const fill = (w: Uint32Array) => encodeNotifyStoreOut(w, 4, { nodeid: node, offset, size });
    return this.#send(Notification.STORE, structSize.notifyStoreOut, fill, chunks);
  }

  /** What the kernel's page cache holds of the node from the offset on; ends at the first page it does not have. */
  async retrieve(node: NodeId, offset: number, size: number): Promise<Buffer> {
    const notifyUnique = this.#nextRetrieval++;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#retrievals.set(notifyUnique, (data) => (data ? resolve(data) : reject(new DriverError("Disconnected", "the FUSE session has ended"))));
    try {
      const fill = (w: Uint32Array) => encodeNotifyRetrieveOut(w, 4, { notifyUnique, nodeid: node, offset, size });
      await this.#send(Notification.RETRIEVE, structSize.notifyRetrieveOut, fill);
    } catch (error) {
      this.#retrievals.delete(notifyUnique);
      throw error;
    }
    return promise;
  }

  /** The kernel's answer to retrieve(), copied out of the request's buffer. */
  retrieved(notifyUnique: number, data: Buffer): void {
    const done = this.#retrievals.get(notifyUnique);
    this.#retrievals.delete(notifyUnique);
    done?.(Buffer.from(data));
  }

  /** The kernel queues again what a dead reader took and did not answer. False where it does not know that (before 6.9). */
  resend(): boolean {
    const message = Buffer.alloc(structSize.outHeader);
    encodeOutHeader(new Uint32Array(message.buffer, message.byteOffset, 4), 0, { len: message.length, error: Notification.RESEND, uniqueLow: 0, uniqueHigh: 0 });
    return (libc.write(this.#fd, message, message.length) as number) >= 0;
  }

  /** Whether the kernel has not taken one yet. */
  get pending(): boolean {
    return this.#pending > 0;
  }

  /** Refuses further ones and waits for those under way, but not for one that is stuck behind a request nobody answers. */
  async close(graceMs = 1000): Promise<void> {
    this.#closed = true;
    for (const done of this.#retrievals.values()) done(undefined);
    this.#retrievals.clear();
    const timer = new AbortController();
    await Promise.race([this.#tail, sleep(graceMs, timer.signal).catch(() => {})]);
    timer.abort();
  }

  #send(code: number, structBytes: number, fill: (words: Uint32Array) => void, rest: readonly Uint8Array[] = []): Promise<void> {
    const head = Buffer.allocUnsafeSlow(structSize.outHeader + structBytes);
    const words = new Uint32Array(head.buffer);
    const len = rest.reduce((sum, chunk) => sum + chunk.length, head.length);
    encodeOutHeader(words, 0, { len, error: code, uniqueLow: 0, uniqueHigh: 0 });
    fill(words);
    const sent = this.#tail.then(() => this.#write([head, ...rest]));
    this.#tail = sent.catch(() => {});
    return sent;
  }

  #write(message: Uint8Array[]): Promise<void> {
    if (this.#closed) return Promise.reject(new DriverError("Disconnected", "the FUSE session has ended"));
    this.#pending++;
    return new Promise((resolve, reject) => {
      writev(this.#fd, message, (error) => {
        this.#pending--;
        // ENOENT: the kernel does not know the node or the name, so there is nothing to drop.
        if (!error || error.errno === -Errno.ENOENT) resolve();
        else reject(fromNodeError(error, "notify the kernel"));
      });
    });
  }
}
