// The file content a mount holds, read and written, lies in one arena of fixed size: the budget is a hard limit by
// construction, and nothing waits for the garbage collector to be handed out again. Pages are only touched when used.
//
// Allocation is by buddies of 4 KiB to 8 MiB (more than that: several blocks). Who can't be served waits in line, and every
// time something is freed the first in line is tried again; `onPressure` lets caches give back what nobody needs.

export interface Block {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly order: number;
}

const leafSize = 4096;
const maxOrder = 11;
export const maxBlockSize = leafSize << maxOrder;

interface Waiter {
  readonly size: number;
  readonly resolve: (block: Block) => void;
  readonly reject: (error: unknown) => void;
  readonly limit: number;
}

export class Arena {
  readonly capacity: number;
  /** Bytes handed out. */
  used = 0;
  /** Asked to give back about this many bytes; returns whether anything was freed. */
  onPressure: (bytes: number) => boolean = () => false;
  readonly #bytes: Buffer;
  readonly #free: number[][] = [];
  /** Of a block that begins at this leaf: order + 1 while it is free, 0 while it is not. */
  readonly #freeOrder: Uint8Array;
  readonly #waiters: Waiter[] = [];

  constructor(capacity: number) {
    this.capacity = Math.max(maxBlockSize, Math.floor(capacity / maxBlockSize) * maxBlockSize);
    this.#bytes = Buffer.allocUnsafeSlow(this.capacity);
    this.#freeOrder = new Uint8Array(this.capacity / leafSize);
    for (let order = 0; order <= maxOrder; order++) this.#free.push([]);
    for (let offset = this.capacity - maxBlockSize; offset >= 0; offset -= maxBlockSize) this.#putFree(offset, maxOrder);
  }

  /** At once, or not at all. The block's bytes are exactly `size` long; what it occupies is the next power of two. */
  tryAllocate(size: number, limit = this.capacity): Block | undefined {
    const order = orderOf(size);
    if (this.used + (leafSize << order) > limit) return undefined;
    let from = order;
    while (from <= maxOrder && !this.#hasFree(from)) from++;
    if (from > maxOrder) return undefined;
    const offset = this.#takeFree(from);
    while (from > order) {
      from--;
      this.#putFree(offset + (leafSize << from), from);
    }
    this.used += leafSize << order;
    return { bytes: this.#bytes.subarray(offset, offset + size), offset, order };
  }

  /** As tryAllocate, but presses the caches and then waits. `limit` keeps a kind of user from taking everything. */
  allocate(size: number, signal?: AbortSignal, limit = this.capacity): Block | Promise<Block> {
    const block = this.#waiters.length === 0 ? this.#allocateUnderPressure(size, limit) : undefined;
    return block ?? this.#wait(size, limit, signal);
  }

  free(block: Block): void {
    this.used -= leafSize << block.order;
    let { offset, order } = block;
    while (order < maxOrder) {
      const buddy = offset ^ (leafSize << order);
      if (this.#freeOrder[buddy / leafSize] !== order + 1) break;
      this.#freeOrder[buddy / leafSize] = 0;
      offset = Math.min(offset, buddy);
      order++;
    }
    this.#putFree(offset, order);
    if (this.#waiters.length > 0) this.#serveWaiters();
  }

  /** Call when something became evictable without being freed. */
  retry(): void {
    if (this.#waiters.length > 0) this.#serveWaiters();
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  #allocateUnderPressure(size: number, limit: number): Block | undefined {
    for (;;) {
      const block = this.tryAllocate(size, limit);
      if (block || !this.onPressure(size)) return block;
    }
  }

  #wait(size: number, limit: number, signal: AbortSignal | undefined): Promise<Block> {
    const { promise, resolve, reject } = Promise.withResolvers<Block>();
    const waiter: Waiter = { size, limit, resolve, reject };
    this.#waiters.push(waiter);
    if (signal) {
      const onAbort = () => {
        const index = this.#waiters.indexOf(waiter);
        if (index < 0) return;
        this.#waiters.splice(index, 1);
        reject(signal.reason);
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    }
    return promise;
  }

  #serveWaiters(): void {
    // A waiter with a tighter limit must not hold up those behind it.
    for (let i = 0; i < this.#waiters.length; ) {
      const waiter = this.#waiters[i] as Waiter;
      const block = this.#allocateUnderPressure(waiter.size, waiter.limit);
      if (block) {
        this.#waiters.splice(i, 1);
        waiter.resolve(block);
      } else i++;
    }
  }

  // Free lists hold stale offsets too: a merge only clears the mark, and the pop skips what is not marked.

  #putFree(offset: number, order: number): void {
    this.#freeOrder[offset / leafSize] = order + 1;
    (this.#free[order] as number[]).push(offset);
  }

  #hasFree(order: number): boolean {
    const list = this.#free[order] as number[];
    while (list.length > 0 && this.#freeOrder[(list[list.length - 1] as number) / leafSize] !== order + 1) list.pop();
    return list.length > 0;
  }

  #takeFree(order: number): number {
    const offset = (this.#free[order] as number[]).pop() as number;
    this.#freeOrder[offset / leafSize] = 0;
    return offset;
  }
}

function orderOf(size: number): number {
  if (size > maxBlockSize) throw new RangeError(`a block of ${size} bytes is larger than ${maxBlockSize}`);
  return size <= leafSize ? 0 : 32 - Math.clz32((size - 1) >>> 12);
}
