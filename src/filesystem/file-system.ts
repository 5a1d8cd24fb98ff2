// The file system: what the kernel may ask, answered by the parts beside this file.
import type {
  AttributesReply,
  Awaitable,
  Caller,
  DirectorySink,
  Entry,
  FileSystem,
  Forget,
  Handle,
  Negotiation,
  NodeId,
  Notifier,
  OpenReply,
  ReadReply,
  SetAttributes,
  StatFs,
} from "../fuse/file-system.ts";
import { fileTypeMask, FileType } from "../fuse/file-system.ts";
import { DriverError, hasCode } from "../core/errors.ts";
import { attributesReply, entryOf, statFs } from "./attributes.ts";
import { DiskCache } from "./cache/disk-cache.ts";
import { CrashRecorder } from "./crash-recorder.ts";
import type { Recorded } from "./crash-record.ts";
import { OpenDirectory } from "./directories.ts";
import { invalid, notFound, notPermitted } from "./errors.ts";
import { interruptible } from "./interruptible.ts";
import { Arena } from "./memory.ts";
import { isVisibleName } from "./names.ts";
import { Namespace } from "./namespace.ts";
import { OpenFiles } from "./open-files.ts";
import { type FileSystemOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { BlockCache } from "./reads/block-cache.ts";
import { fetchFrom } from "./reads/fetch.ts";
import { isReadByKernel } from "./reads/reader.ts";
import { type MountRecord, recordNodes, restoreNodes } from "./record.ts";
import { Renames } from "./rename.ts";
import { type DirectoryNode, MountState, type Node } from "./state.ts";
import { Tree } from "./tree.ts";
import type { Volume } from "./volume.ts";
import { UploadPool } from "./writes/upload-pool.ts";
import type { Writer } from "./writes/writer.ts";

export function createS3FileSystem(options: FileSystemOptions): S3FileSystem {
  return new S3FileSystem(resolveOptions(options));
}

export interface FileSystemStatus {
  readonly nodes: number;
  readonly openFiles: number;
  /** Of these, files that the kernel reads by itself (passthrough). */
  readonly filesReadByKernel: number;
  readonly openUploads: number;
  readonly memoryUsed: number;
  readonly memoryBudget: number;
  /** Of the cache on disk. */
  readonly cacheBytes: number;
  readonly cacheWritesPending: number;
}

export class S3FileSystem implements FileSystem {
  readonly wantedCapabilities: readonly string[];
  readonly #volume: Volume;
  readonly #namespace: Namespace;
  readonly #tree: Tree;
  readonly #files: OpenFiles;
  readonly #renames: Renames;
  readonly #recorder: CrashRecorder;

  constructor(options: ResolvedOptions) {
    const volume: Volume = {
      options,
      store: options.store,
      log: options.log,
      state: new MountState(options.prefix, options.crashRecord),
      arena: new Arena(options.memoryBudget),
      disk: diskCacheOf(options),
      mountTimeMs: options.resume?.mountTimeMs ?? options.now(),
      passthrough: undefined,
      notifier: undefined,
      now: options.now,
    };
    this.#volume = volume;
    this.#namespace = new Namespace(volume);
    this.#tree = new Tree(volume, this.#namespace);
    const cache = new BlockCache({ arena: volume.arena, fetch: fetchFrom(volume), now: volume.now, disk: volume.disk });
    this.#files = new OpenFiles(volume, this.#namespace, cache, new UploadPool(volume.arena));
    this.#renames = new Renames(volume, this.#namespace, this.#tree);
    this.#recorder = new CrashRecorder(volume);
    if (options.predecessorDied) this.#goOnAfterDeath(options.predecessorDied);
    if (options.resume) this.#restore(options.resume);
    this.wantedCapabilities = [
      "ASYNC_READ",
      "BIG_WRITES",
      "MAX_PAGES",
      "DO_READDIRPLUS",
      "PARALLEL_DIROPS",
      "ASYNC_DIO",
      "EXPLICIT_INVAL_DATA",
      "HAS_RESEND",
      ...(options.allowOverwrite ? ["ATOMIC_O_TRUNC"] : []),
      ...(options.passthrough ? ["PASSTHROUGH"] : []),
    ];
  }

  init({ granted }: Negotiation): void {
    this.#volume.passthrough = granted.has("PASSTHROUGH") ? this.#volume.options.passthrough : undefined;
  }

  /** From now on the kernel can be told of changes unasked. */
  attachNotifier(notifier: Notifier): void {
    this.#volume.notifier = notifier;
  }

  status(): FileSystemStatus {
    const { state, arena, disk } = this.#volume;
    return {
      nodes: state.nodes.size,
      openFiles: state.readers.size + state.writers.size,
      filesReadByKernel: [...state.readers.values()].filter((reader) => reader.readByKernel).length,
      openUploads: state.writers.size,
      memoryUsed: arena.used,
      memoryBudget: arena.capacity,
      cacheBytes: disk?.bytes ?? 0,
      cacheWritesPending: disk?.pending ?? 0,
    };
  }

  /** Ends every upload: completes those that can be, and names those that were lost. */
  async drain(): Promise<readonly string[]> {
    const lost: string[] = [];
    const ending = [...this.#volume.state.writers.values()].map((writer) =>
      writer.done ? undefined : writer.complete().catch(() => lost.push(writer.node.key)),
    );
    await Promise.all(ending);
    return lost;
  }

  /** Everything another process needs to go on with this mount. Call it when no request is under way any more. */
  async exportState(): Promise<MountRecord> {
    const { state, mountTimeMs } = this.#volume;
    const { readers, writers } = await this.#files.record();
    const directories = [...state.directories.values()].map(({ handle, node }) => ({ handle, node: node.id }));
    return { format: 1, mountTimeMs, ...state.counters, nodes: recordNodes(state), readers, writers, directories };
  }

  lookup(parent: NodeId, name: string, caller: Caller): Awaitable<Entry> {
    const directory = this.#tree.directory(parent);
    if (!isVisibleName(name)) throw invalid(`${JSON.stringify(name)} can't be a name here`);
    const found = this.#namespace.resolve(directory, name);
    if (!(found instanceof Promise)) return this.#found(directory, name, found);
    return interruptible(found, caller).then((node) => this.#found(directory, name, node));
  }

  forget(forgotten: readonly Forget[]): void {
    for (const { node, count } of forgotten) this.#volume.state.forget(node, count);
  }

  getattr(id: NodeId, _handle: Handle | undefined, caller: Caller): Awaitable<AttributesReply> {
    const node = this.#node(id);
    if (node.local || !node.parent || this.#isParted(node)) return attributesReply(this.#volume, node);
    const current = this.#namespace.revalidate(node);
    const reply = (same: Node | undefined) => {
      if (!same) throw notFound(`${node.key} does not exist`);
      return attributesReply(this.#volume, same);
    };
    return current instanceof Promise ? interruptible(current, caller).then(reply) : reply(current);
  }

  setattr(id: NodeId, changes: SetAttributes, _caller: Caller): AttributesReply {
    const node = this.#node(id);
    if (this.#volume.options.readOnly) throw new DriverError("ReadOnly", "the mount is read-only");
    if (node.kind === "directory" || !node.local) {
      const hint = changes.size === 0 && !this.#volume.options.allowOverwrite ? "; replacing files needs --allow-overwrite" : "";
      throw notPermitted(`attributes of ${node.key} can't be changed${hint}`);
    }
    const now = this.#volume.now();
    if (changes.atimeMs !== undefined) node.local.atimeMs = changes.atimeMs === "now" ? now : changes.atimeMs;
    if (changes.mtimeMs !== undefined) node.local.mtimeMs = changes.mtimeMs === "now" ? now : changes.mtimeMs;
    return attributesReply(this.#volume, node);
  }

  async mknod(parent: NodeId, name: string, mode: number, _rdev: number, _umask: number, _caller: Caller): Promise<Entry> {
    const directory = this.#tree.directory(parent);
    const type = mode & fileTypeMask;
    if (type !== FileType.regular && type !== 0) throw invalid("only regular files can be made");
    if (await this.#tree.occupant(directory, name)) throw new DriverError("AlreadyExists", `${directory.key}${name} exists`);
    return this.#handOut(this.#files.makeLocal(directory, name));
  }

  async mkdir(parent: NodeId, name: string, _mode: number, _umask: number, caller: Caller): Promise<Entry> {
    const directory = this.#tree.directory(parent);
    const made = directory.children.get(name);
    if (caller.resent && made?.kind === "directory" && made.local) return this.#handOut(made);
    return this.#handOut(await this.#tree.mkdir(directory, name));
  }

  async unlink(parent: NodeId, name: string, caller: Caller): Promise<void> {
    await onceOnly(caller, this.#tree.unlink(this.#tree.directory(parent), name));
  }

  async rmdir(parent: NodeId, name: string, caller: Caller): Promise<void> {
    await onceOnly(caller, this.#tree.rmdir(this.#tree.directory(parent), name));
  }

  async rename(parent: NodeId, name: string, newParent: NodeId, newName: string, flags: number, caller: Caller): Promise<void> {
    const target = this.#tree.directory(newParent);
    await this.#renames.rename(this.#tree.directory(parent), name, target, newName, flags).catch(async (error: unknown) => {
      const isDone = caller.resent && hasCode(error, "NotFound") && (await this.#namespace.resolve(target, newName));
      if (!isDone) throw error;
    });
  }

  symlink(): never {
    throw notPermitted("there are no symbolic links in S3");
  }

  link(): never {
    throw notPermitted("there are no hard links in S3");
  }

  open(id: NodeId, flags: number, caller: Caller): Awaitable<OpenReply> {
    const earlier = this.#unanswered(caller);
    if (earlier) return { handle: earlier.handle };
    const opened = this.#files.open(id, flags, caller);
    return opened instanceof Promise ? opened.then((reply) => this.#recorder.opened(reply, caller.request)) : this.#recorder.opened(opened, caller.request);
  }

  async create(
    parent: NodeId,
    name: string,
    _mode: number,
    flags: number,
    _umask: number,
    caller: Caller,
  ): Promise<{ entry: Entry; open: OpenReply }> {
    const directory = this.#tree.directory(parent);
    const earlier = this.#unanswered(caller);
    if (earlier) {
      // The kernel never heard of this node.
      earlier.node.lookups = 0;
      return { entry: this.#handOut(earlier.node), open: { handle: earlier.handle } };
    }
    const occupant = await this.#tree.occupant(directory, name);
    if (occupant) {
      if (flags & 0o200) throw new DriverError("AlreadyExists", `${occupant.key} exists`);
      const open = await this.#files.open(occupant.id, flags, caller);
      return { entry: this.#handOut(occupant), open: this.#recorder.opened(open, caller.request) };
    }
    const node = this.#files.makeLocal(directory, name);
    try {
      const open = this.#files.openNew(node, flags, caller);
      return { entry: this.#handOut(node), open: this.#recorder.opened(open, caller.request) };
    } catch (error) {
      node.local = undefined;
      this.#volume.state.detach(node);
      throw error;
    }
  }

  read(_id: NodeId, handle: Handle, offset: number, size: number, caller: Caller): Awaitable<ReadReply> {
    const read = this.#files.read(handle, offset, size);
    return read instanceof Promise ? interruptible(read, caller, (late) => late.release?.()) : read;
  }

  write(_id: NodeId, handle: Handle, offset: number, data: Uint8Array, caller: Caller): Awaitable<number> {
    const written = this.#files.write(handle, offset, data, caller.resent);
    this.#recorder.wrote(handle, offset, data);
    return written;
  }

  flush(_id: NodeId, handle: Handle, _lockOwner: bigint, caller: Caller): Awaitable<void> {
    return this.#files.flush(handle, caller);
  }

  release(_id: NodeId, handle: Handle, _flags: number, _caller: Caller): Awaitable<void> {
    const released = this.#files.release(handle);
    // Until it is complete, a file is worth going on with.
    if (released instanceof Promise) return released.finally(() => this.#recorder.closed(handle));
    this.#recorder.closed(handle);
  }

  fsync(_id: NodeId, handle: Handle, _dataOnly: boolean, _caller: Caller): Awaitable<void> {
    return this.#files.fsync(handle);
  }

  opendir(id: NodeId, _flags: number, caller: Caller): OpenReply {
    const directory = this.#tree.directory(id);
    const earlier = this.#recorder.earlier(caller);
    if (earlier !== undefined) this.releasedir(id, earlier, caller);
    const { state } = this.#volume;
    const handle = state.reserveHandle();
    state.directories.set(handle, new OpenDirectory(handle, directory, this.#volume, this.#namespace));
    return this.#recorder.opened({ handle }, caller.request);
  }

  readdir(_id: NodeId, handle: Handle, offset: number, plus: boolean, sink: DirectorySink, _caller: Caller): Promise<void> {
    const directory = this.#volume.state.directories.get(handle);
    if (!directory) throw invalid("this directory is not open");
    return directory.read(offset, plus, sink);
  }

  releasedir(_id: NodeId, handle: Handle, _caller: Caller): void {
    this.#volume.state.directories.get(handle)?.close();
    this.#volume.state.directories.delete(handle);
    this.#recorder.closed(handle);
  }

  statfs(): StatFs {
    return statFs;
  }

  #restore(record: MountRecord): void {
    restoreNodes(this.#volume.state, record);
    this.#reopen(record);
    this.#recorder.recordAll();
  }

  #goOnAfterDeath(recorded: Recorded): void {
    this.#reopen(this.#recorder.restore(recorded));
    this.#recorder.settle(recorded);
  }

  /** Handles that another process gave out; the nodes are there already. */
  #reopen({ readers, writers, directories }: Pick<MountRecord, "readers" | "writers" | "directories">): void {
    const { state } = this.#volume;
    this.#files.restore(readers, writers);
    for (const { handle, node: id } of directories) {
      const node = state.nodes.get(id);
      if (node?.kind === "directory") state.directories.set(handle, new OpenDirectory(handle, node, this.#volume, this.#namespace));
    }
  }

  /** What a process that died opened for this very request. A file for writing is taken as it is; one for reading is opened anew, since
   *  it is not known how the kernel was to read it. */
  #unanswered(caller: Caller): Writer | undefined {
    const earlier = this.#recorder.earlier(caller);
    if (earlier === undefined) return undefined;
    const writer = this.#volume.state.writers.get(earlier);
    if (!writer) void this.release(0, earlier, 0, caller);
    return writer;
  }

  #node(id: NodeId): Node {
    const node = this.#volume.state.nodes.get(id);
    if (!node) throw this.#volume.state.unknownNode(id);
    return node;
  }

  /** The kernel still reads it by itself, and its name means another node of the same version. */
  #isParted(node: Node): boolean {
    return node.kind === "file" && isReadByKernel(node) && !this.#volume.state.isAttached(node);
  }

  #found(directory: DirectoryNode, name: string, node: Node | undefined): Entry {
    if (node) return this.#handOut(node);
    this.#tree.noteMissing(directory, name);
    const now = this.#volume.now();
    const entryValidMs = this.#namespace.negative.until(directory.id, name, now) - now;
    if (entryValidMs <= 0) throw notFound(`${directory.key}${name} does not exist`);
    return { node: 0, entryValidMs, validMs: 0, attributes: nothing };
  }

  #handOut(node: Node): Entry {
    this.#volume.state.handedOut(node);
    return entryOf(this.#volume, node);
  }
}

/** When it is asked for again after a crash and finds nothing, it had been done. */
async function onceOnly({ resent }: Caller, removal: Promise<void>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!resent || !hasCode(error, "NotFound")) throw error;
  });
}

function diskCacheOf({ cache, store, log, now, resume }: ResolvedOptions): DiskCache | undefined {
  // A size of 0 asks for the long time to live without the content.
  if (!cache || cache.maxBytes === 0) return undefined;
  try {
    return new DiskCache({ directory: cache.directory, maxBytes: cache.maxBytes, bucket: store.bucket, log, now });
  } catch (error) {
    if (!resume) throw error;
    // The mount has users already: better slow than gone.
    log.warn("the cache can't be used; reading and writing go on without it", { directory: cache.directory, error });
    return undefined;
  }
}

/** Attributes of a name that is known not to exist. */
const nothing = {
  ino: 0,
  mode: 0,
  nlink: 0,
  uid: 0,
  gid: 0,
  rdev: 0,
  size: 0,
  blocks: 0,
  blksize: 0,
  atimeMs: 0,
  mtimeMs: 0,
  ctimeMs: 0,
} as const;
