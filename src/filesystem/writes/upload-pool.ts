// Memory of all uploads of the mount. Writers may hold three quarters of the budget. Who wants more waits for parts to
// arrive at S3; when none is on its way, the largest unsent part is sent early; when none is large enough to be sent, the
// writer gets ENOMEM instead of waiting for ever.
import { DriverError } from "../../core/errors.ts";
import type { Arena, Block } from "../memory.ts";

/** An upload as the pool sees it. */
export interface PoolMember {
  /** Bytes that could be sent now as a part of their own. */
  readonly sendable: number;
  send(): void;
}

interface Waiter {
  readonly size: number;
  readonly resolve: (block: Block | Promise<Block>) => void;
  readonly reject: (error: unknown) => void;
}

export class UploadPool {
  /** Bytes held by writers. */
  held = 0;
  readonly limit: number;
  readonly #arena: Arena;
  readonly #members = new Set<PoolMember>();
  readonly #waiters: Waiter[] = [];
  #sending = 0;

  constructor(arena: Arena) {
    this.#arena = arena;
    this.limit = (arena.capacity * 3) / 4;
  }

  join(member: PoolMember): void {
    this.#members.add(member);
  }

  leave(member: PoolMember): void {
    this.#members.delete(member);
    this.#relieve();
  }

  /** Share of one upload while all that are open use theirs. */
  get share(): number {
    return this.limit / Math.max(1, this.#members.size);
  }

  allocate(size: number): Block | Promise<Block> {
    if (this.#waiters.length === 0 && this.held + size <= this.limit) {
      this.held += size;
      return this.#arena.allocate(size);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Block>();
    this.#waiters.push({ size, resolve, reject });
    this.#relieve();
    return promise;
  }

  free(block: Block): void {
    this.held -= block.bytes.length;
    this.#arena.free(block);
    this.#serve();
  }

  /** Around everything that will free memory when it ends. */
  async sending<T>(send: () => Promise<T>): Promise<T> {
    this.#sending++;
    try {
      return await send();
    } finally {
      this.#sending--;
      this.#relieve();
    }
  }

  #serve(): void {
    for (let waiter = this.#waiters[0]; waiter && this.held + waiter.size <= this.limit; waiter = this.#waiters[0]) {
      this.#waiters.shift();
      this.held += waiter.size;
      waiter.resolve(this.#arena.allocate(waiter.size));
    }
  }

  #relieve(): void {
    this.#serve();
    if (this.#waiters.length === 0 || this.#sending > 0) return;
    let largest: PoolMember | undefined;
    for (const member of this.#members) if (member.sendable > (largest?.sendable ?? 0)) largest = member;
    if (largest) return largest.send();
    for (const waiter of this.#waiters.splice(0))
      waiter.reject(new DriverError("OutOfMemory", "the memory budget is full of unfinished files"));
  }
}
