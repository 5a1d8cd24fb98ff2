// gRPC status numbers and the total table from ErrorCode to them.
import { type ErrorCode, toDriverError } from "./errors.ts";

/** https://grpc.io/docs/guides/status-codes: the numbers on the wire. */
export const GrpcStatus = {
  OK: 0, CANCELLED: 1, UNKNOWN: 2, INVALID_ARGUMENT: 3, DEADLINE_EXCEEDED: 4, NOT_FOUND: 5, ALREADY_EXISTS: 6, PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8, FAILED_PRECONDITION: 9, ABORTED: 10, OUT_OF_RANGE: 11, UNIMPLEMENTED: 12, INTERNAL: 13, UNAVAILABLE: 14,
  DATA_LOSS: 15, UNAUTHENTICATED: 16,
} as const;

const statusOfCode = {
  InvalidArgument: GrpcStatus.INVALID_ARGUMENT,
  NameTooLong: GrpcStatus.INVALID_ARGUMENT,
  BadHandle: GrpcStatus.INVALID_ARGUMENT,
  NotPermitted: GrpcStatus.FAILED_PRECONDITION,
  ReadOnly: GrpcStatus.FAILED_PRECONDITION,
  Unimplemented: GrpcStatus.UNIMPLEMENTED,
  NotSupported: GrpcStatus.UNIMPLEMENTED,
  CrossDevice: GrpcStatus.INVALID_ARGUMENT,
  NotFound: GrpcStatus.NOT_FOUND,
  AlreadyExists: GrpcStatus.ALREADY_EXISTS,
  IsDirectory: GrpcStatus.INVALID_ARGUMENT,
  NotDirectory: GrpcStatus.INVALID_ARGUMENT,
  NotEmpty: GrpcStatus.FAILED_PRECONDITION,
  NoAttribute: GrpcStatus.NOT_FOUND,
  Stale: GrpcStatus.ABORTED,
  Conflict: GrpcStatus.ABORTED,
  FailedPrecondition: GrpcStatus.FAILED_PRECONDITION,
  Busy: GrpcStatus.UNAVAILABLE,
  OutOfMemory: GrpcStatus.RESOURCE_EXHAUSTED,
  NoSpace: GrpcStatus.RESOURCE_EXHAUSTED,
  QuotaExceeded: GrpcStatus.RESOURCE_EXHAUSTED,
  FileTooLarge: GrpcStatus.OUT_OF_RANGE,
  ResourceExhausted: GrpcStatus.RESOURCE_EXHAUSTED,
  AccessDenied: GrpcStatus.PERMISSION_DENIED,
  BadCredentials: GrpcStatus.UNAUTHENTICATED,
  ClockSkew: GrpcStatus.UNAUTHENTICATED,
  BucketMissing: GrpcStatus.NOT_FOUND,
  Unreachable: GrpcStatus.UNAVAILABLE,
  TlsUntrusted: GrpcStatus.UNAVAILABLE,
  Throttled: GrpcStatus.UNAVAILABLE,
  Unavailable: GrpcStatus.UNAVAILABLE,
  ChecksumMismatch: GrpcStatus.DATA_LOSS,
  Io: GrpcStatus.INTERNAL,
  DeadlineExceeded: GrpcStatus.DEADLINE_EXCEEDED,
  Cancelled: GrpcStatus.CANCELLED,
  Disconnected: GrpcStatus.INTERNAL,
  Internal: GrpcStatus.INTERNAL,
} as const satisfies Record<ErrorCode, number>;

export function grpcStatusOf(thrown: unknown): number {
  return statusOfCode[toDriverError(thrown).code];
}

export type GrpcStatusName = keyof typeof GrpcStatus;

const nameOfStatus = new Map<number, GrpcStatusName>(Object.entries(GrpcStatus).map(([name, value]) => [value, name as GrpcStatusName]));

export function grpcStatusName(status: number): GrpcStatusName {
  return nameOfStatus.get(status) ?? "UNKNOWN";
}

/** The way back, for a peer that says nothing but the status. OK is no error: a client that was handed it as one has met a bug. */
const codeOfStatus = {
  OK: "Internal",
  CANCELLED: "Cancelled",
  UNKNOWN: "Internal",
  INVALID_ARGUMENT: "InvalidArgument",
  DEADLINE_EXCEEDED: "DeadlineExceeded",
  NOT_FOUND: "NotFound",
  ALREADY_EXISTS: "AlreadyExists",
  PERMISSION_DENIED: "AccessDenied",
  RESOURCE_EXHAUSTED: "ResourceExhausted",
  FAILED_PRECONDITION: "FailedPrecondition",
  ABORTED: "Conflict",
  OUT_OF_RANGE: "InvalidArgument",
  UNIMPLEMENTED: "Unimplemented",
  INTERNAL: "Internal",
  UNAVAILABLE: "Unavailable",
  DATA_LOSS: "ChecksumMismatch",
  UNAUTHENTICATED: "BadCredentials",
} as const satisfies Record<GrpcStatusName, ErrorCode>;

export function codeOfGrpcStatus(status: number): ErrorCode {
  return codeOfStatus[grpcStatusName(status)];
}

/** A code by its name, as it comes over a wire; undefined for what is none. */
export function errorCodeNamed(name: string): ErrorCode | undefined {
  return Object.hasOwn(statusOfCode, name) ? (name as ErrorCode) : undefined;
}
