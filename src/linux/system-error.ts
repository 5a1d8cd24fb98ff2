// The kernel's errno as a DriverError: the code says what kind of failure it is, the errno stays exact.
import { Errno, errnoName } from "../core/errno.ts";
import { DriverError, type ErrorCode } from "../core/errors.ts";

export function systemError(errno: number, operation: string): DriverError {
  const code = codeOfErrno.get(errno) ?? "Io";
  return new DriverError(code, `${operation}: ${errnoName(errno)}`, { errno, retryable: retryable.has(errno) });
}

/** An error thrown by node:fs or node:net (it carries a negative errno), as a DriverError; others unchanged in `cause`. */
export function fromNodeError(thrown: unknown, operation: string): DriverError {
  if (thrown instanceof DriverError) return thrown;
  const errno = (thrown as { errno?: unknown } | null)?.errno;
  if (typeof errno === "number" && errno !== 0) return systemError(Math.abs(errno), operation);
  return new DriverError("Io", `${operation}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
}

const codeOfErrno = new Map<number, ErrorCode>([
  [Errno.EPERM, "NotPermitted"],
  [Errno.ENOENT, "NotFound"],
  [Errno.EINTR, "Cancelled"],
  [Errno.EBADF, "BadHandle"],
  [Errno.EAGAIN, "Busy"],
  [Errno.ENOMEM, "OutOfMemory"],
  [Errno.EACCES, "AccessDenied"],
  [Errno.EBUSY, "Busy"],
  [Errno.EEXIST, "AlreadyExists"],
  [Errno.EXDEV, "CrossDevice"],
  [Errno.ENODEV, "Disconnected"],
  [Errno.ENOTDIR, "NotDirectory"],
  [Errno.EISDIR, "IsDirectory"],
  [Errno.EINVAL, "InvalidArgument"],
  [Errno.ENFILE, "ResourceExhausted"],
  [Errno.EMFILE, "ResourceExhausted"],
  [Errno.EFBIG, "FileTooLarge"],
  [Errno.ENOSPC, "NoSpace"],
  [Errno.EROFS, "ReadOnly"],
  [Errno.EPIPE, "Disconnected"],
  [Errno.ENAMETOOLONG, "NameTooLong"],
  [Errno.ENOSYS, "Unimplemented"],
  [Errno.ENOTEMPTY, "NotEmpty"],
  [Errno.ENODATA, "NoAttribute"],
  [Errno.EOPNOTSUPP, "NotSupported"],
  [Errno.ECONNABORTED, "Disconnected"],
  [Errno.ECONNRESET, "Disconnected"],
  [Errno.ENOTCONN, "Disconnected"],
  [Errno.ETIMEDOUT, "DeadlineExceeded"],
  [Errno.ECONNREFUSED, "Unreachable"],
  [Errno.ESTALE, "Stale"],
  [Errno.EDQUOT, "QuotaExceeded"],
]);

const retryable = new Set<number>([Errno.EINTR, Errno.EAGAIN, Errno.EBUSY, Errno.ENFILE, Errno.EMFILE, Errno.ETIMEDOUT]);
