// Passthrough for a server without privileges: registering a backing file needs CAP_SYS_ADMIN, so the privileged holder of
// the connection does it for the server, over a unix socket: "open" with the file's descriptor → the id; "close <id>".
import { closeSync } from "node:fs";
import { DriverError, explain, hasCode } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { type Received, receiveFd, sendFd } from "../../linux/fd-passing.ts";
import { peerCredentials } from "../../linux/unix-socket.ts";
import { type BackingFileRule, checkBackingFile, registerBackingFile, unregisterBackingFile } from "./backing-file.ts";

export interface BrokerOptions {
  /** A connected unix socket; the broker's from now on. */
  readonly socket: number;
  /** A duplicate of the connection's descriptor; stays the caller's. */
  readonly fuseFd: number;
  readonly rule: BackingFileRule;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

/** Serves one server until it hangs up; what it registered is then unregistered. Files that are open at that time go on
 *  working: the kernel keeps a reference of its own. When anything else ends it, the server may live on and count on its ids;
 *  they end with the connection, or with a "close" to the next broker. */
export async function serveBroker({ socket, fuseFd, rule, log, signal }: BrokerOptions): Promise<void> {
  const registered = new Set<number>();
  try {
    const { uid, pid } = peerCredentials(socket);
    if (uid !== rule.uid) throw new DriverError("NotPermitted", `a process of uid ${uid} asked, ${rule.uid} is served`);
    log.debug("a server may register backing files", { pid, uid });
    for (;;) {
      const request = await receiveFd(socket, signal);
      try {
        signal?.throwIfAborted();
        sendFd(socket, undefined, answer(request));
      } finally {
        if (request.fd !== undefined) closeSync(request.fd);
      }
    }
  } catch (error) {
    if (signal?.aborted) return;
    if (hasCode(error, "Disconnected")) unregisterAll();
    else log.error("the broker for backing files ended", { reason: explain(error) });
  } finally {
    closeSync(socket);
  }

  function unregisterAll(): void {
    try {
      for (const id of registered) unregisterBackingFile(fuseFd, id);
    } catch (error) {
      // The connection has ended, and they with it.
      log.debug("backing files could not be unregistered", { reason: explain(error) });
    }
  }

  function answer({ data, fd }: Received): string {
    try {
      const [verb, argument] = data.toString("latin1").split(" ");
      if (verb === "open" && fd !== undefined) {
        checkBackingFile(fd, rule);
        const id = registerBackingFile(fuseFd, fd, rule);
        registered.add(id);
        log.debug("registered a backing file", { id });
        return `id ${id}`;
      }
      const id = Number(argument);
      // Also one that an earlier broker gave out: the ids of a connection are all its server's.
      if (verb === "close" && Number.isSafeInteger(id)) {
        registered.delete(id);
        unregisterBackingFile(fuseFd, id);
        return "closed";
      }
      throw new DriverError("InvalidArgument", "neither an open with a descriptor nor a close of an id");
    } catch (error) {
      log.warn("refused a backing file", { reason: explain(error) });
      return `error ${explain(error)}`;
    }
  }
}
