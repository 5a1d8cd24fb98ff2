// Generated from proto/fuse-kernel.yaml by `npm run codegen`. Do not edit: change the source and run it again.

export const abiMajor = 7;
export const abiMinor = 45;

export const Opcode = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  SETATTR: 4,
  READLINK: 5,
  SYMLINK: 6,
  MKNOD: 8,
  MKDIR: 9,
  UNLINK: 10,
  RMDIR: 11,
  RENAME: 12,
  LINK: 13,
  OPEN: 14,
  READ: 15,
  WRITE: 16,
  STATFS: 17,
  RELEASE: 18,
  FSYNC: 20,
  SETXATTR: 21,
  GETXATTR: 22,
  LISTXATTR: 23,
  REMOVEXATTR: 24,
  FLUSH: 25,
  INIT: 26,
  OPENDIR: 27,
  READDIR: 28,
  RELEASEDIR: 29,
  FSYNCDIR: 30,
  GETLK: 31,
  SETLK: 32,
  SETLKW: 33,
  ACCESS: 34,
  CREATE: 35,
  INTERRUPT: 36,
  BMAP: 37,
  DESTROY: 38,
  IOCTL: 39,
  POLL: 40,
  NOTIFY_REPLY: 41,
  BATCH_FORGET: 42,
  FALLOCATE: 43,
  READDIRPLUS: 44,
  RENAME2: 45,
  LSEEK: 46,
  COPY_FILE_RANGE: 47,
  SETUPMAPPING: 48,
  REMOVEMAPPING: 49,
  SYNCFS: 50,
  TMPFILE: 51,
  STATX: 52,
  COPY_FILE_RANGE_64: 53,
} as const;

export type OpcodeName = keyof typeof Opcode;

export interface RequestShape {
  readonly name: OpcodeName;
  /** Of the struct behind the header. */
  readonly bodySize: number;
  /** How many strings that end in NUL follow it. */
  readonly names: number;
  /** Whether free bytes follow those. */
  readonly payload: boolean;
  readonly reply: boolean;
}

export const requestShapes: Readonly<Record<number, RequestShape>> = {
  1: { name: "LOOKUP", bodySize: 0, names: 1, payload: false, reply: true },
  2: { name: "FORGET", bodySize: 8, names: 0, payload: false, reply: false },
  3: { name: "GETATTR", bodySize: 16, names: 0, payload: false, reply: true },
  4: { name: "SETATTR", bodySize: 88, names: 0, payload: false, reply: true },
  5: { name: "READLINK", bodySize: 0, names: 0, payload: false, reply: true },
  6: { name: "SYMLINK", bodySize: 0, names: 2, payload: false, reply: true },
  8: { name: "MKNOD", bodySize: 16, names: 1, payload: false, reply: true },
  9: { name: "MKDIR", bodySize: 8, names: 1, payload: false, reply: true },
  10: { name: "UNLINK", bodySize: 0, names: 1, payload: false, reply: true },
  11: { name: "RMDIR", bodySize: 0, names: 1, payload: false, reply: true },
  12: { name: "RENAME", bodySize: 8, names: 2, payload: false, reply: true },
  13: { name: "LINK", bodySize: 8, names: 1, payload: false, reply: true },
  14: { name: "OPEN", bodySize: 8, names: 0, payload: false, reply: true },
  15: { name: "READ", bodySize: 40, names: 0, payload: false, reply: true },
  16: { name: "WRITE", bodySize: 40, names: 0, payload: true, reply: true },
  17: { name: "STATFS", bodySize: 0, names: 0, payload: false, reply: true },
  18: { name: "RELEASE", bodySize: 24, names: 0, payload: false, reply: true },
  20: { name: "FSYNC", bodySize: 16, names: 0, payload: false, reply: true },
  21: { name: "SETXATTR", bodySize: 8, names: 1, payload: true, reply: true },
  22: { name: "GETXATTR", bodySize: 8, names: 1, payload: false, reply: true },
  23: { name: "LISTXATTR", bodySize: 8, names: 0, payload: false, reply: true },
  24: { name: "REMOVEXATTR", bodySize: 0, names: 1, payload: false, reply: true },
  25: { name: "FLUSH", bodySize: 24, names: 0, payload: false, reply: true },
  26: { name: "INIT", bodySize: 16, names: 0, payload: true, reply: true },
  27: { name: "OPENDIR", bodySize: 8, names: 0, payload: false, reply: true },
  28: { name: "READDIR", bodySize: 40, names: 0, payload: false, reply: true },
  29: { name: "RELEASEDIR", bodySize: 24, names: 0, payload: false, reply: true },
  30: { name: "FSYNCDIR", bodySize: 16, names: 0, payload: false, reply: true },
  31: { name: "GETLK", bodySize: 48, names: 0, payload: false, reply: true },
  32: { name: "SETLK", bodySize: 48, names: 0, payload: false, reply: true },
  33: { name: "SETLKW", bodySize: 48, names: 0, payload: false, reply: true },
  34: { name: "ACCESS", bodySize: 8, names: 0, payload: false, reply: true },
  35: { name: "CREATE", bodySize: 16, names: 1, payload: false, reply: true },
  36: { name: "INTERRUPT", bodySize: 8, names: 0, payload: false, reply: false },
  37: { name: "BMAP", bodySize: 16, names: 0, payload: false, reply: true },
  38: { name: "DESTROY", bodySize: 0, names: 0, payload: false, reply: true },
  39: { name: "IOCTL", bodySize: 32, names: 0, payload: true, reply: true },
  40: { name: "POLL", bodySize: 24, names: 0, payload: false, reply: true },
  41: { name: "NOTIFY_REPLY", bodySize: 40, names: 0, payload: true, reply: false },
  42: { name: "BATCH_FORGET", bodySize: 8, names: 0, payload: true, reply: false },
  43: { name: "FALLOCATE", bodySize: 32, names: 0, payload: false, reply: true },
  44: { name: "READDIRPLUS", bodySize: 40, names: 0, payload: false, reply: true },
  45: { name: "RENAME2", bodySize: 16, names: 2, payload: false, reply: true },
  46: { name: "LSEEK", bodySize: 24, names: 0, payload: false, reply: true },
  47: { name: "COPY_FILE_RANGE", bodySize: 56, names: 0, payload: false, reply: true },
  48: { name: "SETUPMAPPING", bodySize: 40, names: 0, payload: false, reply: true },
  49: { name: "REMOVEMAPPING", bodySize: 4, names: 0, payload: true, reply: true },
  50: { name: "SYNCFS", bodySize: 8, names: 0, payload: false, reply: true },
  51: { name: "TMPFILE", bodySize: 16, names: 1, payload: false, reply: true },
  52: { name: "STATX", bodySize: 24, names: 0, payload: false, reply: true },
  53: { name: "COPY_FILE_RANGE_64", bodySize: 56, names: 0, payload: false, reply: true },
};

