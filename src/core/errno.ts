// errno numbers (Linux, the same on x86-64 and arm64) and the total table from ErrorCode to errno.
import { type DriverError, type ErrorCode, toDriverError } from "./errors.ts";

export const Errno = {
  EPERM: 1, ENOENT: 2, ESRCH: 3, EINTR: 4, EIO: 5, ENXIO: 6, E2BIG: 7, EBADF: 9, EAGAIN: 11, ENOMEM: 12, EACCES: 13, EFAULT: 14, EBUSY: 16,
  EEXIST: 17, EXDEV: 18, ENODEV: 19, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, ENFILE: 23, EMFILE: 24, ENOTTY: 25, ETXTBSY: 26, EFBIG: 27,
  ENOSPC: 28, ESPIPE: 29, EROFS: 30, EMLINK: 31, EPIPE: 32, ERANGE: 34, EDEADLK: 35, ENAMETOOLONG: 36, ENOLCK: 37, ENOSYS: 38, ENOTEMPTY: 39,
  ELOOP: 40, ENODATA: 61, ETIME: 62, EPROTO: 71, EOVERFLOW: 75, EOPNOTSUPP: 95, ECONNABORTED: 103, ECONNRESET: 104, ENOTCONN: 107,
  ETIMEDOUT: 110, ECONNREFUSED: 111, ESTALE: 116, EDQUOT: 122, ECANCELED: 125,
} as const;

const errnoOfCode = {
  InvalidArgument: Errno.EINVAL,
  NameTooLong: Errno.ENAMETOOLONG,
  BadHandle: Errno.EBADF,
  NotPermitted: Errno.EPERM,
  ReadOnly: Errno.EROFS,
  Unimplemented: Errno.ENOSYS,
  NotSupported: Errno.EOPNOTSUPP,
  CrossDevice: Errno.EXDEV,
  NotFound: Errno.ENOENT,
  AlreadyExists: Errno.EEXIST,
  IsDirectory: Errno.EISDIR,
  NotDirectory: Errno.ENOTDIR,
  NotEmpty: Errno.ENOTEMPTY,
  NoAttribute: Errno.ENODATA,
  Stale: Errno.ESTALE,
  Conflict: Errno.EIO,
  FailedPrecondition: Errno.EPERM,
  Busy: Errno.EBUSY,
  OutOfMemory: Errno.ENOMEM,
  NoSpace: Errno.ENOSPC,
  QuotaExceeded: Errno.EDQUOT,
  FileTooLarge: Errno.EFBIG,
  ResourceExhausted: Errno.ENOMEM,
  AccessDenied: Errno.EACCES,
  BadCredentials: Errno.EACCES,
  ClockSkew: Errno.EACCES,
  BucketMissing: Errno.EIO,
  Unreachable: Errno.EIO,
  TlsUntrusted: Errno.EIO,
  Throttled: Errno.EIO,
  Unavailable: Errno.EIO,
  ChecksumMismatch: Errno.EIO,
  Io: Errno.EIO,
  DeadlineExceeded: Errno.ETIMEDOUT,
  Cancelled: Errno.EINTR,
  Disconnected: Errno.ENOTCONN,
  Internal: Errno.EIO,
} as const satisfies Record<ErrorCode, number>;

export function errnoOf(thrown: unknown): number {
  const error: DriverError = toDriverError(thrown);
  return error.errno ?? errnoOfCode[error.code];
}

const nameOfErrno = new Map<number, string>(Object.entries(Errno).map(([name, value]) => [value, name]));

export function errnoName(errno: number): string {
  return nameOfErrno.get(errno) ?? `errno ${errno}`;
}
