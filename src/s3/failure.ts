// What went wrong, mapped once: replies of the store and failures below HTTP become DriverErrors that say the cause, with what
// the retry loop needs to know beside them.
import { DriverError, type ErrorCode } from "../core/errors.ts";
import { type HttpReply, TransportError } from "./http/message.ts";
import { elementText } from "./xml.ts";

export interface Failure {
  readonly error: DriverError;
  /** The store may have carried the request out all the same. */
  readonly ambiguous: boolean;
  /** The least time to wait, as the store asked. */
  readonly retryAfterMs?: number;
  /** Where the bucket really is. */
  readonly region?: string;
}

export interface FailureContext {
  readonly operation: string;
  readonly bucket: string;
  readonly key?: string;
  readonly endpoint: string;
  /** What the request was signed for. */
  readonly region?: string;
  /** What a failed precondition means here. */
  readonly onPrecondition?: "Stale" | "AlreadyExists";
}

const codeOfS3Code: Readonly<Record<string, ErrorCode>> = {
  NoSuchKey: "NotFound",
  NoSuchUpload: "NotFound",
  NoSuchVersion: "NotFound",
  NoSuchTagSet: "NotFound",
  NoSuchBucket: "BucketMissing",
  AccessDenied: "AccessDenied",
  AllAccessDisabled: "AccessDenied",
  AccountProblem: "AccessDenied",
  InvalidPayer: "AccessDenied",
  InvalidAccessKeyId: "BadCredentials",
  SignatureDoesNotMatch: "BadCredentials",
  ExpiredToken: "BadCredentials",
  InvalidToken: "BadCredentials",
  TokenRefreshRequired: "BadCredentials",
  InvalidSecurity: "BadCredentials",
  NotSignedUp: "BadCredentials",
  RequestTimeTooSkewed: "ClockSkew",
  RequestExpired: "ClockSkew",
  SlowDown: "Throttled",
  Throttling: "Throttled",
  ThrottlingException: "Throttled",
  RequestLimitExceeded: "Throttled",
  TooManyRequests: "Throttled",
  BandwidthLimitExceeded: "Throttled",
  ServiceUnavailable: "Unavailable",
  InternalError: "Unavailable",
  InternalFailure: "Unavailable",
  RequestTimeout: "Unavailable",
  IncompleteBody: "Unavailable",
  OperationAborted: "Conflict",
  ConditionalRequestConflict: "Conflict",
  InvalidWriteOffset: "Conflict",
  NotImplemented: "Unimplemented",
  MethodNotAllowed: "Unimplemented",
  EntityTooLarge: "FileTooLarge",
  BadDigest: "ChecksumMismatch",
  InvalidDigest: "ChecksumMismatch",
  XAmzContentSHA256Mismatch: "ChecksumMismatch",
  XAmzContentChecksumMismatch: "ChecksumMismatch",
  KeyTooLongError: "NameTooLong",
  InvalidBucketName: "InvalidArgument",
  InvalidArgument: "InvalidArgument",
  InvalidStorageClass: "InvalidArgument",
  BucketAlreadyExists: "AlreadyExists",
  BucketAlreadyOwnedByYou: "AlreadyExists",
  BucketNotEmpty: "NotEmpty",
  InvalidRange: "Stale",
  InvalidObjectState: "NotPermitted",
  QuotaExceeded: "QuotaExceeded",
  InsufficientStorage: "NoSpace",
  // A key below an object, or an object where keys are below, on stores that keep files.
  ObjectParentIsFile: "NotDirectory",
  ExistingObjectIsDirectory: "IsDirectory",
};

const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: "InvalidArgument",
  401: "BadCredentials",
  403: "AccessDenied",
  404: "NotFound",
  405: "Unimplemented",
  408: "Unavailable",
  409: "Conflict",
  413: "FileTooLarge",
  416: "Stale",
  429: "Throttled",
  500: "Unavailable",
  501: "Unimplemented",
  502: "Unavailable",
  503: "Throttled",
  504: "Unavailable",
  507: "NoSpace",
};

const retryableCodes: ReadonlySet<ErrorCode> = new Set(["Throttled", "Unavailable", "Unreachable", "ChecksumMismatch", "DeadlineExceeded", "Io"]);
const retryableS3Codes: ReadonlySet<string> = new Set(["OperationAborted", "ConditionalRequestConflict"]);

export interface StoreError {
  readonly status: number;
  /** S3's own code, "" when the reply had no document. */
  readonly code: string;
  readonly message: string;
  readonly requestTime?: string | undefined;
  readonly serverTime?: string | undefined;
  readonly region?: string | undefined;
  readonly retryAfter?: string | undefined;
}

/** A reply that is not a success. */
export function failureOfReply(reply: HttpReply, context: FailureContext): Failure {
  const text = Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.length).toString();
  return failureOfStoreError(
    {
      status: reply.status,
      code: elementText(text, "Code") ?? "",
      message: elementText(text, "Message") ?? "",
      requestTime: elementText(text, "RequestTime"),
      serverTime: elementText(text, "ServerTime") ?? reply.headers.get("date"),
      region: reply.headers.get("x-amz-bucket-region") ?? elementText(text, "Region"),
      retryAfter: reply.headers.get("retry-after"),
    },
    context,
  );
}

