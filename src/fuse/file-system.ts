// What a file system has to offer to be mounted. The transports (our own kernel session, fuse-native) call it; it knows
// neither of them.
//
// Rules of the contract:
// - A method returns its result or a promise of it. Returning the plain value spares the hot paths a turn of the event loop.
// - To fail, throw (or reject with) a DriverError; errnoOf() decides what the kernel is told. Anything else thrown is EIO.
// - A method that is left out is answered ENOSYS, which the kernel remembers for the life of the mount.
// - Buffers belong to who made them: `data` of write() and setxattr() is only valid until the returned promise settles; the
//   chunks of a ReadReply stay untouched by the file system until release() is called, which happens exactly once.
// - Every Entry that lookup, create, mknod, mkdir, symlink, link and a plus-readdir hand out counts one lookup of its node;
//   the transport reports them back, batched, through forget(). A node id must stay valid until its count is zero.
// - Names are valid UTF-8 and never contain "/" or NUL; the transport has refused others already (EINVAL).

export type Awaitable<T> = T | Promise<T>;

/** Node ids and handles are integers below 2^53. The root is 1. */
export type NodeId = number;
export type Handle = number;
export const rootNodeId: NodeId = 1;

export interface Caller {
  readonly uid: number;
  readonly gid: number;
  /** The thread that asks, in the transport's pid namespace; 0 when it is not visible from there. */
  readonly pid: number;
  /** Aborted when the kernel interrupts the request or the session ends. Made on first use: do not touch it in vain. */
  readonly signal: AbortSignal;
  /** This request was read by a process that died before answering it: it may have been carried out already. */
  readonly resent: boolean;
  /** The request's number, the same when it is sent again. */
  readonly request: number;
}

/** File types as in st_mode's upper bits. */
export const FileType = {
  fifo: 0o010000, characterDevice: 0o020000, directory: 0o040000, blockDevice: 0o060000, regular: 0o100000, symlink: 0o120000, socket: 0o140000,
} as const;
export const fileTypeMask = 0o170000;

export interface Attributes {
  readonly ino: NodeId;
  /** Type and permissions, as st_mode. */
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly size: number;
  /** Of 512 bytes each. */
  readonly blocks: number;
  readonly blksize: number;
  /** Milliseconds since the epoch; fractions are nanoseconds. */
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export interface AttributesReply {
  readonly attributes: Attributes;
  /** How long the kernel may believe them. */
  readonly validMs: number;
}

export interface Entry extends AttributesReply {
  /** 0 with a validity makes a negative entry: the kernel then knows for that time that the name does not exist. */
  readonly node: NodeId;
  readonly generation?: number;
  readonly entryValidMs: number;
}

export interface OpenReply {
  readonly handle: Handle;
  /** Bypass the page cache. */
  readonly directIo?: boolean;
  /** The pages the kernel holds of this node are still true. */
  readonly keepCache?: boolean;
  /** The kernel may cache this directory's entries (opendir only). */
  readonly cacheDirectory?: boolean;
  /** No FLUSH at close. */
  readonly noFlush?: boolean;
  readonly nonSeekable?: boolean;
  readonly parallelDirectWrites?: boolean;
  /** Reads and writes go to this backing file without us (see passthrough). */
  readonly backingId?: number;
}

export interface ReadReply {
  /** Views, written to the kernel in this order without copying. Together at most the size asked; less means end of file. */
  readonly chunks: readonly Uint8Array[];
  /** Called once the kernel has the data. */
  readonly release?: () => void;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly ino: NodeId;
  /** One of FileType. */
  readonly type: number;
  /** Where the next readdir goes on after this entry; any value but 0. */
  readonly nextOffset: number;
}

export interface DirectorySink {
  /** False when the entry did not fit: it was not taken, stop. */
  add(entry: DirectoryEntry): boolean;
  /** The same with attributes (readdirplus). Counts one lookup when taken, except for "." and "..". */
  addPlus(entry: DirectoryEntry, attributes: Entry): boolean;
}

export interface SetAttributes {
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly size?: number;
  /** "now" is UTIME_NOW. */
  readonly atimeMs?: number | "now";
  readonly mtimeMs?: number | "now";
  readonly ctimeMs?: number;
  readonly handle?: Handle;
}

export interface StatFs {
  readonly blocks: bigint;
  readonly bfree: bigint;
  readonly bavail: bigint;
  readonly files: bigint;
  readonly ffree: bigint;
  readonly bsize: number;
  readonly frsize: number;
  readonly namelen: number;
}

export interface FileLock {
  readonly start: bigint;
  readonly end: bigint;
  /** F_RDLCK 0, F_WRLCK 1, F_UNLCK 2. */
  readonly type: number;
  readonly pid: number;
}

export interface Forget {
  readonly node: NodeId;
  readonly count: number;
}

/** What both sides can do, by the names in proto/fuse-kernel.yaml (ASYNC_READ, PARALLEL_DIROPS, PASSTHROUGH, ...). */
export interface Negotiation {
  readonly major: number;
  readonly minor: number;
  readonly offered: ReadonlySet<string>;
  readonly granted: ReadonlySet<string>;
  readonly maxWrite: number;
  readonly maxReadahead: number;
}

export interface FileSystem {
  /** Capabilities this file system wants; what the kernel does not offer is left out silently. */
  readonly wantedCapabilities?: readonly string[];
  /** Called before the first request, also after taking a connection over. */
  init?(negotiation: Negotiation): Awaitable<void>;
  /** The mount is gone. */
  destroy?(): Awaitable<void>;