/** Bit numbers: below 32 in `flags`, from 32 on in `flags2`. */
export const Capability = {
  ASYNC_READ: 0,
  POSIX_LOCKS: 1,
  FILE_OPS: 2,
  ATOMIC_O_TRUNC: 3,
  EXPORT_SUPPORT: 4,
  BIG_WRITES: 5,
  DONT_MASK: 6,
  SPLICE_WRITE: 7,
  SPLICE_MOVE: 8,
  SPLICE_READ: 9,
  FLOCK_LOCKS: 10,
  HAS_IOCTL_DIR: 11,
  AUTO_INVAL_DATA: 12,
  DO_READDIRPLUS: 13,
  READDIRPLUS_AUTO: 14,
  ASYNC_DIO: 15,
  WRITEBACK_CACHE: 16,
  NO_OPEN_SUPPORT: 17,
  PARALLEL_DIROPS: 18,
  HANDLE_KILLPRIV: 19,
  POSIX_ACL: 20,
  ABORT_ERROR: 21,
  MAX_PAGES: 22,
  CACHE_SYMLINKS: 23,
  NO_OPENDIR_SUPPORT: 24,
  EXPLICIT_INVAL_DATA: 25,
  MAP_ALIGNMENT: 26,
  SUBMOUNTS: 27,
  HANDLE_KILLPRIV_V2: 28,
  SETXATTR_EXT: 29,
  INIT_EXT: 30,
  INIT_RESERVED: 31,
  SECURITY_CTX: 32,
  HAS_INODE_DAX: 33,
  CREATE_SUPP_GROUP: 34,
  HAS_EXPIRE_ONLY: 35,
  DIRECT_IO_ALLOW_MMAP: 36,
  PASSTHROUGH: 37,
  NO_EXPORT_SUPPORT: 38,
  HAS_RESEND: 39,
  ALLOW_IDMAP: 40,
  OVER_IO_URING: 41,
  REQUEST_TIMEOUT: 42,
} as const;

export type CapabilityName = keyof typeof Capability;

export const Notification = {
  POLL: 1,
  INVAL_INODE: 2,
  INVAL_ENTRY: 3,
  STORE: 4,
  RETRIEVE: 5,
  DELETE: 6,
  RESEND: 7,
  INC_EPOCH: 8,
  PRUNE: 9,
} as const;

export const OpenReplyFlag = {
  DIRECT_IO: 1,
  KEEP_CACHE: 2,
  NONSEEKABLE: 4,
  CACHE_DIR: 8,
  STREAM: 16,
  NOFLUSH: 32,
  PARALLEL_DIRECT_WRITES: 64,
  PASSTHROUGH: 128,
} as const;

export const SetAttrFlag = {
  MODE: 1,
  UID: 2,
  GID: 4,
  SIZE: 8,
  ATIME: 16,
  MTIME: 32,
  FH: 64,
  ATIME_NOW: 128,
  MTIME_NOW: 256,
  LOCKOWNER: 512,
  CTIME: 1024,
  KILL_SUIDGID: 2048,
} as const;

export const GetAttrFlag = {
  FH: 1,
} as const;

