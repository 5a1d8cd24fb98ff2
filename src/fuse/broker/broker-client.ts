// The server's side of the broker: one question at a time over the socket.
import { closeSync } from "node:fs";
import { DriverError } from "../../core/errors.ts";
import { receiveFd, sendFd } from "../../linux/fd-passing.ts";

export class BrokerClient {
  readonly #socket: number;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** A connected unix socket; the client's from now on. */
  constructor(socket: number) {
    this.#socket = socket;
  }

  /** Registers an open file; the id goes into OpenReply.backingId. The descriptor may be closed afterwards. */
  async register(fd: number, signal?: AbortSignal): Promise<number> {
    const answer = await this.#ask("open", fd, signal);
    if (!answer.startsWith("id ")) throw new DriverError("NotPermitted", answer.replace(/^error /, ""));
    return Number(answer.slice(3));
  }

  /** For when the last handle that uses the id is released. */
  async unregister(id: number, signal?: AbortSignal): Promise<void> {
    const answer = await this.#ask(`close ${id}`, undefined, signal);
    if (answer !== "closed") throw new DriverError("InvalidArgument", answer.replace(/^error /, ""));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#socket);
  }

  #ask(question: string, fd: number | undefined, signal: AbortSignal | undefined): Promise<string> {
    const turn = this.#tail.then(async () => {
      if (this.#closed) throw new DriverError("Disconnected", "the broker is gone");
      sendFd(this.#socket, fd, question);
      // A question that was asked must be heard out, or the next one would get its answer.
      return (await receiveFd(this.#socket)).data.toString("utf8");
    });
    this.#tail = turn.catch(() => {});
    if (!signal) return turn;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    return Promise.race([turn, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
  }
}
