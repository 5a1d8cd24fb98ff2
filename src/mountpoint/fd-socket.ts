// The socket beside gRPC that carries what gRPC can't: descriptors of /dev/fuse and of the crash record. Whoever connects either
// sends one together with a token that its Mount call will name, or asks with "get" or "get crash-record" for a duplicate of the one
// in use, or offers with "broker" to register the cache's files with the kernel and goes on listening for them.
import { closeSync } from "node:fs";
import { DriverError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { receiveFd, sendFd } from "../linux/fd-passing.ts";
import { acceptUnix, listenUnix } from "../linux/unix-socket.ts";

const talkMs = 5_000;
/** A descriptor that nobody claims keeps a mount alive that nobody serves. */
const unclaimedMs = 60_000;

export interface FdSocketUses {
  /** The descriptor that is being served. */
  served(): number | undefined;
  /** Where it is recorded what a successor must know. */
  crashRecord(): number | undefined;
  /** A connection to a broker, the receiver's from now on. */
  broker(socket: number): void;
}

export class FdSocket {
  readonly #log: Logger;
  readonly #uses: FdSocketUses;
  readonly #received = new Map<string, { readonly fd: number; readonly timer: NodeJS.Timeout }>();
  readonly #waiting = new Map<string, (fd: number) => void>();

  constructor(log: Logger, uses: FdSocketUses) {
    this.#log = log;
    this.#uses = uses;
  }

  /** Listens until the signal ends. */
  listen(socketPath: string, signal: AbortSignal): void {
    const listener = listenUnix(socketPath);
    void this.#acceptAll(listener, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#log.error("the descriptor socket failed", { error });
      })
      .finally(() => {
        closeSync(listener);
        for (const { fd, timer } of this.#received.values()) {
          clearTimeout(timer);
          closeSync(fd);
        }
        this.#received.clear();
      });
  }

  /** The descriptor that came, or comes soon, with this token. The caller's from then on. */
  claim(token: string, signal: AbortSignal): Promise<number> {
    const found = this.#received.get(token);
    if (found) {
      this.#received.delete(token);
      clearTimeout(found.timer);
      return Promise.resolve(found.fd);
    }
    return new Promise((resolve, reject) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(talkMs)]);
      const onAbort = () => {
        this.#waiting.delete(token);
        reject(new DriverError("FailedPrecondition", "no descriptor came with this token"));
      };
      limit.addEventListener("abort", onAbort, { once: true });
      this.#waiting.set(token, (fd) => {
        limit.removeEventListener("abort", onAbort);
        resolve(fd);
      });
    });
  }

  async #acceptAll(listener: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const connection = await acceptUnix(listener, signal);
      void this.#talk(connection, AbortSignal.any([signal, AbortSignal.timeout(talkMs)]))
        .catch((error: unknown) => this.#log.warn("a caller of the descriptor socket failed", { error }))
        .then((kept) => {
          if (kept !== "kept") closeSync(connection);
        });
    }
  }

  async #talk(connection: number, signal: AbortSignal): Promise<"kept" | undefined> {
    const { data, fd } = await receiveFd(connection, signal);
    const text = data.toString();
    if (fd === undefined) {
      if (text === "get") sendFd(connection, this.#uses.served(), "fd");
      if (text === "get crash-record") sendFd(connection, this.#uses.crashRecord(), "fd");
      if (text !== "broker") return undefined;
      this.#uses.broker(connection);
      return "kept";
    }
    const waiter = this.#waiting.get(text);
    if (waiter) {
      this.#waiting.delete(text);
      waiter(fd);
      return undefined;
    }
    const timer = setTimeout(() => {
      this.#received.delete(text);
      closeSync(fd);
    }, unclaimedMs).unref();
    this.#received.set(text, { fd, timer });
    return undefined;
  }
}