export const WriteFlag = {
  CACHE: 1,
  LOCKOWNER: 2,
  KILL_SUIDGID: 4,
} as const;

export const ReadFlag = {
  LOCKOWNER: 2,
} as const;

export const ReleaseFlag = {
  FLUSH: 1,
  FLOCK_UNLOCK: 2,
} as const;

export const OpenFlag = {
  KILL_SUIDGID: 1,
} as const;

export const LockFlag = {
  FLOCK: 1,
} as const;

export const FsyncFlag = {
  FDATASYNC: 1,
} as const;

export const PollFlag = {
  SCHEDULE_NOTIFY: 1,
} as const;

export const AttrFlag = {
  SUBMOUNT: 1,
  DAX: 2,
} as const;

export const InvalEntryFlag = {
  EXPIRE_ONLY: 1,
} as const;

export const SetXattrFlag = {
  ACL_KILL_SGID: 1,
} as const;

export const DeviceIoctl = {
  CLONE: 2147804416,
  BACKING_OPEN: 1074849025,
  BACKING_CLOSE: 1074062594,
} as const;

export const structSize = {
  inHeader: 40,
  outHeader: 16,
  attr: 88,
  attrOut: 104,
  entryOut: 128,
  kstatfs: 80,
  forgetIn: 8,
  forgetOne: 16,
  batchForgetIn: 8,
  getattrIn: 16,
  setattrIn: 88,
  mknodIn: 16,
  mkdirIn: 8,
  renameIn: 8,
  rename2In: 16,
  linkIn: 8,
  openIn: 8,
  createIn: 16,
  openOut: 16,
  releaseIn: 24,
  flushIn: 24,
  readIn: 40,
  writeIn: 40,
  writeOut: 8,
  fsyncIn: 16,
  setxattrIn: 8,
  setxattrExtIn: 16,
  getxattrIn: 8,
  getxattrOut: 8,
  fileLock: 24,
  lkIn: 48,
  accessIn: 8,
  initIn: 16,
  initExtIn: 64,
  initOut: 64,
  interruptIn: 8,
  bmapIn: 16,
  ioctlIn: 32,
  pollIn: 24,
  fallocateIn: 32,
  lseekIn: 24,
  lseekOut: 8,
  copyFileRangeIn: 56,
  copyFileRangeOut: 8,
  setupmappingIn: 40,
  removemappingIn: 4,
  syncfsIn: 8,
  statxIn: 24,
  dirent: 24,
  notifyInvalInodeOut: 24,
  notifyInvalEntryOut: 16,
  notifyDeleteOut: 24,
  notifyStoreOut: 24,
  notifyRetrieveOut: 32,
  notifyRetrieveIn: 40,
  backingMap: 16,
} as const;

export interface InHeader {
  readonly len: number;
  readonly opcode: number;
  readonly uniqueLow: number;
  readonly uniqueHigh: number;
  readonly nodeid: number;
  readonly uid: number;
  readonly gid: number;
  readonly pid: number;
  readonly totalExtlen: number;
}

/** `at` counts words of 4 bytes. */
export function decodeInHeader(words: Uint32Array, at: number): InHeader {
  return {
    len: words[at] as number,
    opcode: words[at + 1] as number,
    uniqueLow: words[at + 2] as number,
    uniqueHigh: words[at + 3] as number,
    nodeid: (words[at + 4] as number) + (words[at + 5] as number) * 0x1_0000_0000,
    uid: words[at + 6] as number,
    gid: words[at + 7] as number,
    pid: words[at + 8] as number,
    totalExtlen: (words[at + 9] as number) & 0xffff,
  };
}

export interface OutHeader {
  readonly len: number;
  readonly error: number;
  readonly uniqueLow: number;
  readonly uniqueHigh: number;
}

/** `at` counts words of 4 bytes. */
export function encodeOutHeader(words: Uint32Array, at: number, value: OutHeader): void {
  words[at] = value.len;
  words[at + 1] = value.error;
  words[at + 2] = value.uniqueLow;
  words[at + 3] = value.uniqueHigh;
}

