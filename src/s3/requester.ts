// Sends S3 requests to one bucket over our own connections: signed, retried where that is right, failures mapped. The SDK's
// calls go out through the same pool (sdk.ts).
import { createHash } from "node:crypto";
import { DriverError } from "../core/errors.ts";
import { readCaBundle } from "./ca-bundle.ts";
import { type ConnectionOptions, defaultMaxAttempts, defaultTimeouts } from "./connection-options.ts";
import type { Credentials, CredentialsSource } from "./credentials.ts";
import { type Endpoint, endpointOf } from "./endpoint.ts";
import { type FailureContext, failureOfReply, failureOfThrown } from "./failure.ts";
import type { HttpReply, HttpRequest } from "./http/message.ts";
import { ConnectionPool } from "./http/pool.ts";
import { type HttpProxy, proxyFor } from "./http/proxy.ts";
import { AttemptFailed, type RetryOptions, withRetries } from "./retry.ts";
import { directoryBucketZone, SessionCredentials } from "./session-credentials.ts";
import { canonicalQuery, createSigner, emptyPayloadHash, encodeKey, type Signer, unsignedPayload } from "./sign.ts";
import { elementText } from "./xml.ts";

export interface S3Call {
  readonly operation: string;
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly key?: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: readonly Uint8Array[];
  /** Its checksum stands in the headers, so that the signature need not cover it. */
  readonly bodyIsProven?: boolean;
  readonly into?: Uint8Array;
  readonly onProgress?: (filled: number) => void;
  /** Safe to send again even when the first one may have been carried out. True unless told. */
  readonly idempotent?: boolean;
  readonly onPrecondition?: FailureContext["onPrecondition"];
  readonly maxAttempts?: number;
  readonly deadlineMs?: number;
  /** The store has that much more to do than for others before it replies. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Signs this call, whatever signs the others. */
  readonly credentials?: Credentials;
}

/** Seen by metrics. */
export interface RequestObserver {
  onAttempt?(operation: string, outcome: "ok" | DriverError["code"], durationMs: number): void;
  onRetry?(operation: string, error: DriverError, waitMs: number): void;
}

export interface RequesterOptions extends ConnectionOptions {
  readonly bucket: string;
  readonly credentials: CredentialsSource;
  readonly observer?: RequestObserver;
}

