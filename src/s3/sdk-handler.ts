// Carries the SDK's requests over our own connections, so that there is one place for pooling, TLS trust, proxies and time-outs.
import { Readable } from "node:stream";
import { type ConnectionOptions, defaultTimeouts } from "./connection-options.ts";
import { ConnectionPool } from "./http/pool.ts";
import { proxyFor } from "./http/proxy.ts";
import { readCaBundle } from "./ca-bundle.ts";

interface SdkRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Readable;
}

export class SdkHandler {
  readonly #options: ConnectionOptions;
  readonly #pools = new Map<string, ConnectionPool>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** `requestTimeout` comes on top of the usual time to the first byte, for what the store does before it replies. */
  async handle(request: SdkRequest, { abortSignal, requestTimeout }: { abortSignal?: unknown; requestTimeout?: number | undefined } = {}): Promise<{ response: SdkResponse }> {
    const { pool, absolute, authorization } = this.#poolFor(request);
    const body = bodyOf(request.body);
    const target = request.path + queryText(request.query);
    const reply = await pool.send({
      method: request.method,
      target: absolute ? `http://${request.headers["host"]}${target}` : target,
      headers: {
        ...request.headers,
        ...(body || request.method === "PUT" || request.method === "POST" ? { "content-length": String(body?.length ?? 0) } : {}),
        ...(authorization === undefined ? {} : { "proxy-authorization": authorization }),
      },
      ...(body ? { body: [body] } : {}),
      idempotent: request.method !== "POST",
      ...(abortSignal instanceof AbortSignal ? { signal: abortSignal } : {}),
      ...(requestTimeout === undefined ? {} : { patienceMs: requestTimeout }),
    });
    return { response: { statusCode: reply.status, headers: Object.fromEntries(reply.headers), body: Readable.from(reply.body.length === 0 ? [] : [reply.body]) } };
  }

  destroy(): void {
    for (const pool of this.#pools.values()) pool.close();
    this.#pools.clear();
  }

  /** The SDK asks for these two; there is nothing to set. */
  updateHttpClientConfig(): void {}
  httpHandlerConfigs(): Record<string, never> {
    return {};
  }

  #poolFor(request: SdkRequest): { pool: ConnectionPool; absolute: boolean; authorization?: string } {
    const tls = request.protocol === "https:";
    const target = { tls, host: request.hostname.replace(/^\[|\]$/g, ""), port: request.port ?? (tls ? 443 : 80) };
    const name = `${tls} ${target.host} ${target.port}`;
    const proxy = this.#options.proxyEnv && proxyFor(target, this.#options.proxyEnv);
    let pool = this.#pools.get(name);
    if (!pool) {
      const { caBundle, timeouts, maxConnections } = this.#options;
      pool = new ConnectionPool({
        ...target,
        maxConnections: maxConnections ?? 64,
        timeouts: { ...defaultTimeouts, ...timeouts },
        ...(tls && caBundle !== undefined ? { ca: readCaBundle(caBundle) } : {}),
        ...(proxy ? { proxy } : {}),
      });
      this.#pools.set(name, pool);
    }
    return { pool, absolute: proxy !== undefined && !tls, ...(proxy?.authorization === undefined || tls ? {} : { authorization: proxy.authorization }) };
  }
}

function bodyOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body === null || body === "") return undefined;
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError("only bodies in memory are sent through the SDK");
}

function queryText(query: SdkRequest["query"]): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === null ? [encodeURIComponent(name)] : [value].flat().map((v) => `${encodeURIComponent(name)}=${encodeURIComponent(v).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