export interface Attr {
  readonly ino: number;
  readonly size: number;
  readonly blocks: number;
  readonly atime: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly atimensec: number;
  readonly mtimensec: number;
  readonly ctimensec: number;
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly blksize: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function encodeAttr(words: Uint32Array, at: number, value: Attr): void {
  words[at] = value.ino;
  words[at + 1] = Math.floor(value.ino / 0x1_0000_0000);
  words[at + 2] = value.size;
  words[at + 3] = Math.floor(value.size / 0x1_0000_0000);
  words[at + 4] = value.blocks;
  words[at + 5] = Math.floor(value.blocks / 0x1_0000_0000);
  words[at + 6] = value.atime;
  words[at + 7] = Math.floor(value.atime / 0x1_0000_0000);
  words[at + 8] = value.mtime;
  words[at + 9] = Math.floor(value.mtime / 0x1_0000_0000);
  words[at + 10] = value.ctime;
  words[at + 11] = Math.floor(value.ctime / 0x1_0000_0000);
  words[at + 12] = value.atimensec;
  words[at + 13] = value.mtimensec;
  words[at + 14] = value.ctimensec;
  words[at + 15] = value.mode;
  words[at + 16] = value.nlink;
  words[at + 17] = value.uid;
  words[at + 18] = value.gid;
  words[at + 19] = value.rdev;
  words[at + 20] = value.blksize;
  words[at + 21] = value.flags;
}

export interface AttrOut {
  readonly attrValid: number;
  readonly attrValidNsec: number;
  readonly attr: Attr;
}

/** `at` counts words of 4 bytes. */
export function encodeAttrOut(words: Uint32Array, at: number, value: AttrOut): void {
  words[at] = value.attrValid;
  words[at + 1] = Math.floor(value.attrValid / 0x1_0000_0000);
  words[at + 2] = value.attrValidNsec;
  words[at + 3] = 0;
  encodeAttr(words, at + 4, value.attr);
}

export interface EntryOut {
  readonly nodeid: number;
  readonly generation: number;
  readonly entryValid: number;
  readonly attrValid: number;
  readonly entryValidNsec: number;
  readonly attrValidNsec: number;
  readonly attr: Attr;
}

/** `at` counts words of 4 bytes. */
export function encodeEntryOut(words: Uint32Array, at: number, value: EntryOut): void {
  words[at] = value.nodeid;
  words[at + 1] = Math.floor(value.nodeid / 0x1_0000_0000);
  words[at + 2] = value.generation;
  words[at + 3] = Math.floor(value.generation / 0x1_0000_0000);
  words[at + 4] = value.entryValid;
  words[at + 5] = Math.floor(value.entryValid / 0x1_0000_0000);
  words[at + 6] = value.attrValid;
  words[at + 7] = Math.floor(value.attrValid / 0x1_0000_0000);
  words[at + 8] = value.entryValidNsec;
  words[at + 9] = value.attrValidNsec;
  encodeAttr(words, at + 10, value.attr);
}

export interface Kstatfs {
  readonly blocks: bigint;
  readonly bfree: bigint;
  readonly bavail: bigint;
  readonly files: bigint;
  readonly ffree: bigint;
  readonly bsize: number;
  readonly namelen: number;
  readonly frsize: number;
}

/** `at` counts words of 4 bytes. */
export function encodeKstatfs(words: Uint32Array, at: number, value: Kstatfs): void {
  words[at] = Number(value.blocks & 0xffffffffn);
  words[at + 1] = Number((value.blocks >> 32n) & 0xffffffffn);
  words[at + 2] = Number(value.bfree & 0xffffffffn);
  words[at + 3] = Number((value.bfree >> 32n) & 0xffffffffn);
  words[at + 4] = Number(value.bavail & 0xffffffffn);
  words[at + 5] = Number((value.bavail >> 32n) & 0xffffffffn);
  words[at + 6] = Number(value.files & 0xffffffffn);
  words[at + 7] = Number((value.files >> 32n) & 0xffffffffn);
  words[at + 8] = Number(value.ffree & 0xffffffffn);
  words[at + 9] = Number((value.ffree >> 32n) & 0xffffffffn);
  words[at + 10] = value.bsize;
  words[at + 11] = value.namelen;
  words[at + 12] = value.frsize;
  words[at + 13] = 0;
  words[at + 14] = 0;
  words[at + 15] = 0;
  words[at + 16] = 0;
  words[at + 17] = 0;
  words[at + 18] = 0;
  words[at + 19] = 0;
}

export interface ForgetIn {
  readonly nlookup: number;
}

/** `at` counts words of 4 bytes. */
export function decodeForgetIn(words: Uint32Array, at: number): ForgetIn {
  return {
    nlookup: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
  };
}

export interface ForgetOne {
  readonly nodeid: number;
  readonly nlookup: number;
}

/** `at` counts words of 4 bytes. */
export function decodeForgetOne(words: Uint32Array, at: number): ForgetOne {
  return {
    nodeid: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    nlookup: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
  };
}

export interface BatchForgetIn {
  readonly count: number;
}

/** `at` counts words of 4 bytes. */
export function decodeBatchForgetIn(words: Uint32Array, at: number): BatchForgetIn {
  return {
    count: words[at] as number,
  };
}

export interface GetattrIn {
  readonly getattrFlags: number;
  readonly fh: number;
}

/** `at` counts words of 4 bytes. */
export function decodeGetattrIn(words: Uint32Array, at: number): GetattrIn {
  return {
    getattrFlags: words[at] as number,
    fh: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
  };
}

export interface SetattrIn {
  readonly valid: number;
  readonly fh: number;
  readonly size: number;
  readonly lockOwner: bigint;
  readonly atime: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly atimensec: number;
  readonly mtimensec: number;
  readonly ctimensec: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** `at` counts words of 4 bytes. */
export function decodeSetattrIn(words: Uint32Array, at: number): SetattrIn {
  return {
    valid: words[at] as number,
    fh: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    size: (words[at + 4] as number) + (words[at + 5] as number) * 0x1_0000_0000,
    lockOwner: BigInt((words[at + 6] as number)) | (BigInt((words[at + 7] as number)) << 32n),
    atime: (words[at + 8] as number) + ((words[at + 9] as number) | 0) * 0x1_0000_0000,
    mtime: (words[at + 10] as number) + ((words[at + 11] as number) | 0) * 0x1_0000_0000,
    ctime: (words[at + 12] as number) + ((words[at + 13] as number) | 0) * 0x1_0000_0000,
    atimensec: words[at + 14] as number,
    mtimensec: words[at + 15] as number,
    ctimensec: words[at + 16] as number,
    mode: words[at + 17] as number,
    uid: words[at + 19] as number,
    gid: words[at + 20] as number,
  };
}

export interface MknodIn {
  readonly mode: number;
  readonly rdev: number;
  readonly umask: number;
}

/** `at` counts words of 4 bytes. */
export function decodeMknodIn(words: Uint32Array, at: number): MknodIn {
  return {
    mode: words[at] as number,
    rdev: words[at + 1] as number,
    umask: words[at + 2] as number,
  };
}

export interface MkdirIn {
  readonly mode: number;
  readonly umask: number;
}

/** `at` counts words of 4 bytes. */
export function decodeMkdirIn(words: Uint32Array, at: number): MkdirIn {
  return {
    mode: words[at] as number,
    umask: words[at + 1] as number,
  };
}

export interface RenameIn {
  readonly newdir: number;
}

/** `at` counts words of 4 bytes. */
export function decodeRenameIn(words: Uint32Array, at: number): RenameIn {
  return {
    newdir: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
  };
}

export interface Rename2In {
  readonly newdir: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeRename2In(words: Uint32Array, at: number): Rename2In {
  return {
    newdir: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    flags: words[at + 2] as number,
  };
}

export interface LinkIn {
  readonly oldnodeid: number;
}

/** `at` counts words of 4 bytes. */
export function decodeLinkIn(words: Uint32Array, at: number): LinkIn {
  return {
    oldnodeid: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
  };
}

export interface OpenIn {
  readonly flags: number;
  readonly openFlags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeOpenIn(words: Uint32Array, at: number): OpenIn {
  return {
    flags: words[at] as number,
    openFlags: words[at + 1] as number,
  };
}

export interface CreateIn {
  readonly flags: number;
  readonly mode: number;
  readonly umask: number;
  readonly openFlags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeCreateIn(words: Uint32Array, at: number): CreateIn {
  return {
    flags: words[at] as number,
    mode: words[at + 1] as number,
    umask: words[at + 2] as number,
    openFlags: words[at + 3] as number,
  };
}

export interface OpenOut {
  readonly fh: number;
  readonly openFlags: number;
  readonly backingId: number;
}

/** `at` counts words of 4 bytes. */
export function encodeOpenOut(words: Uint32Array, at: number, value: OpenOut): void {
  words[at] = value.fh;
  words[at + 1] = Math.floor(value.fh / 0x1_0000_0000);
  words[at + 2] = value.openFlags;
  words[at + 3] = value.backingId;
}

export interface ReleaseIn {
  readonly fh: number;
  readonly flags: number;
  readonly releaseFlags: number;
  readonly lockOwner: bigint;
}

/** `at` counts words of 4 bytes. */
export function decodeReleaseIn(words: Uint32Array, at: number): ReleaseIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    flags: words[at + 2] as number,
    releaseFlags: words[at + 3] as number,
    lockOwner: BigInt((words[at + 4] as number)) | (BigInt((words[at + 5] as number)) << 32n),
  };
}

export interface FlushIn {
  readonly fh: number;
  readonly lockOwner: bigint;
}

/** `at` counts words of 4 bytes. */
export function decodeFlushIn(words: Uint32Array, at: number): FlushIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    lockOwner: BigInt((words[at + 4] as number)) | (BigInt((words[at + 5] as number)) << 32n),
  };
}

export interface ReadIn {
  readonly fh: number;
  readonly offset: number;
  readonly size: number;
  readonly readFlags: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeReadIn(words: Uint32Array, at: number): ReadIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    offset: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    size: words[at + 4] as number,
    readFlags: words[at + 5] as number,
    flags: words[at + 8] as number,
  };
}

