// A TCP proxy that makes a loopback server as far away as a real one: every byte arrives later (half of the delay each way), and no
// stream gets more than its bandwidth. It can also cut, or go silent, like a broken network.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface LatencyProxyOptions {
  /** "http://127.0.0.1:1234", or "127.0.0.1:1234". */
  readonly target: string;
  /** Round trip: half is added on the way there, half on the way back. */
  readonly delayMs: number;
  /** Bytes per second, per connection and direction. */
  readonly bandwidth?: number;
  readonly signal?: AbortSignal;
}

export interface LatencyProxy extends AsyncDisposable {
  /** The target's address with the proxy's host and port. */
  readonly endpoint: string;
  /** Connections taken so far. */
  connections(): number;
  /** Resets every open connection; new ones are taken. */
  cut(): void;
  /** From now on nothing passes (true), or everything again (false); connections stay open. */
  freeze(frozen: boolean): void;
  stop(): Promise<void>;
}

export async function startLatencyProxy(options: LatencyProxyOptions): Promise<LatencyProxy> {
  const target = new URL(options.target.includes("://") ? options.target : `tcp://${options.target}`);
  const port = Number(target.port || (target.protocol === "https:" ? 443 : 80));
  const open = new Set<Socket>();
  const gate = new Gate();
  let connections = 0;
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    connections++;
    const far = connect({ host: target.hostname, port, noDelay: true, allowHalfOpen: true });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
    }
    const through = (from: Socket, to: Socket) =>
      pipeline(from, new Delay(options.delayMs / 2, options.bandwidth ?? Number.POSITIVE_INFINITY, gate), to).catch(() => {
        // One side broke off: so does the other.
        from.resetAndDestroy();
        to.resetAndDestroy();
      });
    void through(near, far);
    void through(far, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const cut = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    cut();
    await once(server, "close");
  };
  options.signal?.addEventListener("abort", () => void stop(), { once: true });
  const address = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    endpoint: target.protocol === "tcp:" ? address : `${target.protocol}//${address}`,
    connections: () => connections,
    cut,
    freeze: (frozen) => gate.close(frozen),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Holds chunks back while closed. */
class Gate {
  #waiting: (() => void)[] | undefined;

  close(closed: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = closed ? (waiting ?? []) : undefined;
    if (!closed) for (const go of waiting ?? []) go();
  }

  pass(go: () => void): void {
    if (this.#waiting) this.#waiting.push(go);
    else go();
  }
}

/** Passes chunks on in order, each `ms` after it came and not before the bandwidth allows; up to 8 MiB may be under way. */
class Delay extends Transform {
  readonly #ms: number;
  readonly #bytesPerMs: number;
  readonly #gate: Gate;
  #freeAt = 0;
  #underway = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(ms: number, bandwidth: number, gate: Gate) {
    super({ highWaterMark: 1 << 20 });
    this.#ms = ms;
    this.#bytesPerMs = bandwidth / 1000;
    this.#gate = gate;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, taken: TransformCallback): void {
    const now = performance.now();
    this.#freeAt = Math.max(now, this.#freeAt) + chunk.length / this.#bytesPerMs;
    const due = this.#freeAt + this.#ms;
    this.#underway += chunk.length;
    const full = this.#underway > 8 << 20;
    const sent = this.#last.then(async () => {
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      await new Promise<void>((resolve) => this.#gate.pass(resolve));
      this.#underway -= chunk.length;
      if (!this.destroyed) this.push(chunk);
    });
    this.#last = sent;
    if (full) void sent.then(() => taken());
    else taken();
  }

  override _flush(done: TransformCallback): void {
    void this.#last.then(() => done());
  }
}
