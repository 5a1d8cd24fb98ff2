// A served FUSE connection: any descriptor of /dev/fuse, mounted by us or by somebody else, and a file system behind it.
import { closeSync } from "node:fs";
import { abiMajor, decodeNotifyRetrieveIn, encodeInitOut, Opcode, structSize } from "../../generated/fuse/kernel.ts";
import { Errno, errnoName } from "../core/errno.ts";
import { DriverError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { libc } from "../linux/libc.ts";
import { DeviceReader } from "./device-reader.ts";
import { DeviceWriter } from "./device-writer.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { FileSystem, Negotiation } from "./file-system.ts";
import { type Agreed, describeAgreed, has, negotiate, writeInitOut } from "./negotiation.ts";
import { Notifications } from "./notifications.ts";
import { emptyReply } from "./replies.ts";
import type { Request } from "./request.ts";
import { type RequestBuffer, RequestBufferPool } from "./request-buffer.ts";
import type { SessionState } from "./session-state.ts";

export interface SessionOptions {
  /** The session's from now on: it closes it at the end. */
  readonly fd: number;
  readonly fileSystem: FileSystem;
  readonly log: Logger;
  /** Go on with a connection that another process negotiated. */
  readonly resume?: SessionState;
  /** Largest WRITE and READ. The kernel's limit is 1 MiB unless fs.fuse.max_pages_limit was raised. */
  readonly maxWrite?: number;
  readonly maxBackground?: number;
  /** A request that takes longer is answered ETIMEDOUT; 0, the default, waits for ever. */
  readonly requestTimeoutMs?: number;
  /** Payloads of this size and more are written in the thread pool. */
  readonly asyncReplyFrom?: number;
  readonly signal?: AbortSignal;
}

export type SessionEnd = "unmounted" | "aborted" | "stopped" | "handed over";

export interface StopOptions {
  /** How long requests under way may take to end by themselves. */
  readonly graceMs?: number;
  /** Leave the connection to another process: unanswered requests stay for it, destroy() is not called. */
  readonly handOver?: boolean;
}

export class FuseSession {
  readonly #options: SessionOptions;
  readonly #dispatcher: Dispatcher;
  readonly #notifications: Notifications;
  readonly #started = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<SessionEnd>();
  readonly #reader: DeviceReader;
  #agreed: Agreed | undefined;
  #ending: Promise<void> | undefined;

  /** Resolves when the kernel's INIT was answered, or at once when a connection is taken over. */
  static async start(options: SessionOptions): Promise<FuseSession> {
    const session = new FuseSession(options);
    const onAbort = () => void session.stop({ graceMs: 0 });
    options.signal?.addEventListener("abort", onAbort, { once: true });
    try {
      options.signal?.throwIfAborted();
      await session.#start();
      return session;
    } catch (error) {
      await session.stop({ graceMs: 0, handOver: options.resume !== undefined });
      throw error;
    } finally {
      options.signal?.removeEventListener("abort", onAbort);
    }
  }

  private constructor(options: SessionOptions) {
    this.#options = options;
    process.on("exit", this.#onExit);
    // start() may have failed already when the connection ends.
    this.#started.promise.catch(() => {});
    this.#notifications = new Notifications(options.fd);
    this.#dispatcher = new Dispatcher({
      fileSystem: options.fileSystem,
      device: new DeviceWriter(options.fd),
      log: options.log,
      ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
      ...(options.asyncReplyFrom === undefined ? {} : { asyncReplyFrom: options.asyncReplyFrom }),
      session: { init: (r) => this.#init(r), destroy: (r) => this.#destroy(r), retrieved: (r) => this.#retrieved(r) },
    });
    const maxWrite = Math.max(options.resume?.agreed.maxWrite ?? 0, options.maxWrite ?? defaultMaxWrite);
    this.#reader = new DeviceReader(options.fd, new RequestBufferPool(maxWrite + headroom), {
      request: (buffer, size) => this.#request(buffer, size),
      batchEnd: () => this.#dispatcher.batchEnd(),
      end: (errno) => this.#connectionEnded(errno),
    });
  }

  get notifier(): Notifications {
    return this.#notifications;
  }

  get negotiated(): Negotiation {
    return describeAgreed(this.#required());
  }

  /** How it ended. Never rejects; resolves after destroy() and when the descriptor is closed. */
  get closed(): Promise<SessionEnd> {
    return this.#closed.promise;
  }

  /** Requests whose answer is being worked on. */
  get requestsUnderWay(): number {
    return this.#dispatcher.inFlight.size;
  }

  /** For the process that takes over. Valid from the moment start() has resolved. */
  exportState(): SessionState {
    return { format: 1, agreed: this.#required() };
  }

  /** Reads no more requests, lets those under way end, closes the descriptor. The mount itself is the caller's to undo. */
  stop(options: StopOptions = {}): Promise<void> {
    this.#ending ??= this.#stop(options);
    return this.#ending;
  }

  async #start(): Promise<void> {
    const { resume } = this.#options;
    if (resume) await this.#agree(resume.agreed);
    // Before the first read: what a predecessor took with it comes first. That may be INIT itself, so a new connection asks too.
    const repeated = this.#notifications.resend();
    if (resume) {
      if (!repeated) this.#options.log.warn("this kernel cannot repeat the requests that the last server left unanswered");
      this.#started.resolve();
    }
    this.#reader.start();
    await this.#started.promise;
  }

  async #agree(agreed: Agreed): Promise<void> {
    this.#agreed = agreed;
    this.#dispatcher.setxattrExtended = has(agreed, "SETXATTR_EXT");
    await this.#options.fileSystem.init?.(describeAgreed(agreed));
  }

  #request(buffer: RequestBuffer, size: number): void {
    // INIT comes first and once. Without its outcome nothing can be decoded for certain; the kernel may ask the next server.
    if (this.#agreed || buffer.words[1] === Opcode.INIT) this.#dispatcher.request(buffer, size);
    else this.#started.reject(new DriverError("FailedPrecondition", "another process has negotiated this connection, and its state was not given"));
  }

  #init(r: Request): void {
    const limits = { maxWrite: this.#options.maxWrite ?? defaultMaxWrite, maxBackground: this.#options.maxBackground ?? defaultMaxBackground };
    const wanted = this.#options.fileSystem.wantedCapabilities ?? [];
    const { out } = this.#dispatcher;
    let agreed: Agreed | undefined;
    try {
      agreed = negotiate(r.words, r.bodyAt, r.end - structSize.inHeader, wanted, limits);
    } catch (error) {
      this.#started.reject(error);
      throw error;
    }
    if (!agreed) {
      encodeInitOut(out.words, out.bodyAt, { ...emptyInitOut, major: abiMajor });
      out.finish(r, structSize.initOut);
      return;
    }
    const done = this.#agree(agreed).then(
      () => agreed,
      (error) => {
        this.#started.reject(error);
        throw error;
      },
    );
    this.#dispatcher.complete(r, done, {
      send: (d, request, value) => {
        writeInitOut(d.out.words, d.out.bodyAt, value);
        const errno = d.out.finish(request, structSize.initOut);
        if (errno === 0) this.#started.resolve();
        return errno;
      },
    });
  }

  #destroy(r: Request): void {
    this.#dispatcher.complete(r, undefined, emptyReply);
  }

  #retrieved(r: Request): void {
    r.answered = true;
    const { size } = decodeNotifyRetrieveIn(r.words, r.bodyAt);
    const at = structSize.inHeader + structSize.notifyRetrieveIn;
    // The kernel echoes our number as the request's own.
    this.#notifications.retrieved(r.request, r.buffer.bytes.subarray(at, Math.min(at + size, r.end)));
  }

  #connectionEnded(errno: number): void {
    const how: SessionEnd = errno === Errno.ENODEV ? "unmounted" : "aborted";
    if (errno !== Errno.ENODEV && errno !== Errno.ECONNABORTED) this.#options.log.error("reading from the kernel failed", { errno: errnoName(errno) });
    this.#started.reject(new DriverError("Disconnected", `the FUSE connection was ${how} before it was ready`, { errno }));
    const reason = new DriverError("Disconnected", "the mount is gone");
    this.#dispatcher.abortAll(reason, undefined);
    this.#ending ??= this.#finish(how, defaultGraceMs);
  }

  async #stop({ graceMs = defaultGraceMs, handOver = false }: StopOptions): Promise<void> {
    this.#reader.close();
    this.#started.reject(new DriverError("Cancelled", "the session was stopped"));
    await this.#finish(handOver ? "handed over" : "stopped", graceMs);
  }

  async #finish(how: SessionEnd, graceMs: number): Promise<void> {
    const { fileSystem, fd, log } = this.#options;
    const { inFlight, out } = this.#dispatcher;
    await inFlight.drained(AbortSignal.timeout(graceMs)).catch(() => log.warn("requests did not end in time", { count: inFlight.size }));
    this.#dispatcher.abortAll(new DriverError("Cancelled", "the session has ended"), how === "stopped" ? Errno.EIO : undefined);
    inFlight.close();
    this.#dispatcher.batchEnd();
    await out.drained();
    if (how === "stopped" && this.#notifications.pending) this.#freeNotifications();
    await this.#notifications.close();
    try {
      if (how !== "handed over") await fileSystem.destroy?.();
    } catch (error) {
      log.error("destroy failed", { error });
    }
    closeSync(fd);
    process.off("exit", this.#onExit);
    this.#closed.resolve(how);
  }

  /** A message that the kernel is still taking may wait for a page whose READ only we can answer. Its thread cannot be
   *  killed, and while it sleeps neither can the process end nor the descriptor close. So everything is answered first. */
  #freeNotifications(): void {
    this.#dispatcher.abortAll(new DriverError("Cancelled", "the session has ended"), Errno.EIO);
    this.#dispatcher.refuse(Errno.EIO);
    for (let round = 0; round < 5; round++) {
      this.#reader.drain(1000);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }

  readonly #onExit = (code: number): void => {
    if (!this.#notifications.pending) return;
    this.#freeNotifications();
    // exit() would join the thread pool.
    libc.exitNow(code);
  };

  #required(): Agreed {
    if (!this.#agreed) throw new DriverError("FailedPrecondition", "the FUSE session has not negotiated yet");
    return this.#agreed;
  }
}

const defaultMaxWrite = 1024 * 1024;
const defaultMaxBackground = 64;
const defaultGraceMs = 5000;
/** Beside the data a WRITE carries two structs; the kernel wants room for a page. */
const headroom = 4096;
const emptyInitOut = {
  major: 0, minor: 0, maxReadahead: 0, flags: 0, flags2: 0, maxBackground: 0, congestionThreshold: 0, maxWrite: 0, timeGran: 0, maxPages: 0,
  mapAlignment: 0, maxStackDepth: 0, requestTimeout: 0,
} as const;