export interface WriteIn {
  readonly fh: number;
  readonly offset: number;
  readonly size: number;
  readonly writeFlags: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeWriteIn(words: Uint32Array, at: number): WriteIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    offset: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    size: words[at + 4] as number,
    writeFlags: words[at + 5] as number,
    flags: words[at + 8] as number,
  };
}

export interface WriteOut {
  readonly size: number;
}

/** `at` counts words of 4 bytes. */
export function encodeWriteOut(words: Uint32Array, at: number, value: WriteOut): void {
  words[at] = value.size;
  words[at + 1] = 0;
}

export interface FsyncIn {
  readonly fh: number;
  readonly fsyncFlags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeFsyncIn(words: Uint32Array, at: number): FsyncIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    fsyncFlags: words[at + 2] as number,
  };
}

export interface SetxattrIn {
  readonly size: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeSetxattrIn(words: Uint32Array, at: number): SetxattrIn {
  return {
    size: words[at] as number,
    flags: words[at + 1] as number,
  };
}

export interface SetxattrExtIn {
  readonly size: number;
  readonly flags: number;
  readonly setxattrFlags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeSetxattrExtIn(words: Uint32Array, at: number): SetxattrExtIn {
  return {
    size: words[at] as number,
    flags: words[at + 1] as number,
    setxattrFlags: words[at + 2] as number,
  };
}

export interface GetxattrIn {
  readonly size: number;
}

/** `at` counts words of 4 bytes. */
export function decodeGetxattrIn(words: Uint32Array, at: number): GetxattrIn {
  return {
    size: words[at] as number,
  };
}

export interface GetxattrOut {
  readonly size: number;
}

/** `at` counts words of 4 bytes. */
export function encodeGetxattrOut(words: Uint32Array, at: number, value: GetxattrOut): void {
  words[at] = value.size;
  words[at + 1] = 0;
}

export interface FileLock {
  readonly start: bigint;
  readonly end: bigint;
  readonly type: number;
  readonly pid: number;
}

/** `at` counts words of 4 bytes. */
export function decodeFileLock(words: Uint32Array, at: number): FileLock {
  return {
    start: BigInt((words[at] as number)) | (BigInt((words[at + 1] as number)) << 32n),
    end: BigInt((words[at + 2] as number)) | (BigInt((words[at + 3] as number)) << 32n),
    type: words[at + 4] as number,
    pid: words[at + 5] as number,
  };
}

/** `at` counts words of 4 bytes. */
export function encodeFileLock(words: Uint32Array, at: number, value: FileLock): void {
  words[at] = Number(value.start & 0xffffffffn);
  words[at + 1] = Number((value.start >> 32n) & 0xffffffffn);
  words[at + 2] = Number(value.end & 0xffffffffn);
  words[at + 3] = Number((value.end >> 32n) & 0xffffffffn);
  words[at + 4] = value.type;
  words[at + 5] = value.pid;
}

export interface LkIn {
  readonly fh: number;
  readonly owner: bigint;
  readonly lk: FileLock;
  readonly lkFlags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeLkIn(words: Uint32Array, at: number): LkIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    owner: BigInt((words[at + 2] as number)) | (BigInt((words[at + 3] as number)) << 32n),
    lk: decodeFileLock(words, at + 4),
    lkFlags: words[at + 10] as number,
  };
}

export interface AccessIn {
  readonly mask: number;
}

/** `at` counts words of 4 bytes. */
export function decodeAccessIn(words: Uint32Array, at: number): AccessIn {
  return {
    mask: words[at] as number,
  };
}

export interface InitIn {
  readonly major: number;
  readonly minor: number;
  readonly maxReadahead: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeInitIn(words: Uint32Array, at: number): InitIn {
  return {
    major: words[at] as number,
    minor: words[at + 1] as number,
    maxReadahead: words[at + 2] as number,
    flags: words[at + 3] as number,
  };
}

export interface InitExtIn {
  readonly base: InitIn;
  readonly flags2: number;
}

/** `at` counts words of 4 bytes. */
export function decodeInitExtIn(words: Uint32Array, at: number): InitExtIn {
  return {
    base: decodeInitIn(words, at),
    flags2: words[at + 4] as number,
  };
}

export interface InitOut {
  readonly major: number;
  readonly minor: number;
  readonly maxReadahead: number;
  readonly flags: number;
  readonly maxBackground: number;
  readonly congestionThreshold: number;
  readonly maxWrite: number;
  readonly timeGran: number;
  readonly maxPages: number;
  readonly mapAlignment: number;
  readonly flags2: number;
  readonly maxStackDepth: number;
  readonly requestTimeout: number;
}

/** `at` counts words of 4 bytes. */
export function decodeInitOut(words: Uint32Array, at: number): InitOut {
  return {
    major: words[at] as number,
    minor: words[at + 1] as number,
    maxReadahead: words[at + 2] as number,
    flags: words[at + 3] as number,
    maxBackground: (words[at + 4] as number) & 0xffff,
    congestionThreshold: (words[at + 4] as number) >>> 16,
    maxWrite: words[at + 5] as number,
    timeGran: words[at + 6] as number,
    maxPages: (words[at + 7] as number) & 0xffff,
    mapAlignment: (words[at + 7] as number) >>> 16,
    flags2: words[at + 8] as number,
    maxStackDepth: words[at + 9] as number,
    requestTimeout: (words[at + 10] as number) & 0xffff,
  };
}

/** `at` counts words of 4 bytes. */
export function encodeInitOut(words: Uint32Array, at: number, value: InitOut): void {
  words[at] = value.major;
  words[at + 1] = value.minor;
  words[at + 2] = value.maxReadahead;
  words[at + 3] = value.flags;
  words[at + 4] = value.maxBackground & 0xffff;
  words[at + 4] = (words[at + 4] as number) | (value.congestionThreshold << 16);
  words[at + 5] = value.maxWrite;
  words[at + 6] = value.timeGran;
  words[at + 7] = value.maxPages & 0xffff;
  words[at + 7] = (words[at + 7] as number) | (value.mapAlignment << 16);
  words[at + 8] = value.flags2;
  words[at + 9] = value.maxStackDepth;
  words[at + 10] = value.requestTimeout & 0xffff;
  words[at + 11] = 0;
  words[at + 12] = 0;
  words[at + 13] = 0;
  words[at + 14] = 0;
  words[at + 15] = 0;
}

export interface InterruptIn {
  readonly uniqueLow: number;
  readonly uniqueHigh: number;
}

/** `at` counts words of 4 bytes. */
export function decodeInterruptIn(words: Uint32Array, at: number): InterruptIn {
  return {
    uniqueLow: words[at] as number,
    uniqueHigh: words[at + 1] as number,
  };
}

export interface BmapIn {
  readonly block: number;
  readonly blocksize: number;
}

/** `at` counts words of 4 bytes. */
export function decodeBmapIn(words: Uint32Array, at: number): BmapIn {
  return {
    block: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    blocksize: words[at + 2] as number,
  };
}

export interface IoctlIn {
  readonly fh: number;
  readonly flags: number;
  readonly cmd: number;
  readonly arg: bigint;
  readonly inSize: number;
  readonly outSize: number;
}

/** `at` counts words of 4 bytes. */
export function decodeIoctlIn(words: Uint32Array, at: number): IoctlIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    flags: words[at + 2] as number,
    cmd: words[at + 3] as number,
    arg: BigInt((words[at + 4] as number)) | (BigInt((words[at + 5] as number)) << 32n),
    inSize: words[at + 6] as number,
    outSize: words[at + 7] as number,
  };
}