export function failureOfStoreError(said: StoreError, context: FailureContext): Failure {
  // A 200 that carries an error document is the store's own failure, unless its code says more.
  const status = said.status < 300 ? 500 : said.status;
  const precondition = said.status === 412 || said.code === "PreconditionFailed";
  // HEAD has no document to say why; an expired token is what stores answer this way.
  const nameless = said.code === "" && status === 400 && context.operation.startsWith("Head");
  const elsewhere = regionElsewhere(said, context);
  const code = elsewhere !== undefined ? "InvalidArgument" : nameless ? "BadCredentials" : precondition ? (context.onPrecondition ?? "Stale") : (codeOfS3Code[said.code] ?? codeOfStatus[status] ?? "Io");
  const retryable = retryableCodes.has(code) || retryableS3Codes.has(said.code);
  const wait = retryAfterMs(said.retryAfter);
  return {
    error: new DriverError(code, describe(code, said, context), { retryable, cause: said.code === "" ? undefined : new Error(`${said.code}: ${said.message}`) }),
    ambiguous: status >= 500 && said.code !== "SlowDown",
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(elsewhere === undefined ? {} : { region: elsewhere }),
  };
}

/** Where the bucket is, when the store says that it is not where we asked. HEAD has only a header to say so. */
function regionElsewhere({ status, code, region }: StoreError, context: FailureContext): string | undefined {
  if (!region) return undefined;
  if (status === 301 || status === 307 || code === "PermanentRedirect") return region;
  return status === 400 && (code === "" || code === "AuthorizationHeaderMalformed") && region !== context.region ? region : undefined;
}

/** Whatever was thrown on the way to a reply. */
export function failureOfThrown(thrown: unknown, context: FailureContext): Failure {
  if (thrown instanceof DriverError) return { error: thrown, ambiguous: false };
  if (!(thrown instanceof TransportError)) {
    const name = thrown instanceof Error ? thrown.name : "";
    if (name === "TimeoutError") return { error: new DriverError("DeadlineExceeded", `${what(context)} took too long`, { cause: thrown }), ambiguous: true };
    if (name === "AbortError") return { error: new DriverError("Cancelled", `${what(context)} was cancelled`, { cause: thrown }), ambiguous: true };
    return { error: new DriverError("Internal", `${what(context)} failed: ${String(thrown)}`, { cause: thrown }), ambiguous: true };
  }
  const ambiguous = !thrown.unsent;
  const make = (code: ErrorCode, message: string, retryable: boolean): Failure => ({ error: new DriverError(code, message, { retryable, cause: thrown }), ambiguous });
  switch (thrown.kind) {
    case "tls":
      return make("TlsUntrusted", `${thrown.message}; give the authority that signed it with --ca-bundle, or with tls.caCertData of the Helm chart`, false);
    case "connect":
      return make("Unreachable", `${thrown.message}; check the endpoint ${context.endpoint} and the network`, true);
    case "proxy":
      return make("Unreachable", thrown.message, true);
    case "timeout":
      return make("DeadlineExceeded", `${what(context)}: ${thrown.message}`, true);
    case "reset":
    case "truncated":
      return make("Unavailable", `${what(context)}: ${thrown.message}`, true);
    case "protocol":
      return make("Io", `${what(context)}: ${thrown.message}`, true);
  }
}

function describe(code: ErrorCode, said: StoreError, context: FailureContext): string {
  const elsewhere = regionElsewhere(said, context);
  if (elsewhere !== undefined) {
    const bucket = `the bucket "${context.bucket}" is in the region ${elsewhere}`;
    if (elsewhere === context.region) return `${bucket}, which ${context.endpoint} does not serve; give the endpoint of that region`;
    return `${bucket}, not in ${context.region ?? "this one"}; give --region ${elsewhere}`;
  }
  const because = said.code === "" ? `HTTP ${said.status}` : `${said.code}${said.message === "" ? "" : `: ${said.message}`}`;
  switch (code) {
    case "BucketMissing":
      return `the bucket "${context.bucket}" does not exist at ${context.endpoint}; check its name and the endpoint`;
    case "BadCredentials":
      return said.code === "ExpiredToken"
        ? "the session token has expired; give new credentials"
        : `the store does not accept the credentials (${said.code || `HTTP ${said.status}`}); check the access key and its secret`;
    case "ClockSkew":
      return `the clocks differ: this machine says ${new Date().toISOString()}, the store says ${said.serverTime ?? "another time"}; set the clock of this machine`;
    case "AccessDenied":
      return `access denied: ${what(context)}${said.message === "" || said.message === "Access Denied" ? "" : ` (${said.message})`}; the credentials lack the permission`;
    case "Throttled":
      return `the store asks to slow down: ${what(context)} (${because})`;
    default:
      return `${what(context)} failed (${because})`;
  }
}

function what(context: FailureContext): string {
  return `${context.operation} ${context.key === undefined ? context.bucket : `${context.bucket}/${context.key}`}`;
}

function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 20_000) : undefined;
}
