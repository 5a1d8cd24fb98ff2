// From a message to the file system and back. Knows nothing of how messages arrive: the session feeds it from the device, a
// test from anywhere. Whatever the bytes are, it neither throws nor leaves an answerable request without an answer.
import { Opcode, requestShapes, structSize } from "../../generated/fuse/kernel.ts";
import { Errno, errnoName, errnoOf } from "../core/errno.ts";
import { DriverError, explain } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { ReplyDevice } from "./device-writer.ts";
import type { Awaitable, Caller, FileSystem, Forget, Handle, NodeId } from "./file-system.ts";
import { InFlight } from "./in-flight.ts";
import { endOfName } from "./names.ts";
import { directoryOperations } from "./operations/directories.ts";
import { fileOperations } from "./operations/files.ts";
import { forgetOperations } from "./operations/forgets.ts";
import { lockOperations } from "./operations/locks.ts";
import { nodeOperations } from "./operations/nodes.ts";
import { xattrOperations } from "./operations/xattrs.ts";
import type { Reply } from "./replies.ts";
import { ReplyWriter } from "./reply-writer.ts";
import { Request } from "./request.ts";
import type { RequestBuffer } from "./request-buffer.ts";

/** Decodes a request whose length has been checked, and calls the file system. May throw: that becomes the errno. */
export type Operation = (d: Dispatcher, r: Request) => void;

export interface DispatcherOptions {
  readonly fileSystem: FileSystem;
  readonly device: ReplyDevice;
  readonly log: Logger;
  /** 0: none. A request that takes longer is answered ETIMEDOUT and its signal aborted. */
  readonly requestTimeoutMs?: number;
  readonly asyncReplyFrom?: number;
  /** INIT, DESTROY and NOTIFY_REPLY belong to the session. */
  readonly session: { init(r: Request): void; destroy(r: Request): void; retrieved(r: Request): void };
}

export class Dispatcher {
  readonly fileSystem: FileSystem;
  readonly out: ReplyWriter;
  readonly log: Logger;
  readonly inFlight: InFlight;
  /** SETXATTR carries the longer struct. */
  setxattrExtended = false;
  readonly #operations: readonly (Operation | undefined)[];
  #forgotten: Forget[] = [];
  #refusal: number | undefined;

