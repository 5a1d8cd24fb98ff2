// POSIX and flock locks in memory: ranges per owner, waiting with the caller's signal.
import { Errno } from "../../src/core/errno.ts";
import { DriverError } from "../../src/core/errors.ts";
import type { Caller, FileLock, Handle, NodeId } from "../../src/fuse/file-system.ts";

interface Held extends FileLock {
  readonly owner: bigint;
  readonly flock: boolean;
}

const writeLock = 1;
const unlock = 2;

export class MemoryLocks {
  readonly #held = new Map<NodeId, Held[]>();
  readonly #waiting = new Set<() => void>();

  getlk(node: NodeId, _handle: Handle, owner: bigint, lock: FileLock): FileLock {
    return this.#conflict(node, owner, lock, false) ?? { ...lock, type: unlock };
  }

  async setlk(node: NodeId, _handle: Handle, owner: bigint, lock: FileLock, wait: boolean, flock: boolean, caller: Caller): Promise<void> {
    if (lock.type !== unlock) {
      while (this.#conflict(node, owner, lock, flock)) {
        if (!wait) throw new DriverError("Busy", "locked", { errno: Errno.EAGAIN });
        await this.#changed(caller.signal);
      }
    }
    const kept = (this.#held.get(node) ?? []).flatMap((h) => (h.owner === owner && h.flock === flock ? outside(h, lock) : [h]));
    if (lock.type !== unlock) kept.push({ ...lock, owner, flock });
    this.#held.set(node, kept);
    for (const wake of this.#waiting) wake();
  }

  /** A close gives up the POSIX locks of its owner. */
  flush(node: NodeId, _handle: Handle, owner: bigint): void {
    const held = this.#held.get(node);
    if (!held) return;
    this.#held.set(node, held.filter((h) => h.flock || h.owner !== owner));
    for (const wake of this.#waiting) wake();
  }

  #conflict(node: NodeId, owner: bigint, lock: FileLock, flock: boolean): Held | undefined {
    const overlaps = (h: Held) => h.start <= lock.end && lock.start <= h.end;
    return this.#held.get(node)?.find((h) => h.flock === flock && h.owner !== owner && overlaps(h) && (h.type === writeLock || lock.type === writeLock));
  }

  async #changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(signal.reason);
    this.#waiting.add(resolve);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await promise;
    } finally {
      this.#waiting.delete(resolve);
      signal.removeEventListener("abort", onAbort);
    }
  }
}

/** What stays of a held range when another one is taken out of it. */
function outside(held: Held, cut: FileLock): Held[] {
  if (cut.end < held.start || cut.start > held.end) return [held];
  const rest: Held[] = [];
  if (held.start < cut.start) rest.push({ ...held, end: cut.start - 1n });
  if (held.end > cut.end) rest.push({ ...held, start: cut.end + 1n });
  return rest;
}