  lookup?(parent: NodeId, name: string, caller: Caller): Awaitable<Entry>;
  forget?(forgotten: readonly Forget[]): void;
  getattr?(node: NodeId, handle: Handle | undefined, caller: Caller): Awaitable<AttributesReply>;
  setattr?(node: NodeId, changes: SetAttributes, caller: Caller): Awaitable<AttributesReply>;
  access?(node: NodeId, mask: number, caller: Caller): Awaitable<void>;
  readlink?(node: NodeId, caller: Caller): Awaitable<string>;
  symlink?(parent: NodeId, name: string, target: string, caller: Caller): Awaitable<Entry>;
  link?(node: NodeId, newParent: NodeId, newName: string, caller: Caller): Awaitable<Entry>;
  mknod?(parent: NodeId, name: string, mode: number, rdev: number, umask: number, caller: Caller): Awaitable<Entry>;
  mkdir?(parent: NodeId, name: string, mode: number, umask: number, caller: Caller): Awaitable<Entry>;
  unlink?(parent: NodeId, name: string, caller: Caller): Awaitable<void>;
  rmdir?(parent: NodeId, name: string, caller: Caller): Awaitable<void>;
  /** flags: RENAME_NOREPLACE 1, RENAME_EXCHANGE 2, RENAME_WHITEOUT 4. */
  rename?(parent: NodeId, name: string, newParent: NodeId, newName: string, flags: number, caller: Caller): Awaitable<void>;

  open?(node: NodeId, flags: number, caller: Caller): Awaitable<OpenReply>;
  create?(parent: NodeId, name: string, mode: number, flags: number, umask: number, caller: Caller): Awaitable<{ entry: Entry; open: OpenReply }>;
  read?(node: NodeId, handle: Handle, offset: number, size: number, caller: Caller): Awaitable<ReadReply>;
  write?(node: NodeId, handle: Handle, offset: number, data: Uint8Array, caller: Caller): Awaitable<number>;
  /** Once per close() of each duplicate. */
  flush?(node: NodeId, handle: Handle, lockOwner: bigint, caller: Caller): Awaitable<void>;
  /** Once, after the last duplicate is closed. The kernel does not wait for it. */
  release?(node: NodeId, handle: Handle, flags: number, caller: Caller): Awaitable<void>;
  fsync?(node: NodeId, handle: Handle, dataOnly: boolean, caller: Caller): Awaitable<void>;
  fallocate?(node: NodeId, handle: Handle, offset: number, length: number, mode: number, caller: Caller): Awaitable<void>;
  lseek?(node: NodeId, handle: Handle, offset: number, whence: number, caller: Caller): Awaitable<number>;
  copyFileRange?(
    from: { node: NodeId; handle: Handle; offset: number },
    to: { node: NodeId; handle: Handle; offset: number },
    length: number,
    flags: number,
    caller: Caller,
  ): Awaitable<number>;

  opendir?(node: NodeId, flags: number, caller: Caller): Awaitable<OpenReply>;
  /** Fills the sink from offset on (0 = from the start) until it is full or the directory ends. `plus`: use addPlus. */
  readdir?(node: NodeId, handle: Handle, offset: number, plus: boolean, sink: DirectorySink, caller: Caller): Awaitable<void>;
  releasedir?(node: NodeId, handle: Handle, caller: Caller): Awaitable<void>;
  fsyncdir?(node: NodeId, handle: Handle, dataOnly: boolean, caller: Caller): Awaitable<void>;

  statfs?(node: NodeId, caller: Caller): Awaitable<StatFs>;
  /** flags: XATTR_CREATE 1, XATTR_REPLACE 2. */
  setxattr?(node: NodeId, name: string, data: Uint8Array, flags: number, caller: Caller): Awaitable<void>;
  getxattr?(node: NodeId, name: string, caller: Caller): Awaitable<Uint8Array>;
  listxattr?(node: NodeId, caller: Caller): Awaitable<readonly string[]>;
  removexattr?(node: NodeId, name: string, caller: Caller): Awaitable<void>;

  getlk?(node: NodeId, handle: Handle, owner: bigint, lock: FileLock, caller: Caller): Awaitable<FileLock>;
  setlk?(node: NodeId, handle: Handle, owner: bigint, lock: FileLock, wait: boolean, flock: boolean, caller: Caller): Awaitable<void>;
}

/** What a file system may tell the kernel unasked. Never call these from within a request on the same node: the kernel may
 *  hold that node's lock; schedule them for after the reply. All resolve when the kernel has taken the message. */
export interface Notifier {
  invalidateNode(node: NodeId, offset?: number, length?: number): Promise<void>;
  invalidateEntry(parent: NodeId, name: string): Promise<void>;
  /** The name is gone: unlike invalidateEntry it also tells inotify. */
  deleted(parent: NodeId, child: NodeId, name: string): Promise<void>;
  /** Puts content into the page cache. */
  store(node: NodeId, offset: number, chunks: readonly Uint8Array[]): Promise<void>;
}
