// HTTP to the API server: one JSON answer, or a stream of lines. Own, because client-node's watch neither asks for bookmarks
// nor restarts after an error, and its models double the memory of a list.
import http from "node:http";
import https from "node:https";
import { DriverError } from "../core/errors.ts";
import type { Connection } from "./connection.ts";
import { ListSplitter } from "./list-splitter.ts";
import { connectionError, type StatusBody, statusError } from "./status-error.ts";

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** Told once per finished request; for metrics and for tests that count writes. */
export type RequestObserver = (method: string, path: string, status: number, milliseconds: number) => void;

const requestTimeoutMs = 30_000;

export class Transport {
  readonly #connection: Connection;
  readonly #agent: http.Agent;
  readonly #observe: RequestObserver | undefined;

  constructor(connection: Connection, observe?: RequestObserver) {
    this.#connection = connection;
    this.#observe = observe;
    const tls = Object.fromEntries(Object.entries(connection.tls).filter(([, value]) => value !== undefined));
    const options = { keepAlive: true, keepAliveMsecs: 15_000, maxSockets: 64, maxFreeSockets: 16 };
    this.#agent = connection.server.protocol === "https:" ? new https.Agent({ ...options, ...tls }) : new http.Agent(options);
  }

  /** A list whose items are handed over one by one as they arrive. Answers with the rest of it. */
  async items(path: string, options: RequestOptions, onItem: (item: unknown) => void): Promise<unknown> {
    return this.json("GET", path, options, (json) => onItem(JSON.parse(json)));
  }

  async json(method: string, path: string, options: RequestOptions = {}, onItem?: (json: string) => void): Promise<unknown> {
    const what = `${method} ${path}`;
    const started = performance.now();
    const timeout = AbortSignal.timeout(options.timeoutMs ?? requestTimeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      const response = await this.#send(method, path, options, signal);
      const status = response.statusCode ?? 0;
      const splitter = onItem && status < 300 ? new ListSplitter(onItem) : undefined;
      const chunks: Buffer[] = [];
      for await (const chunk of response) {
        if (splitter) splitter.push(chunk as Buffer);
        else chunks.push(chunk as Buffer);
      }
      this.#observe?.(method, path, status, performance.now() - started);
      const parsed = parseJson(splitter?.end() ?? Buffer.concat(chunks).toString("utf8"), what, status);
      if (status >= 300) throw statusError(status, parsed as StatusBody | undefined, what);
      return parsed;
    } catch (thrown) {
      options.signal?.throwIfAborted();
      throw connectionError(timeout.aborted ? timeout.reason : thrown, what);
    }
  }

  /** Ends when the server ends it; throws when the line is cut, or silent for longer than idleMs. */
  async *lines(path: string, options: RequestOptions & { readonly idleMs: number }): AsyncGenerator<string> {
    const what = `GET ${path} (watch)`;
    const silence = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, silence.signal]) : silence.signal;
    const onSilence = () => silence.abort(new DriverError("DeadlineExceeded", `${what}: silent for ${options.idleMs} ms`, { retryable: true }));
    const timer = setTimeout(onSilence, options.idleMs);
    try {
      const response = await this.#send("GET", path, options, signal);
      if ((response.statusCode ?? 0) >= 300) {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const status = response.statusCode ?? 0;
        throw statusError(status, parseJson(Buffer.concat(chunks).toString("utf8"), what, status) as StatusBody | undefined, what);
      }
      let pending: Buffer[] = [];
      for await (const data of response) {
        timer.refresh();
        let chunk = data as Buffer;
        for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
          const head = chunk.subarray(0, end);
          yield pending.length === 0 ? head.toString("utf8") : Buffer.concat([...pending, head]).toString("utf8");
          pending = [];
          chunk = chunk.subarray(end + 1);
        }
        if (chunk.length > 0) pending.push(chunk);
      }
    } catch (thrown) {
      options.signal?.throwIfAborted();
      throw connectionError(silence.signal.aborted ? silence.signal.reason : thrown, what);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(method: string, path: string, options: RequestOptions, signal: AbortSignal): Promise<http.IncomingMessage> {
    const server = this.#connection.server;
    const headers: Record<string, string | number> = { accept: "application/json", ...(await this.#connection.headers()) };
    const payload = options.body === undefined ? undefined : Buffer.from(JSON.stringify(options.body));
    if (payload) {
      headers["content-type"] = options.contentType ?? "application/json";
      headers["content-length"] = payload.length;
    }
    const prefix = server.pathname.replace(/\/$/, "");
    const target = { host: server.hostname.replace(/^\[|\]$/g, ""), port: server.port, path: `${prefix}${path}${queryText(options.query)}` };
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const request = (server.protocol === "https:" ? https : http).request({ ...target, method, headers, agent: this.#agent, signal });
    request.on("response", resolve).on("error", reject).setNoDelay(true);
    request.end(payload);
    return promise;
  }
}

function queryText(query: RequestOptions["query"]): string {
  const set = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== "");
  return set.length === 0 ? "" : `?${new URLSearchParams(set.map(([key, value]) => [key, String(value)]))}`;
}

function parseJson(body: string, what: string, status: number): unknown {
  if (body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (status >= 300) return { message: body.slice(0, 200) };
    throw new DriverError("Unavailable", `${what}: the answer is not JSON`, { cause, retryable: true });
  }
}