  constructor(options: DispatcherOptions) {
    this.fileSystem = options.fileSystem;
    this.log = options.log;
    this.out = new ReplyWriter(options.device, options.asyncReplyFrom ?? 256 * 1024);
    this.inFlight = new InFlight(options.requestTimeoutMs ?? 0, (r) => this.#timedOut(r));
    this.#operations = operationTable(options.session);
  }

  /** One message of `size` bytes. Retains the buffer when an operation goes on using it. */
  request(buffer: RequestBuffer, size: number): void {
    const { words } = buffer;
    if (size < structSize.inHeader || words[0] !== size) {
      this.log.error("dropped a malformed FUSE message", { size, claimed: size >= 4 ? words[0] : undefined });
      return;
    }
    const r = new Request(buffer, size);
    const operation = this.#operations[r.opcode];
    if (operation === undefined || this.#refusal !== undefined) {
      const reply = requestShapes[r.opcode]?.reply ?? true;
      if (reply) this.fail(r, this.#refusal ?? Errno.ENOSYS);
      return;
    }
    if (!this.#wellFormed(r)) return;
    try {
      operation(this, r);
    } catch (error) {
      this.failWith(r, error);
    }
  }

  batchEnd(): void {
    if (this.#forgotten.length === 0) return;
    const forgotten = this.#forgotten;
    this.#forgotten = [];
    try {
      this.fileSystem.forget?.(forgotten);
    } catch (error) {
      this.log.error("forget failed", { error });
    }
  }

  /** Answers with the result once it is there. `keepBuffer`: the operation still reads from the request's buffer. */
  complete<T>(r: Request, result: Awaitable<T>, reply: Reply<T>, keepBuffer = false): void {
    if (!(result instanceof Promise)) {
      this.#answer(r, result, reply);
      return;
    }
    if (keepBuffer) r.buffer.retain();
    this.inFlight.add(r);
    const { buffer } = r;
    result.then(
      (value) => {
        this.inFlight.remove(r);
        this.#answer(r, value, reply);
        if (keepBuffer) buffer.free();
      },
      (error) => {
        this.inFlight.remove(r);
        this.failWith(r, error);
        if (keepBuffer) buffer.free();
      },
    );
  }

  fail(r: Request, errno: number): void {
    if (r.answered) return;
    r.answered = true;
    this.#written(r, this.out.error(r, errno));
  }

  failWith(r: Request, thrown: unknown): void {
    const errno = errnoOf(thrown);
    if (!(thrown instanceof DriverError)) this.log.error("a file system operation failed unexpectedly", { operation: nameOf(r), error: thrown });
    else if (this.log.enabled("debug")) this.log.debug("answered with an error", { operation: nameOf(r), node: r.node, errno: errnoName(errno), reason: explain(thrown) });
    this.fail(r, errno);
  }

  /** Collects: the file system is told once per batch. */
  forget(node: NodeId, count: number): void {
    if (node !== 0 && count > 0) this.#forgotten.push({ node, count });
  }

  /** The kernel never learnt of this handle, so no RELEASE will come. */
  releaseUnseen(node: NodeId, handle: Handle, caller: Caller): void {
    this.quietly(() => this.fileSystem.release?.(node, handle, 0, caller));
  }

  releaseDirectoryUnseen(node: NodeId, handle: Handle, caller: Caller): void {
    this.quietly(() => this.fileSystem.releasedir?.(node, handle, caller));
  }

  /** From now on every request is answered with the errno. */
  refuse(errno: number): void {
    this.#refusal = errno;
  }

  /** Ends what is under way: signals abort, and the kernel is answered when `errno` is given. */
  abortAll(reason: DriverError, errno: number | undefined): void {
    for (const r of this.inFlight.all()) {
      r.abort(reason);
      if (errno !== undefined) this.fail(r, errno);
      r.answered = true;
    }
  }

  #answer<T>(r: Request, value: T, reply: Reply<T>): void {
    if (r.answered) {
      reply.undo?.(this, r, value);
      return;
    }
    r.answered = true;
    const errno = reply.send(this, r, value);
    if (errno === 0) return;
    reply.undo?.(this, r, value);
    this.#written(r, errno);
  }

  #written(r: Request, errno: number): void {
    // ENOENT: the caller was killed or gave up. ENODEV: unmounted meanwhile; the reader reports that.
    if (errno === 0 || errno === Errno.ENOENT || errno === Errno.ENODEV) return;
    this.log.error("the kernel refused a reply", { operation: nameOf(r), node: r.node, errno: errnoName(errno) });
    if (errno === Errno.EINVAL) this.out.error(r, Errno.EIO);
  }

  #timedOut(r: Request): void {
    this.log.warn("a request took too long", { operation: nameOf(r), node: r.node, pid: r.pid });
    const reason = new DriverError("DeadlineExceeded", `${nameOf(r)} took too long`);
    r.abort(reason);
    this.fail(r, errnoOf(reason));
  }

  /** The struct and the names are all there; extensions at the end are cut off. */
  #wellFormed(r: Request): boolean {
    const shape = requestShapes[r.opcode];
    if (shape === undefined) return true;
    const { bytes, words } = r.buffer;
    const total = r.end;
    r.end -= ((words[9] as number) & 0xffff) * 8;
    let at = structSize.inHeader + shape.bodySize;
    if (r.opcode === Opcode.SETXATTR && this.setxattrExtended) at = structSize.inHeader + structSize.setxattrExtIn;
    let fits = at <= r.end;
    for (let i = 0; fits && i < shape.names; i++) {
      const nul = endOfName(bytes, at, r.end);
      fits = nul >= 0;
      at = nul + 1;
    }
    if (fits) return true;
    this.log.error("a FUSE request is shorter than its kind demands", { operation: shape.name, size: total });
    if (shape.reply) this.fail(r, Errno.EIO);
    return false;
  }

  /** For what the kernel does not wait for. */
  quietly(action: () => Awaitable<void> | undefined): void {
    const report = (error: unknown) => this.log.error("release failed", { error });
    try {
      const result = action();
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  }
}

function nameOf(r: Request): string {
  return requestShapes[r.opcode]?.name ?? `opcode ${r.opcode}`;
}

function operationTable(session: DispatcherOptions["session"]): readonly (Operation | undefined)[] {
  const table: (Operation | undefined)[] = new Array(64).fill(undefined);
  const groups = [nodeOperations, fileOperations, directoryOperations, xattrOperations, lockOperations, forgetOperations];
  for (const group of groups) for (const [opcode, operation] of group) table[opcode] = operation;
  table[Opcode.INIT] = (_, r) => session.init(r);
  table[Opcode.DESTROY] = (_, r) => session.destroy(r);
  table[Opcode.NOTIFY_REPLY] = (_, r) => session.retrieved(r);
  return table;
}