export interface PollIn {
  readonly fh: number;
  readonly kh: number;
  readonly flags: number;
  readonly events: number;
}

/** `at` counts words of 4 bytes. */
export function decodePollIn(words: Uint32Array, at: number): PollIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    kh: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    flags: words[at + 4] as number,
    events: words[at + 5] as number,
  };
}

export interface FallocateIn {
  readonly fh: number;
  readonly offset: number;
  readonly length: number;
  readonly mode: number;
}

/** `at` counts words of 4 bytes. */
export function decodeFallocateIn(words: Uint32Array, at: number): FallocateIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    offset: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    length: (words[at + 4] as number) + (words[at + 5] as number) * 0x1_0000_0000,
    mode: words[at + 6] as number,
  };
}

export interface LseekIn {
  readonly fh: number;
  readonly offset: number;
  readonly whence: number;
}

/** `at` counts words of 4 bytes. */
export function decodeLseekIn(words: Uint32Array, at: number): LseekIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    offset: (words[at + 2] as number) + ((words[at + 3] as number) | 0) * 0x1_0000_0000,
    whence: words[at + 4] as number,
  };
}

export interface LseekOut {
  readonly offset: number;
}

/** `at` counts words of 4 bytes. */
export function encodeLseekOut(words: Uint32Array, at: number, value: LseekOut): void {
  words[at] = value.offset;
  words[at + 1] = Math.floor(value.offset / 0x1_0000_0000);
}

