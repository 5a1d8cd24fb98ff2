// Whole objects of the cache on disk, registered with the kernel so that it reads them by itself (FUSE passthrough). Registering
// takes CAP_SYS_ADMIN: a daemon without it asks the node service (src/fuse/broker), the command line is root and does it itself.
// Nobody to ask, a refusal or a late answer only mean that the file is read through us, as every other.
import { hasCode, explain } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Passthrough } from "../filesystem/options.ts";
import { registerBackingFile, unregisterBackingFile } from "../fuse/broker/backing-file.ts";

export interface Registrar {
  register(fd: number): Promise<number>;
  unregister(id: number): Promise<void>;
  close(): void;
}

/** Somebody waits in open(2) meanwhile. */
const answerMs = 1_000;
/** What is refused once (a cache on overlayfs, say) is refused each time: opening a file shall not cost a question in vain. */
const pauseMs = 60_000;

export class BackingFiles implements Passthrough {
  readonly #log: Logger;
  #registrar: Registrar | undefined;
  #askAgainAtMs = 0;
  /** Not needed any more, and not yet unregistered. An id belongs to the connection: any registrar can end it. */
  readonly #left = new Set<number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** From now on this one is asked; the node service may come, go and come again. */
  use(registrar: Registrar): void {
    this.#registrar?.close();
    this.#registrar = registrar;
    this.#askAgainAtMs = 0;
    for (const id of [...this.#left]) void this.#unregister(id);
  }

  async register(fd: number): Promise<{ readonly backingId: number; close(): void } | undefined> {
    const registrar = this.#registrar;
    if (!registrar || performance.now() < this.#askAgainAtMs) return undefined;
    const asked = registrar.register(fd);
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), answerMs);
    try {
      const backingId = await Promise.race([asked, late]);
      if (backingId !== undefined) return { backingId, close: () => void this.#unregister(backingId) };
      void asked.then((id) => this.#unregister(id)).catch(() => {});
      this.#refused("no answer in time");
    } catch (error) {
      if (hasCode(error, "Disconnected")) this.#lost(registrar);
      else this.#refused(explain(error));
    } finally {
      clearTimeout(timer);
    }
    return undefined;
  }

  close(): void {
    this.#registrar?.close();
    this.#registrar = undefined;
  }

  async #unregister(id: number): Promise<void> {
    this.#left.add(id);
    const registrar = this.#registrar;
    if (!registrar) return;
    try {
      await registrar.unregister(id);
      this.#left.delete(id);
    } catch (error) {
      if (hasCode(error, "Disconnected")) return this.#lost(registrar);
      this.#left.delete(id);
      this.#log.debug("a cached file could not be unregistered", { id, reason: explain(error) });
    }
  }

  #lost(registrar: Registrar): void {
    if (this.#registrar === registrar) this.#registrar = undefined;
    registrar.close();
  }

  #refused(reason: string): void {
    this.#askAgainAtMs = performance.now() + pauseMs;
    this.#log.info("the kernel does not read cached files by itself", { reason });
  }
}

/** For a process that may do it itself. */
export function ownRegistrar(fuseFd: number): Registrar {
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return {
    register: async (fd) => registerBackingFile(fuseFd, fd, owner),
    unregister: async (id) => unregisterBackingFile(fuseFd, id),
    close: () => {},
  };
}
