// The one error type of the driver. Its codes are a closed union: S3, Kubernetes and the kernel are mapped into it once,
// at their edge; gRPC status and errno are mapped out of it by the two total tables in grpc-status.ts and errno.ts.

export type ErrorCode =
  // what the caller did
  | "InvalidArgument"
  | "NameTooLong"
  | "BadHandle"
  | "NotPermitted" // the operation is never allowed here (EPERM)
  | "ReadOnly"
  | "Unimplemented" // this function does not exist (ENOSYS)
  | "NotSupported" // it exists, but not for this object (EOPNOTSUPP)
  | "CrossDevice"
  // the state of things
  | "NotFound"
  | "AlreadyExists"
  | "IsDirectory"
  | "NotDirectory"
  | "NotEmpty"
  | "NoAttribute"
  | "Stale" // the object was replaced meanwhile (ESTALE)
  | "Conflict" // somebody else changed it first: read again and retry
  | "FailedPrecondition"
  | "Busy"
  // limits
  | "OutOfMemory"
  | "NoSpace"
  | "QuotaExceeded"
  | "FileTooLarge"
  | "ResourceExhausted"
  // identity
  | "AccessDenied"
  | "BadCredentials" // unknown key, wrong signature, expired token
  | "ClockSkew"
  // the other side
  | "BucketMissing"
  | "Unreachable"
  | "TlsUntrusted"
  | "Throttled"
  | "Unavailable"
  | "ChecksumMismatch"
  | "Io"
  // time
  | "DeadlineExceeded"
  | "Cancelled"
  | "Disconnected" // the kernel side of a mount is gone (ENOTCONN)
  | "Internal";

export interface DriverErrorOptions {
  readonly cause?: unknown;
  /** The exact errno, where the kernel gave one or a protocol demands one; else the table in errno.ts decides. */
  readonly errno?: number;
  /** Worth trying again without any change on the caller's side. */
  readonly retryable?: boolean;
}

export class DriverError extends Error {
  override readonly name = "DriverError";
  readonly code: ErrorCode;
  readonly errno: number | undefined;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: DriverErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errno = options.errno;
    this.retryable = options.retryable ?? false;
  }
}

/** Anything that was thrown, as a DriverError: an abort keeps its meaning, the unknown becomes Internal. */
export function toDriverError(thrown: unknown): DriverError {
  if (thrown instanceof DriverError) return thrown;
  if (thrown instanceof Error) {
    if (thrown.name === "TimeoutError") return new DriverError("DeadlineExceeded", thrown.message, { cause: thrown });
    if (thrown.name === "AbortError") {
      // AbortSignal.reason may carry the true cause.
      if (thrown.cause instanceof DriverError) return thrown.cause;
      return new DriverError("Cancelled", thrown.message, { cause: thrown });
    }
    return new DriverError("Internal", thrown.message, { cause: thrown });
  }
  return new DriverError("Internal", String(thrown));
}

export function hasCode(thrown: unknown, ...codes: ErrorCode[]): boolean {
  return thrown instanceof DriverError && codes.includes(thrown.code);
}

/** The message with the messages of its causes, for logs and for people; repeated texts are said once. */
export function explain(thrown: unknown): string {
  const parts: string[] = [];
  // Causes can go in a circle, so the depth is bounded.
  for (let e: unknown = thrown, depth = 0; e !== undefined && e !== null && depth < 8; e = e instanceof Error ? e.cause : undefined, depth++) {
    const text = e instanceof Error ? e.message : String(e);
    if (text !== "" && !parts.some((p) => p.includes(text))) parts.push(text);
  }
  return parts.join(": ");
}
