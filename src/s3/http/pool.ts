// Keep-alive connections to one server: the last one used is taken first, so that spare ones grow old and are closed.
import type { Connection } from "./connection.ts";
import { dial, type Target } from "./dial.ts";
import { type HttpReply, type HttpRequest, TransportError } from "./message.ts";

export interface PoolOptions extends Target {
  readonly maxConnections: number;
}

/** Below what servers and load balancers use (AWS: 20 s after the last request; others 60 s). */
const idleLimitMs = 15_000;

export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #waiting: (() => void)[] = [];
  #opening = 0;
  #closed = false;
  #watchdog: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    let connection = await this.#acquire(request.signal);
    const reused = connection.uses > 0;
    try {
      return await connection.send(request);
    } catch (error) {
      // The server may close an idle connection at the very moment it is used again: that costs no attempt.
      if (!reused || !request.idempotent || !(error instanceof TransportError) || error.kind !== "reset") throw error;
      this.#release(connection);
      connection = await this.#open();
      return await connection.send(request);
    } finally {
      this.#release(connection);
    }
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#all) connection.destroy();
    for (const wake of this.#waiting.splice(0)) wake();
    clearInterval(this.#watchdog);
    this.#watchdog = undefined;
  }

  async #acquire(signal: AbortSignal | undefined): Promise<Connection> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#closed) throw new TransportError("reset", "the store was closed", { unsent: true });
      for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
        if (connection.usable) return connection;
      }
      if (this.#all.size + this.#opening < this.#options.maxConnections) return this.#open();
      await this.#turn(signal);
    }
  }

  async #open(): Promise<Connection> {
    this.#opening++;
    let connection: Connection;
    try {
      connection = await dial(this.#options);
    } catch (error) {
      this.#waiting.shift()?.();
      throw error;
    } finally {
      this.#opening--;
    }
    this.#all.add(connection);
    connection.onClosed = () => {
      this.#all.delete(connection);
      const at = this.#idle.indexOf(connection);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#waiting.shift()?.();
      if (this.#all.size === 0) this.#rest();
    };
    if (this.#closed) connection.destroy();
    this.#watchdog ??= setInterval(() => this.#watch(), 1000).unref();
    return connection;
  }

  #release(connection: Connection): void {
    if (!connection.usable || this.#idle.includes(connection)) return;
    this.#idle.push(connection);
    this.#waiting.shift()?.();
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(wake), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(wake);
    });
  }

  #watch(): void {
    const now = performance.now();
    for (const connection of this.#all) connection.watch(now);
    while (this.#idle[0] && now - this.#idle[0].idleSince > idleLimitMs) this.#idle.shift()?.destroy();
  }

  #rest(): void {
    clearInterval(this.#watchdog);
    this.#watchdog = undefined;
  }
}
