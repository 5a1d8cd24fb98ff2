// Into DriverError from what the API server answers, by one total table over the reasons of metav1.Status.
import { DriverError, type ErrorCode } from "../core/errors.ts";

type StatusReason =
  | "BadRequest"
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Expired"
  | "Invalid"
  | "ServerTimeout"
  | "StoreReadError"
  | "Timeout"
  | "TooManyRequests"
  | "RequestEntityTooLarge"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "UnsupportedMediaType"
  | "InternalError"
  | "ServiceUnavailable"
  | "Unknown";

const codeOfReason = {
  BadRequest: "InvalidArgument",
  Unauthorized: "BadCredentials",
  Forbidden: "AccessDenied",
  NotFound: "NotFound",
  AlreadyExists: "AlreadyExists",
  Conflict: "Conflict",
  Gone: "Stale",
  Expired: "Stale",
  Invalid: "InvalidArgument",
  ServerTimeout: "Unavailable",
  StoreReadError: "Unavailable",
  Timeout: "DeadlineExceeded",
  TooManyRequests: "Throttled",
  RequestEntityTooLarge: "InvalidArgument",
  MethodNotAllowed: "NotSupported",
  NotAcceptable: "NotSupported",
  UnsupportedMediaType: "NotSupported",
  InternalError: "Unavailable",
  ServiceUnavailable: "Unavailable",
  Unknown: "Internal",
} as const satisfies Record<StatusReason, ErrorCode>;

/** For answers without a Status, from proxies and load balancers in between. */
const reasonOfHttp: Readonly<Record<number, StatusReason>> = {
  400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 405: "MethodNotAllowed", 406: "NotAcceptable", 408: "Timeout",
  409: "Conflict", 410: "Gone", 413: "RequestEntityTooLarge", 415: "UnsupportedMediaType", 422: "Invalid", 429: "TooManyRequests",
  500: "InternalError", 502: "ServiceUnavailable", 503: "ServiceUnavailable", 504: "Timeout",
};

const retryable: ReadonlySet<ErrorCode> = new Set(["Conflict", "Unavailable", "DeadlineExceeded", "Throttled", "Unreachable", "Stale"]);

export interface StatusBody {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

export function statusError(httpCode: number, body: StatusBody | undefined, what: string): DriverError {
  const said = body?.reason !== undefined && body.reason in codeOfReason ? (body.reason as StatusReason) : undefined;
  const reason = said ?? reasonOfHttp[httpCode] ?? (httpCode >= 500 ? "ServiceUnavailable" : "Unknown");
  const code = codeOfReason[reason];
  return new DriverError(code, `${what}: ${body?.message ?? `HTTP ${httpCode}`}`, { retryable: retryable.has(code) });
}

const tlsCodes = new Set([
  "SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** What node:http throws when no answer came. */
export function connectionError(thrown: unknown, what: string): DriverError {
  if (thrown instanceof DriverError) return thrown;
  const error = thrown as NodeJS.ErrnoException;
  if (error.name === "TimeoutError") return new DriverError("DeadlineExceeded", `${what}: no answer in time`, { cause: thrown, retryable: true });
  if (error.name === "AbortError") return new DriverError("Cancelled", `${what}: cancelled`, { cause: thrown });
  if (tlsCodes.has(error.code ?? "")) return new DriverError("TlsUntrusted", `${what}: ${error.message}`, { cause: thrown });
  return new DriverError("Unreachable", `${what}: ${error.message || error.code}`, { cause: thrown, retryable: true });
}
