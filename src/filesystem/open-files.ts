// Opening files. A handle reads or writes for life. A file has many readers or one writer, never both; who was flushed
// (closed, as far as we can see) no longer counts, and the next open ends it.
import { DriverError } from "../core/errors.ts";
import type { Awaitable, Caller, Handle, NodeId, OpenReply, ReadReply } from "../fuse/file-system.ts";
import { badHandle, invalid, notFound, notPermitted, stale } from "./errors.ts";
import type { Namespace } from "./namespace.ts";
import { type OpenFlags, openFlags } from "./open-flags.ts";
import type { BlockCache } from "./reads/block-cache.ts";
import { isReadByKernel } from "./reads/reader.ts";
import { Readers } from "./reads/readers.ts";
import type { ReaderRecord, WriterRecord } from "./record.ts";
import type { DirectoryNode, FileNode, LocalFile, Node } from "./state.ts";
import type { Volume } from "./volume.ts";
import type { UploadPool } from "./writes/upload-pool.ts";
import type { Sink, Writer } from "./writes/writer.ts";
import { Writers } from "./writes/writers.ts";

export class OpenFiles {
  readonly #volume: Volume;
  readonly #namespace: Namespace;
  readonly #reading: Readers;
  readonly #writing: Writers;

  constructor(volume: Volume, namespace: Namespace, cache: BlockCache, pool: UploadPool) {
    this.#volume = volume;
    this.#namespace = namespace;
    this.#reading = new Readers(volume, namespace, cache);
    this.#writing = new Writers(volume, namespace, pool);
  }

  open(id: NodeId, rawFlags: number, caller: Caller): Awaitable<OpenReply> {
    const node = this.#volume.state.nodes.get(id);
    if (!node) throw this.#volume.state.unknownNode(id);
    if (node.kind === "directory") throw new DriverError("IsDirectory", `${node.key} is a directory`);
    const flags = openFlags(rawFlags);
    if (flags.synchronous) throw invalid("O_SYNC and O_DSYNC are not supported");
    const { writer } = node.local ?? {};
    if (writer && !writer.active) return this.#openAfter(writer, node, flags, caller);
    return node.local ? this.#openLocal(node, node.local, flags, caller) : this.#openRemote(node, flags, caller);
  }

  /** A node for a file that exists only here; the caller has made sure that the name is free. */
  makeLocal(directory: DirectoryNode, name: string): FileNode {
    const now = this.#volume.now();
    const node = this.#volume.state.addFile(directory, name, undefined);
    node.local = { writer: undefined, size: 0, atimeMs: now, mtimeMs: now };
    node.validUntilMs = now + this.#volume.options.positiveMs;
    this.#namespace.changed(directory, name);
    node.knownSince = this.#volume.state.nextOrder();
    return node;
  }

  openNew(node: FileNode, rawFlags: number, caller: Caller): OpenReply {
    const flags = openFlags(rawFlags);
    if (flags.synchronous) throw invalid("O_SYNC and O_DSYNC are not supported");
    return this.#openLocal(node, node.local as LocalFile, flags, caller);
  }

  read(handle: Handle, offset: number, size: number): Awaitable<ReadReply> {
    const reader = this.#volume.state.readers.get(handle);
    if (!reader) throw badHandle("this handle is not for reading");
    if (reader.invalidated) throw badHandle("the file was closed and opened again");
    reader.active = true;
    return reader.read(offset, size);
  }

  write(handle: Handle, offset: number, data: Uint8Array, resent: boolean): Awaitable<number> {
    return this.#writer(handle).write(offset, data, resent);
  }

  flush(handle: Handle, caller: Caller): Awaitable<void> {
    const reader = this.#volume.state.readers.get(handle);
    if (!reader) return this.#writer(handle).flush(this.#volume.options.threadGroupOf(caller.pid));
    reader.active = false;
  }

  fsync(handle: Handle): Awaitable<void> {
    if (!this.#volume.state.readers.has(handle)) return this.#writer(handle).fsync();
  }

  release(handle: Handle): Awaitable<void> {
    const { state } = this.#volume;
    const reader = state.readers.get(handle);
    if (reader) return this.#reading.release(reader);
    const writer = state.writers.get(handle);
    if (!writer) return;
    writer.active = false;
    writer.released = true;
    return this.#releaseWriter(writer);
  }

  /** What is open, as plain data. Uploads that fail meanwhile are recorded as failed. */
  async record(): Promise<{ readonly readers: readonly ReaderRecord[]; readonly writers: readonly WriterRecord[] }> {
    const { state } = this.#volume;
    const readers = [...state.readers.values()].map(({ handle, node, object, active, readByKernel }) => ({
      handle,
      node: node.id,
      key: object.key,
      etag: object.etag,
      size: object.size,
      active,
      readByKernel,
    }));
    const writers = [...state.writers.values()].map(async (writer): Promise<WriterRecord> => {
      const upload = writer.outcome === "open" ? await writer.sink.describe().catch(() => undefined) : undefined;
      const outcome = writer.outcome === "open" && !upload ? "failed" : writer.outcome;
      return { handle: writer.handle, node: writer.node.id, opener: writer.opener, written: writer.written, state: outcome, upload };
    });
    return { readers, writers: await Promise.all(writers) };
  }

  /** Opens again what another process had open; the nodes are there already. */
  restore(readers: readonly ReaderRecord[], writers: readonly WriterRecord[]): void {
    const { state } = this.#volume;
    for (const record of readers) {
      const node = state.nodes.get(record.node);
      if (node?.kind === "file") this.#reading.restore(node, record);
    }
    for (const record of writers) {
      const node = state.nodes.get(record.node);
      if (node?.kind === "file") this.#writing.restore(node, record);
    }
  }

  #writer(handle: Handle): Writer {
    const writer = this.#volume.state.writers.get(handle);
    if (!writer) throw badHandle("this handle is not for writing");
    return writer;
  }

