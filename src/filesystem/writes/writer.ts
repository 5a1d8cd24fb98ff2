// A file opened for writing, and what close(), fsync() and dup() do to it.
import { DriverError, toDriverError } from "../../core/errors.ts";
import type { Awaitable, Handle } from "../../fuse/file-system.ts";
import type { PutResult } from "../../s3/object-store.ts";
import { badHandle, invalid, ioError } from "../errors.ts";
import type { UploadRecord } from "../record.ts";
import type { FileNode, LocalFile } from "../state.ts";
import type { Volume } from "../volume.ts";

/** Where the bytes go: Upload, or AppendUpload in incremental mode. */
export interface Sink {
  readonly size: number;
  append(data: Uint8Array): Awaitable<void>;
  complete(): Promise<PutResult>;
  abort(): Promise<void>;
  /** What another process needs to go on with it; waits for what is on its way. */
  describe(): Promise<UploadRecord>;
  /** Makes what was written so far visible and goes on; where it exists, fsync does not end the file. */
  publish?(): Promise<PutResult>;
}

export interface WriterOptions {
  readonly handle: Handle;
  readonly node: FileNode;
  readonly sink: Sink;
  readonly local: LocalFile;
  /** Process that opened the file; undefined when it can't be seen. */
  readonly opener: number | undefined;
  readonly volume: Volume;
  /** The object is in S3 as this version; the file is no longer ours alone. */
  readonly onComplete: (result: PutResult) => void;
  readonly onFailure: (error: DriverError) => void;
}

export class Writer {
  readonly handle: Handle;
  readonly node: FileNode;
  readonly sink: Sink;
  readonly opener: number | undefined;
  /** False after a FLUSH, until it is used again. */
  active = true;
  /** Closed behind its back: it was flushed, and then the file was opened again. */
  invalidated = false;
  released = false;
  readonly #options: WriterOptions;
  written = false;
  #completion: Promise<void> | undefined;
  #completed = false;
  #failure: DriverError | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.handle = options.handle;
    this.node = options.node;
    this.sink = options.sink;
    this.opener = options.opener;
  }

  get outcome(): "open" | "completed" | "failed" {
    return this.#failure ? "failed" : this.#completed ? "completed" : "open";
  }

  /** For a handle that another process ended. */
  end(outcome: "completed" | "failed"): void {
    if (outcome === "failed") this.#failure = new DriverError("Io", `${this.node.key} could not be written`);
    else {
      this.#completed = true;
      this.#completion = Promise.resolve();
    }
  }

  get done(): boolean {
    return this.#completed || this.#failure !== undefined;
  }

  /** @param resent a process that died may have taken these bytes already */
  write(offset: number, data: Uint8Array, resent = false): Awaitable<number> {
    if (this.invalidated) throw badHandle(`${this.node.key} was closed and opened again`);
    if (this.#failure) throw this.#failure;
    if (this.#completion) throw new DriverError("Io", `${this.node.key} is complete; nothing more can be written`);
    this.active = true;
    if (resent && offset + data.length <= this.sink.size) return data.length;
    if (offset !== this.sink.size) throw this.#fail(invalid(`${this.node.key}: writing at ${offset}, but the end is at ${this.sink.size}`));
    try {
      const appended = this.sink.append(data);
      this.written ||= data.length > 0;
      this.#options.local.size = this.sink.size;
      this.#options.local.mtimeMs = this.#options.volume.now();
      if (!(appended instanceof Promise)) return data.length;
      return appended.then(
        () => data.length,
        (error: unknown) => {
          throw this.#fail(error);
        },
      );
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** One of the duplicates was closed. The upload ends with the opener's close(), so that it hears of a failure; a fork or a
   *  shell that closes its copy before anything was written must not end it. */
  async flush(caller: number | undefined): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.active = false;
    if (this.#completed || !this.written) return;
    if (this.opener !== undefined && caller !== undefined && caller !== this.opener) return;
    await this.complete();
  }

  async fsync(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.sink.publish && !this.#completion) {
      try {
        await this.sink.publish();
      } catch (error) {
        throw this.#fail(error);
      }
    } else await this.complete();
  }

  /** Idempotent. Rejects with what close() should say. */
  complete(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#completion ??= this.sink.complete().then(
      (result) => {
        this.#completed = true;
        this.#options.onComplete(result);
      },
      (error: unknown) => {
        throw this.#fail(error);
      },
    );
    return this.#completion;
  }

  /** Every later call on this handle is told the same. */
  #fail(thrown: unknown): DriverError {
    if (this.#failure) return this.#failure;
    const error = toDriverError(thrown);
    const keeps = ["InvalidArgument", "OutOfMemory", "AlreadyExists", "FileTooLarge", "NoSpace"].includes(error.code);
    const told = keeps
      ? error
      : ioError(
          error.code === "Cancelled" ? new DriverError("Io", error.message, { cause: error }) : error,
          this.#options.volume.options.profile,
          `writing ${this.node.key}`,
        );
    this.#failure = error.code === "FileTooLarge" ? new DriverError("NoSpace", error.message) : told;
    this.sink
      .abort()
      .catch((cause: unknown) =>
        this.#options.volume.log.warn("an unfinished upload could not be removed", { key: this.node.key, error: cause }),
      );
    this.#options.onFailure(told);
    return told;
  }
}
