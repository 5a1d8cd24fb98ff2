// Watches over a connection whose descriptor is kept while its server may die. As long as nobody serves it, every process
// that touches the mount sleeps uninterruptibly; after the limit this ends, with EIO where the kernel can repeat lost
// requests (6.9 and later), else by aborting the connection.
import type { Logger } from "../core/log.ts";
import { abortConnection, ensureControlFileSystem, isConnected } from "./connection.ts";
import { ErrorResponder } from "./error-responder.ts";

export interface WatchdogOptions {
  /** A duplicate that is kept open as long as the watchdog lives; stays the caller's. */
  readonly fd: number;
  /** The connection's number, for the abort. */
  readonly connection: number;
  /** How long callers may wait for a new server. */
  readonly limitMs: number;
  readonly log: Logger;
  readonly maxWrite?: number;
  /** "abort" ends the mount instead of answering with errors. */
  readonly policy?: "errors" | "abort";
  readonly onExpired?: (outcome: "answering errors" | "aborted") => void;
}

export class ConnectionWatchdog {
  readonly #options: WatchdogOptions;
  #timer: NodeJS.Timeout | undefined;
  /** When the callers' patience ends; set as long as nobody serves. */
  #deadlineMs: number | undefined;
  #responder: ErrorResponder | undefined;
  #closed = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    // Now, while nothing hangs yet.
    ensureControlFileSystem();
  }

  /** The server is gone (or has not come yet, or could not go on): the time runs, from the first of these calls on. */
  unserved(): void {
    if (this.#closed || this.#timer || this.#responder) return;
    this.#deadlineMs ??= performance.now() + this.#options.limitMs;
    this.#timer = setTimeout(() => this.#expired(), Math.max(0, this.#deadlineMs - performance.now()));
  }

  /** Call it before a new server gets the descriptor: two readers would take each other's requests. Whatever comes of it has
   *  to be told: served(), or unserved() again, which gives the callers no second time to wait. */
  standBack(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#responder?.stop();
    this.#responder = undefined;
  }

  served(): void {
    this.standBack();
    this.#deadlineMs = undefined;
  }

  get answeringErrors(): boolean {
    return this.#responder !== undefined;
  }

  close(): void {
    this.#closed = true;
    this.served();
  }

  #expired(): void {
    this.#timer = undefined;
    const { fd, connection, log, policy = "errors", onExpired, maxWrite } = this.#options;
    if (policy === "errors") {
      this.#responder = ErrorResponder.start({ fd, ...(maxWrite === undefined ? {} : { maxWrite }) });
      if (this.#responder) {
        log.error("nobody serves the mount; its callers get EIO until a server comes", { connection });
        onExpired?.("answering errors");
        return;
      }
    }
    log.error("nobody serves the mount; its connection is aborted", { connection });
    try {
      if (isConnected(fd)) abortConnection(connection);
    } catch (error) {
      // Whoever holds the descriptor may have others to look after: this is no reason to end.
      log.error("the connection hangs and cannot be aborted", { connection, error });
    }
    onExpired?.("aborted");
  }
}