  async #releaseWriter(writer: Writer): Promise<void> {
    try {
      // Nobody is left to be told of a failure but the log.
      if (!writer.done) await writer.complete();
    } catch (error) {
      this.#volume.log.error("a file could not be uploaded after its last close", { key: writer.node.key, error });
    } finally {
      this.#volume.state.writers.delete(writer.handle);
      this.#volume.state.collect(writer.node);
    }
  }

  async #openAfter(writer: Writer, node: FileNode, flags: OpenFlags, caller: Caller): Promise<OpenReply> {
    await writer.complete().catch(() => {});
    writer.invalidated = true;
    if (!this.#volume.state.isAttached(node)) throw notFound(`${node.key} could not be written`);
    return node.local ? this.#openLocal(node, node.local, flags, caller) : await this.#openRemote(node, flags, caller);
  }

  #openLocal(node: FileNode, local: LocalFile, flags: OpenFlags, caller: Caller): OpenReply {
    if (flags.mode !== "read") this.#checkWriterCount();
    if (local.writer) throw notPermitted(`${node.key} is being written`);
    if (flags.mode === "read") throw notPermitted(`${node.key} was not written yet`);
    return this.#startWriting(node, local, flags, caller, this.#writing.newObject(node));
  }

  #openRemote(node: FileNode, flags: OpenFlags, caller: Caller): Awaitable<OpenReply> {
    if (!this.#volume.state.isAttached(node)) throw stale(`${node.key} is another file now`);
    const current = this.#namespace.revalidate(node, flags.direct);
    return current instanceof Promise
      ? current.then((found) => this.#openFound(found, node.key, flags, caller))
      : this.#openFound(current, node.key, flags, caller);
  }

  #openFound(node: Node | undefined, key: string, flags: OpenFlags, caller: Caller): Awaitable<OpenReply> {
    if (node?.kind !== "file") throw notFound(`${key} does not exist`);
    const wantsWrite = flags.mode === "write" || (flags.mode === "both" && this.#mayReplace(flags));
    if (wantsWrite) {
      this.#checkWriterCount();
      return this.#openExisting(node, flags, caller);
    }
    return this.#reading.open(node, flags);
  }

  #mayReplace(flags: OpenFlags): boolean {
    const { allowOverwrite, incrementalUpload } = this.#volume.options;
    return (allowOverwrite && flags.truncate) || (incrementalUpload && flags.append);
  }

  #openExisting(node: FileNode, flags: OpenFlags, caller: Caller): OpenReply {
    const { allowOverwrite, incrementalUpload, readOnly } = this.#volume.options;
    if (readOnly) throw new DriverError("ReadOnly", "the mount is read-only");
    const replaces = allowOverwrite && flags.truncate;
    if (!replaces && !incrementalUpload) {
      throw notPermitted(`${node.key} exists: it can only be replaced as a whole, with O_TRUNC and --allow-overwrite`);
    }
    if (node.renaming) throw notPermitted(`${node.key} is being renamed`);
    if (node.local?.writer) throw notPermitted(`${node.key} is being written`);
    for (const reader of node.readers) if (reader.active) throw notPermitted(`${node.key} is being read`);
    if (isReadByKernel(node)) throw this.#reading.part(node);
    for (const reader of node.readers) reader.invalidated = true;
    const now = this.#volume.now();
    const local: LocalFile = { writer: undefined, size: replaces ? 0 : (node.version?.size ?? 0), atimeMs: now, mtimeMs: now };
    node.local = local;
    return this.#startWriting(
      node,
      local,
      flags,
      caller,
      replaces ? this.#writing.replacement(node) : this.#writing.appendix(node, node.version),
    );
  }

  #checkWriterCount(): void {
    const { maxWriters } = this.#volume.options;
    if (this.#volume.state.writers.size >= maxWriters)
      throw new DriverError("OutOfMemory", `${maxWriters} files are open for writing; the memory budget carries no more`);
  }

  #startWriting(node: FileNode, local: LocalFile, flags: OpenFlags, caller: Caller, sink: Sink): OpenReply {
    const { state, options } = this.#volume;
    const writer = this.#writing.add(node, local, sink, state.reserveHandle(), options.threadGroupOf(caller.pid));
    local.writer = writer;
    return flags.direct ? { handle: writer.handle, directIo: true } : { handle: writer.handle };
  }
}
