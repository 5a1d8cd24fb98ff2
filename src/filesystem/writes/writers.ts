// Files opened for writing: where their bytes go, and what becomes of the name when they have arrived or not.
import type { Handle } from "../../fuse/file-system.ts";
import type { WriteOptions } from "../../s3/object-store.ts";
import { contentTypeOf } from "../content-type.ts";
import type { Namespace } from "../namespace.ts";
import type { WriterRecord } from "../record.ts";
import type { DirectoryNode, FileNode, LocalFile } from "../state.ts";
import { notifyLater, type Volume } from "../volume.ts";
import { type AppendOptions, AppendUpload } from "./append-upload.ts";
import type { ConditionalSupport } from "./finish.ts";
import { Upload } from "./upload.ts";
import type { UploadPool } from "./upload-pool.ts";
import { type Sink, Writer } from "./writer.ts";

export class Writers {
  readonly #volume: Volume;
  readonly #namespace: Namespace;
  readonly #pool: UploadPool;
  readonly #conditional: ConditionalSupport = { supported: undefined };

  constructor(volume: Volume, namespace: Namespace, pool: UploadPool) {
    this.#volume = volume;
    this.#namespace = namespace;
    this.#pool = pool;
  }

  /** Opens again what another process had open. */
  restore(node: FileNode, record: WriterRecord): void {
    const sink =
      record.upload?.kind === "append"
        ? this.appendix(node, record.upload.base)
        : this.#newUpload(node, !this.#volume.options.allowOverwrite);
    if (sink instanceof Upload && record.upload) sink.resume(record.upload);
    const local: LocalFile = node.local ?? { writer: undefined, size: 0, atimeMs: this.#volume.now(), mtimeMs: this.#volume.now() };
    const writer = this.add(node, local, sink, record.handle, record.opener);
    writer.written = record.written;
    if (record.state !== "open") {
      void sink.abort();
      return writer.end(record.state);
    }
    node.local = local;
    local.writer = writer;
    for (const chunk of record.upload?.tail ?? []) void sink.append(chunk);
    local.size = sink.size;
  }

  add(node: FileNode, local: LocalFile, sink: Sink, handle: Handle, opener: number | undefined): Writer {
    const writer = new Writer({
      handle,
      node,
      sink,
      local,
      opener,
      volume: this.#volume,
      onComplete: (result) => {
        this.#completed(node, result.etag, sink.size);
        if (sink instanceof Upload) this.#volume.options.crashRecord?.completed(handle, node.version);
      },
      onFailure: () => {
        this.#volume.options.crashRecord?.closed(handle);
        this.#failed(node);
      },
    });
    this.#volume.state.writers.set(handle, writer);
    return writer;
  }

  #completed(node: FileNode, etag: string, size: number): void {
    node.version = { etag, size, lastModifiedMs: node.local?.mtimeMs ?? this.#volume.now() };
    node.local = undefined;
    node.pagesKnown = false;
    // S3 has its own idea of the time of last modification: ask before telling.
    node.validUntilMs = 0;
    const { parent } = node;
    if (!parent) return;
    this.#namespace.changed(parent, node.name);
    node.knownSince = this.#volume.state.nextOrder();
    for (let directory: DirectoryNode | undefined = parent; directory?.local; directory = directory.parent) directory.local = false;
  }

  #failed(node: FileNode): void {
    node.local = undefined;
    node.validUntilMs = 0;
    const { parent } = node;
    if (!parent) return;
    this.#namespace.changed(parent, node.name);
    // The kernel may hold pages of what was written: the name gets another number, whatever it means now.
    if (node.lookups > 0) notifyLater(this.#volume, (notifier) => notifier.invalidateEntry(parent.id, node.name));
    this.#volume.state.detach(node);
  }

  /** Where the bytes of a file that does not exist yet go. */
  newObject(node: FileNode): Sink {
    if (this.#volume.options.incrementalUpload) return this.appendix(node, undefined);
    return this.#newUpload(node, !this.#volume.options.allowOverwrite);
  }

  replacement(node: FileNode): Sink {
    return this.#newUpload(node, false);
  }

  #newUpload(node: FileNode, create: boolean): Upload {
    const { store, options } = this.#volume;
    return new Upload({
      store,
      pool: this.#pool,
      key: node.key,
      partSize: options.writePartSize,
      write: this.#writeOptions(node.name),
      condition: { create, support: this.#conditional },
      tee: this.#volume.disk?.tee(node.key),
    });
  }

  appendix(node: FileNode, base: AppendOptions["base"]): Sink {
    const { store, options } = this.#volume;
    return new AppendUpload({
      store,
      pool: this.#pool,
      key: node.key,
      partSize: options.writePartSize,
      write: this.#writeOptions(node.name),
      base,
    });
  }

  #writeOptions(name: string): WriteOptions {
    const { storageClass, sse, sseKmsKeyId, checksum, inferContentType } = this.#volume.options;
    const contentType = inferContentType ? contentTypeOf(name) : undefined;
    return {
      checksum,
      ...(contentType ? { contentType } : {}),
      ...(storageClass ? { storageClass } : {}),
      ...(sse ? { sse } : {}),
      ...(sseKmsKeyId ? { sseKmsKeyId } : {}),
    };
  }
}