export class Requester {
  readonly #options: RequesterOptions;
  readonly #credentials: CredentialsSource;
  readonly #service: "s3" | "s3express";
  readonly #maxAttempts: number;
  #region: string;
  #endpoint: Endpoint;
  #proxy: HttpProxy | undefined;
  #signer: Signer;
  #pool: ConnectionPool;
  #closed = false;
  #lastKey: string | undefined;

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.#maxAttempts = options.maxAttempts ?? defaultMaxAttempts;
    this.#region = options.region;
    this.#endpoint = endpointOf(options, options.bucket);
    this.#proxy = options.proxyEnv ? proxyFor(this.#endpoint, options.proxyEnv) : undefined;
    const isDirectory = directoryBucketZone(options.bucket) !== undefined;
    this.#service = isDirectory ? "s3express" : "s3";
    this.#credentials = isDirectory
      ? new SessionCredentials({ base: options.credentials, create: (credentials) => this.#createSession(credentials) })
      : options.credentials;
    this.#signer = createSigner({ region: options.region, service: this.#service });
    this.#pool = this.#makePool();
  }

  /** The reply, when it is a success; else throws a DriverError. */
  async send(call: S3Call): Promise<HttpReply> {
    return withRetries(this.retries(call), async () => {
      try {
        return await this.attempt(call);
      } catch (thrown) {
        throw thrown instanceof AttemptFailed && call.idempotent === false ? withholdRetry(thrown) : thrown;
      }
    });
  }

  retries(call: S3Call): RetryOptions {
    return {
      maxAttempts: call.maxAttempts ?? this.#maxAttempts,
      signal: call.signal,
      ...(call.deadlineMs === undefined ? {} : { deadlineMs: call.deadlineMs }),
      onRetry: (failure, _attempt, wait) => this.#options.observer?.onRetry?.(call.operation, failure.error, wait),
    };
  }

  /** One attempt. Throws AttemptFailed. */
  async attempt(call: S3Call): Promise<HttpReply> {
    const started = performance.now();
    const { observer } = this.#options;
    try {
      const reply = await this.#tryOnce(call, false);
      observer?.onAttempt?.(call.operation, "ok", performance.now() - started);
      return reply;
    } catch (thrown) {
      if (thrown instanceof AttemptFailed) observer?.onAttempt?.(call.operation, thrown.failure.error.code, performance.now() - started);
      throw thrown;
    }
  }

  async #tryOnce(call: S3Call, redirected: boolean): Promise<HttpReply> {
    const context = this.context(call);
    let reply: HttpReply;
    try {
      const request = await this.#build(call);
      reply = await this.#pool.send(request);
    } catch (thrown) {
      if (this.#closed) throw new DriverError("Cancelled", "the store was closed");
      const failure = failureOfThrown(call.signal?.aborted ? call.signal.reason : thrown, context);
      if (call.signal?.aborted) throw failure.error;
      throw new AttemptFailed(failure);
    }
    if (reply.status < 300 && !isLateError(call, reply)) return reply;
    const failure = failureOfReply(reply, context);
    if (failure.error.code === "BadCredentials" && !redirected && (await this.#hasNewCredentials(call))) return this.#tryOnce(call, true);
    if (failure.region !== undefined && failure.region !== this.#region && !this.#options.regionFixed && !redirected) {
      this.#moveTo(failure.region);
      return this.#tryOnce(call, true);
    }
    throw new AttemptFailed(failure);
  }

  context(call: Pick<S3Call, "operation" | "key" | "onPrecondition">): FailureContext {
    const { tls, authority } = this.#endpoint;
    return {
      operation: call.operation,
      bucket: this.#options.bucket,
      endpoint: `${tls ? "https" : "http"}://${authority}`,
      region: this.#region,
      ...(call.key === undefined ? {} : { key: call.key }),
      ...(call.onPrecondition ? { onPrecondition: call.onPrecondition } : {}),
    };
  }

  /** Where the bucket is, as far as the store has said. */
  get region(): string {
    return this.#region;
  }

  close(): void {
    this.#closed = true;
    this.#pool.close();
  }

  async #build(call: S3Call): Promise<HttpRequest> {
    const { authority, basePath } = this.#endpoint;
    const { requesterPays, expectedBucketOwner, signPayload } = this.#options;
    const path = call.key === undefined ? basePath || "/" : `${basePath}/${encodeKey(call.key)}`;
    const query = call.query ?? [];
    const headers: Record<string, string> = { host: authority, "user-agent": this.#userAgent(), ...call.headers };
    if (call.body) headers["content-length"] = String(call.body.reduce((sum, b) => sum + b.length, 0));
    else if (call.method === "PUT" || call.method === "POST") headers["content-length"] = "0";
    if (requesterPays) headers["x-amz-request-payer"] = "requester";
    if (expectedBucketOwner !== undefined) headers["x-amz-expected-bucket-owner"] = expectedBucketOwner;
    const found = call.credentials ?? this.#credentials.get(call.signal);
    const credentials = found instanceof Promise ? await found : found;
    if (!call.credentials) this.#lastKey = credentials?.accessKeyId;
    if (credentials) {
      const payloadHash = !call.body ? emptyPayloadHash : call.bodyIsProven && !signPayload ? unsignedPayload : sha256(call.body);
      this.#signer.sign({ method: call.method, path, query, headers, payloadHash }, credentials, new Date());
    }
    const target = `${path}${query.length === 0 ? "" : `?${canonicalQuery(query)}`}`;
    const viaProxy = this.#proxy && !this.#endpoint.tls;
    if (viaProxy && this.#proxy?.authorization !== undefined) headers["proxy-authorization"] = this.#proxy.authorization;
    return {
      method: call.method,
      target: viaProxy ? `http://${authority}${target}` : target,
      headers,
      idempotent: call.idempotent ?? true,
      ...(call.body ? { body: call.body } : {}),
      ...(call.into ? { into: call.into } : {}),
      ...(call.onProgress ? { onProgress: call.onProgress } : {}),
      ...(call.patienceMs === undefined ? {} : { patienceMs: call.patienceMs }),
      ...(call.signal ? { signal: call.signal } : {}),
    };
  }

  /** Keys may be rotated between our last look and the request that was refused. */
  async #hasNewCredentials(call: S3Call): Promise<boolean> {
    const refused = this.#lastKey;
    if (call.credentials) return false;
    this.#credentials.doubt?.();
    const now = await Promise.resolve(this.#credentials.get(call.signal)).catch(() => undefined);
    return now !== undefined && now.accessKeyId !== refused;
  }

  /** Whoever needs it retries. */
  async #createSession(credentials: Credentials): Promise<Credentials> {
    try {
      const reply = await this.attempt({ operation: "CreateSession", method: "GET", query: [["session", ""]], credentials });
      return sessionOf(Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.length).toString());
    } catch (thrown) {
      throw thrown instanceof AttemptFailed ? thrown.failure.error : thrown;
    }
  }

  #moveTo(region: string): void {
    this.#region = region;
    this.#signer = createSigner({ region, service: this.#service });
    const before = this.#endpoint;
    this.#endpoint = endpointOf({ ...this.#options, region }, this.#options.bucket);
    if (before.host === this.#endpoint.host) return;
    this.#pool.close();
    this.#pool = this.#makePool();
  }

  #makePool(): ConnectionPool {
    const { caBundle, maxConnections, timeouts } = this.#options;
    return new ConnectionPool({
      ...this.#endpoint,
      maxConnections: maxConnections ?? 64,
      timeouts: { ...defaultTimeouts, ...timeouts },
      ...(caBundle === undefined || !this.#endpoint.tls ? {} : { ca: readCaBundle(caBundle) }),
      ...(this.#proxy ? { proxy: this.#proxy } : {}),
    });
  }

  #userAgent(): string {
    const { userAgentPrefix } = this.#options;
    return `${userAgentPrefix === undefined ? "" : `${userAgentPrefix} `}s3-csi`;
  }
}

/** What may have been carried out and must not be carried out twice is not tried again. */
function withholdRetry(thrown: AttemptFailed): AttemptFailed {
  const { failure } = thrown;
  if (!failure.ambiguous || !failure.error.retryable) return thrown;
  const { code, message, cause } = failure.error;
  return new AttemptFailed({ ...failure, error: new DriverError(code, message, { cause, retryable: false }) });
}

/** Long operations answer 200 at once and may still end with an error document. */
function isLateError(call: S3Call, reply: HttpReply): boolean {
  if (call.method === "GET" || call.method === "HEAD" || reply.body.length === 0) return false;
  return Buffer.from(reply.body.buffer, reply.body.byteOffset, Math.min(reply.body.length, 200)).includes("<Error>");
}

function sessionOf(document: string): Credentials {
  const text = (name: string) => elementText(document, name) ?? "";
  return {
    accessKeyId: text("AccessKeyId"),
    secretAccessKey: text("SecretAccessKey"),
    sessionToken: text("SessionToken"),
    expiresMs: Date.parse(text("Expiration")) || 0,
    isBucketSession: true,
  };
}

function sha256(body: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of body) hash.update(part);
  return hash.digest("hex");
}