export interface CopyFileRangeIn {
  readonly fhIn: number;
  readonly offIn: number;
  readonly nodeidOut: number;
  readonly fhOut: number;
  readonly offOut: number;
  readonly len: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function decodeCopyFileRangeIn(words: Uint32Array, at: number): CopyFileRangeIn {
  return {
    fhIn: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    offIn: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    nodeidOut: (words[at + 4] as number) + (words[at + 5] as number) * 0x1_0000_0000,
    fhOut: (words[at + 6] as number) + (words[at + 7] as number) * 0x1_0000_0000,
    offOut: (words[at + 8] as number) + (words[at + 9] as number) * 0x1_0000_0000,
    len: (words[at + 10] as number) + (words[at + 11] as number) * 0x1_0000_0000,
    flags: (words[at + 12] as number) + (words[at + 13] as number) * 0x1_0000_0000,
  };
}

export interface CopyFileRangeOut {
  readonly bytesCopied: number;
}

/** `at` counts words of 4 bytes. */
export function encodeCopyFileRangeOut(words: Uint32Array, at: number, value: CopyFileRangeOut): void {
  words[at] = value.bytesCopied;
  words[at + 1] = Math.floor(value.bytesCopied / 0x1_0000_0000);
}

export interface SetupmappingIn {
  readonly fh: number;
  readonly foffset: number;
  readonly len: number;
  readonly flags: number;
  readonly moffset: number;
}

/** `at` counts words of 4 bytes. */
export function decodeSetupmappingIn(words: Uint32Array, at: number): SetupmappingIn {
  return {
    fh: (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000,
    foffset: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    len: (words[at + 4] as number) + (words[at + 5] as number) * 0x1_0000_0000,
    flags: (words[at + 6] as number) + (words[at + 7] as number) * 0x1_0000_0000,
    moffset: (words[at + 8] as number) + (words[at + 9] as number) * 0x1_0000_0000,
  };
}

export interface RemovemappingIn {
  readonly count: number;
}

/** `at` counts words of 4 bytes. */
export function decodeRemovemappingIn(words: Uint32Array, at: number): RemovemappingIn {
  return {
    count: words[at] as number,
  };
}


export interface StatxIn {
  readonly getattrFlags: number;
  readonly fh: number;
  readonly sxFlags: number;
  readonly sxMask: number;
}

/** `at` counts words of 4 bytes. */
export function decodeStatxIn(words: Uint32Array, at: number): StatxIn {
  return {
    getattrFlags: words[at] as number,
    fh: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    sxFlags: words[at + 4] as number,
    sxMask: words[at + 5] as number,
  };
}

export interface Dirent {
  readonly ino: number;
  readonly off: number;
  readonly namelen: number;
  readonly type: number;
}

/** `at` counts words of 4 bytes. */
export function encodeDirent(words: Uint32Array, at: number, value: Dirent): void {
  words[at] = value.ino;
  words[at + 1] = Math.floor(value.ino / 0x1_0000_0000);
  words[at + 2] = value.off;
  words[at + 3] = Math.floor(value.off / 0x1_0000_0000);
  words[at + 4] = value.namelen;
  words[at + 5] = value.type;
}

export interface NotifyInvalInodeOut {
  readonly ino: number;
  readonly off: number;
  readonly len: number;
}

/** `at` counts words of 4 bytes. */
export function encodeNotifyInvalInodeOut(words: Uint32Array, at: number, value: NotifyInvalInodeOut): void {
  words[at] = value.ino;
  words[at + 1] = Math.floor(value.ino / 0x1_0000_0000);
  words[at + 2] = value.off;
  words[at + 3] = Math.floor(value.off / 0x1_0000_0000);
  words[at + 4] = value.len;
  words[at + 5] = Math.floor(value.len / 0x1_0000_0000);
}

export interface NotifyInvalEntryOut {
  readonly parent: number;
  readonly namelen: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function encodeNotifyInvalEntryOut(words: Uint32Array, at: number, value: NotifyInvalEntryOut): void {
  words[at] = value.parent;
  words[at + 1] = Math.floor(value.parent / 0x1_0000_0000);
  words[at + 2] = value.namelen;
  words[at + 3] = value.flags;
}

export interface NotifyDeleteOut {
  readonly parent: number;
  readonly child: number;
  readonly namelen: number;
}

/** `at` counts words of 4 bytes. */
export function encodeNotifyDeleteOut(words: Uint32Array, at: number, value: NotifyDeleteOut): void {
  words[at] = value.parent;
  words[at + 1] = Math.floor(value.parent / 0x1_0000_0000);
  words[at + 2] = value.child;
  words[at + 3] = Math.floor(value.child / 0x1_0000_0000);
  words[at + 4] = value.namelen;
  words[at + 5] = 0;
}

export interface NotifyStoreOut {
  readonly nodeid: number;
  readonly offset: number;
  readonly size: number;
}

/** `at` counts words of 4 bytes. */
export function encodeNotifyStoreOut(words: Uint32Array, at: number, value: NotifyStoreOut): void {
  words[at] = value.nodeid;
  words[at + 1] = Math.floor(value.nodeid / 0x1_0000_0000);
  words[at + 2] = value.offset;
  words[at + 3] = Math.floor(value.offset / 0x1_0000_0000);
  words[at + 4] = value.size;
  words[at + 5] = 0;
}

export interface NotifyRetrieveOut {
  readonly notifyUnique: number;
  readonly nodeid: number;
  readonly offset: number;
  readonly size: number;
}

/** `at` counts words of 4 bytes. */
export function encodeNotifyRetrieveOut(words: Uint32Array, at: number, value: NotifyRetrieveOut): void {
  words[at] = value.notifyUnique;
  words[at + 1] = Math.floor(value.notifyUnique / 0x1_0000_0000);
  words[at + 2] = value.nodeid;
  words[at + 3] = Math.floor(value.nodeid / 0x1_0000_0000);
  words[at + 4] = value.offset;
  words[at + 5] = Math.floor(value.offset / 0x1_0000_0000);
  words[at + 6] = value.size;
  words[at + 7] = 0;
}

export interface NotifyRetrieveIn {
  readonly offset: number;
  readonly size: number;
}

/** `at` counts words of 4 bytes. */
export function decodeNotifyRetrieveIn(words: Uint32Array, at: number): NotifyRetrieveIn {
  return {
    offset: (words[at + 2] as number) + (words[at + 3] as number) * 0x1_0000_0000,
    size: words[at + 4] as number,
  };
}

export interface BackingMap {
  readonly fd: number;
  readonly flags: number;
}

/** `at` counts words of 4 bytes. */
export function encodeBackingMap(words: Uint32Array, at: number, value: BackingMap): void {
  words[at] = value.fd;
  words[at + 1] = value.flags;
  words[at + 2] = 0;
  words[at + 3] = 0;
}
