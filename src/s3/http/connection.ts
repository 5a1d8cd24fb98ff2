// One connection that carries one request at a time.
import type { Socket } from "node:net";
import type { Timeouts } from "../connection-options.ts";
import { type HttpReply, type HttpRequest, TransportError } from "./message.ts";
import type { ReplyParser } from "./reply-parser.ts";

/** Written at a time: the completion of each is a sign of life. */
const writeSliceBytes = 1024 * 1024;

export class Connection {
  readonly #socket: Socket;
  readonly #parser: ReplyParser;
  readonly #timeouts: Timeouts;
  #pending: { readonly request: HttpRequest; readonly resolve: (reply: HttpReply) => void; readonly reject: (error: Error) => void } | undefined;
  #wroteAll = false;
  #lastSign = 0;
  #failure: Error | undefined;
  /** Requests carried so far. */
  uses = 0;
  idleSince = 0;
  onClosed: (() => void) | undefined;

  /** Whoever made the socket hands what it receives to receive(): the parser's room is the socket's buffer. */
  constructor(socket: Socket, parser: ReplyParser, timeouts: Timeouts) {
    this.#socket = socket;
    this.#parser = parser;
    this.#timeouts = timeouts;
    socket.on("error", (error) => {
      this.#failure ??= error;
    });
    socket.on("end", () => {
      const reply = this.#parser.end();
      if (reply) this.#complete(reply);
      else socket.destroy();
    });
    socket.on("close", () => {
      this.#fail(this.#closedError());
      this.onClosed?.();
    });
  }

  get usable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable && !this.#pending;
  }

  receive(bytes: Uint8Array): void {
    this.#lastSign = performance.now();
    try {
      const reply = this.#parser.take(bytes);
      if (reply) this.#complete(reply);
    } catch (error) {
      this.#fail(new TransportError("protocol", (error as Error).message, { unsent: false }));
      this.destroy();
    }
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    const { signal } = request;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
    this.uses++;
    this.#pending = { request, resolve, reject };
    this.#lastSign = performance.now();
    this.#wroteAll = false;
    this.#parser.expect({ method: request.method, into: request.into, onProgress: request.onProgress });
    const onAbort = () => {
      this.#fail(signal?.reason instanceof Error ? signal.reason : new Error("cancelled"));
      this.destroy();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      this.#write(request);
      return await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Called every now and then while a request is under way. */
  watch(now: number): void {
    if (!this.#pending) return;
    const { patienceMs = 0 } = this.#pending.request;
    const started = this.#parser.seen > 0;
    const limit = started || !this.#wroteAll ? this.#timeouts.idleMs : this.#timeouts.firstByteMs + patienceMs;
    if (now - this.#lastSign <= limit) return;
    const what = !this.#wroteAll ? "the server took nothing of the request" : started ? "the reply stopped" : "no reply";
    this.#fail(new TransportError("timeout", `${what} for ${Math.round(limit / 1000)} s`, { unsent: false }));
    this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #write(request: HttpRequest): void {
    let head = `${request.method} ${request.target} HTTP/1.1\r\n`;
    for (const name in request.headers) head += `${name}: ${request.headers[name]}\r\n`;
    const slices = [Buffer.from(`${head}\r\n`, "latin1"), ...slicesOf(request.body ?? [])];
    const socket = this.#socket;
    let next = 0;
    const more = (error?: Error | null): void => {
      this.#lastSign = performance.now();
      if (error || this.#pending?.request !== request) return;
      if (next === slices.length) {
        this.#wroteAll = true;
        return;
      }
      // The header and a small body leave together.
      let bytes = 0;
      socket.cork();
      while (next < slices.length && bytes < writeSliceBytes) {
        const slice = slices[next++] as Uint8Array;
        bytes += slice.length;
        socket.write(slice, next === slices.length || bytes >= writeSliceBytes ? more : undefined);
      }
      socket.uncork();
    };
    more();
  }

  #complete(reply: HttpReply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.idleSince = performance.now();
    // A reply before the whole body was taken is a refusal; the rest must not reach the next request.
    if (!this.#parser.reusable || (!this.#wroteAll && reply.status >= 300)) this.destroy();
    pending?.resolve(reply);
  }

  #fail(error: Error): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(error);
  }

  #closedError(): TransportError {
    const started = this.#parser.seen > 0;
    const why = this.#failure ? this.#failure.message : "the server closed the connection";
    return new TransportError(started ? "truncated" : "reset", started ? `the reply broke off: ${why}` : why, { unsent: false, cause: this.#failure });
  }
}

function* slicesOf(body: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of body) {
    for (let at = 0; at < part.length; at += writeSliceBytes) yield part.subarray(at, at + writeSliceBytes);
  }
}
