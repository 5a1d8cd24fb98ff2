// Files opened for reading: whether the kernel keeps its pages, reads by itself, or waits for the first bytes.
import { DriverError } from "../../core/errors.ts";
import type { Awaitable, OpenReply } from "../../fuse/file-system.ts";
import { isArchived } from "../attributes.ts";
import { badHandle, notPermitted, stale } from "../errors.ts";
import type { Namespace } from "../namespace.ts";
import type { OpenFlags } from "../open-flags.ts";
import type { ReaderRecord } from "../record.ts";
import type { DirectoryNode, FileNode } from "../state.ts";
import type { Volume } from "../volume.ts";
import { Backing } from "./backing.ts";
import type { BlockCache } from "./block-cache.ts";
import { isReadByKernel, Reader, smallObject } from "./reader.ts";

/** Knowledge as young as this needs no second look at open(); older one is proven by the first bytes. */
const justLookedUpMs = 100;

export class Readers {
  readonly #volume: Volume;
  readonly #namespace: Namespace;
  readonly #cache: BlockCache;

  constructor(volume: Volume, namespace: Namespace, cache: BlockCache) {
    this.#volume = volume;
    this.#namespace = namespace;
    this.#cache = cache;
  }

  release(reader: Reader): void {
    const { state } = this.#volume;
    state.readers.delete(reader.handle);
    reader.node.readers.delete(reader);
    reader.close();
    state.collect(reader.node);
  }

  /** Opens again what another process had open. */
  restore(node: FileNode, { handle, key, etag, size, active, readByKernel = false }: ReaderRecord): void {
    const reader = new Reader(handle, node, this.#cache.open(key, etag, size), this.#volume, this.#cache);
    reader.active = active;
    reader.readByKernel = readByKernel;
    this.#volume.state.readers.set(handle, reader);
    node.readers.add(reader);
  }

  open(node: FileNode, flags: OpenFlags): Awaitable<OpenReply> {
    const { version } = node;
    if (!version?.etag) throw badHandle(`${node.key} has no ETag`);
    if (isArchived(version)) throw new DriverError("AccessDenied", `${node.key} is archived (${version.storageClass}) and not restored`);
    if (node.renaming) throw notPermitted(`${node.key} is being renamed`);
    const { state, options } = this.#volume;
    // O_RDWR is no way into the cache's file.
    const mayPass = flags.mode === "read" && !flags.direct;
    if (isReadByKernel(node) && !mayPass) throw this.part(node);
    const way = mayPass ? this.#backingFor(node) : undefined;
    for (const reader of node.readers) if (!reader.active) reader.invalidated = true;
    const reader = new Reader(
      state.reserveHandle(),
      node,
      this.#cache.open(node.key, version.etag, version.size),
      this.#volume,
      this.#cache,
    );
    state.readers.set(reader.handle, reader);
    node.readers.add(reader);
    // A node is one version: whatever pages the kernel has of it are true. FLUSH is only needed where a writer could follow.
    const noFlush = !options.allowOverwrite && !options.incrementalUpload;
    const plain: OpenReply = flags.direct
      ? { handle: reader.handle, directIo: true, noFlush }
      : { handle: reader.handle, keepCache: true, noFlush };
    const backing = way?.(reader);
    return backing
      ? this.#passThrough(reader, backing, noFlush).then((passed) => passed ?? this.#prove(reader, plain, flags))
      : this.#prove(reader, plain, flags);
  }

  /** The kernel allows a node to be read by itself or through us, not both; whoever wants the other way gets a node of his own.
   *  ESTALE makes the kernel look the name up again, unseen. */
  part(node: FileNode): DriverError {
    const other = this.#volume.state.addFile(node.parent as DirectoryNode, node.name, node.version);
    other.validUntilMs = node.validUntilMs;
    other.knownSince = node.knownSince;
    // Else another reader might come first, and again there would be no way.
    other.onlyThroughUs = true;
    return stale(`${node.key} is read by the kernel itself`);
  }

  /** How a further reader of this node may leave reading to the kernel: with those who do so already, or as the first of all if
   *  the whole object is on disk and proven. Nobody else may have it open then, not even a writer who has finished. Registering
   *  costs more than it saves where a request or two bring everything. */
  #backingFor(node: FileNode): ((reader: Reader) => Backing | undefined) | undefined {
    const { passthrough, state } = this.#volume;
    for (const { backing } of node.readers) if (backing) return () => backing;
    if (!passthrough || node.onlyThroughUs || node.readers.size > 0 || [...state.writers.values()].some((writer) => writer.node === node)) return undefined;
    return ({ object: { onDisk: file, size } }) =>
      file && size > smallObject && file.map.proven === file.map.blocks ? new Backing(async () => passthrough.register(await file.descriptor())) : undefined;
  }

  async #passThrough(reader: Reader, backing: Backing, noFlush: boolean): Promise<OpenReply | undefined> {
    reader.backing = backing;
    reader.readByKernel = true;
    const backingId = await backing.acquire();
    // The kernel refuses an answer that speaks of its page cache too.
    if (backingId !== undefined) return { handle: reader.handle, noFlush, backingId };
    reader.backing = undefined;
    reader.readByKernel = false;
    return undefined;
  }

  #prove(reader: Reader, reply: OpenReply, flags: OpenFlags): Awaitable<OpenReply> {
    const { node, object } = reader;
    const { positiveMs, cachesMetadata } = this.#volume.options;
    const age = this.#volume.now() - (node.validUntilMs - positiveMs);
    if (node.pagesKnown && !flags.direct) return reply;
    node.pagesKnown = true;
    if (object.size <= smallObject || (age > justLookedUpMs && !cachesMetadata)) return this.#warmUp(reader, reply);
    return reply;
  }

  /** The first GET proves the version. If it is outdated, ESTALE makes the kernel walk the path again, unseen. */
  async #warmUp(reader: Reader, reply: OpenReply): Promise<OpenReply> {
    try {
      await reader.warmUp();
      return reply;
    } catch (error) {
      reader.node.validUntilMs = 0;
      reader.node.pagesKnown = false;
      if (reader.node.parent) this.#namespace.changed(reader.node.parent, reader.node.name);
      this.release(reader);
      throw error;
    }
  }
}
