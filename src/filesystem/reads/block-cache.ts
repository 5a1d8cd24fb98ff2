// File content in memory, shared by all readers of the mount: one download per piece however many read it, never more than
// the arena holds. Pieces are ranges as they were fetched, so that a random read costs exactly its bytes.
import type { CachedFile } from "../cache/cached-file.ts";
import type { DiskCache } from "../cache/disk-cache.ts";
import type { Arena, Block } from "../memory.ts";
import { Span } from "./span.ts";

/** Brings bytes [start, end) of a version into `into`; they must stay as they are `until` then. */
export type Fetch = (
  object: CachedObject,
  start: number,
  end: number,
  into: Uint8Array,
  onProgress: (filled: number) => void,
  signal: AbortSignal,
) => Promise<{ readonly until: Promise<unknown> } | undefined>;

export interface BlockCacheOptions {
  readonly arena: Arena;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly disk: DiskCache | undefined;
}

/** One version of an object and the pieces that are held of it, in order and without overlap. */
export class CachedObject {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly spans: Span[] = [];
  /** Open readers. */
  users = 0;
  /** Set while readers are open and the mount has a cache on disk. */
  onDisk: CachedFile | undefined;

  constructor(key: string, etag: string, size: number) {
    this.key = key;
    this.etag = etag;
    this.size = size;
  }

  /** Index of the first piece that ends behind the offset. */
  indexAt(offset: number): number {
    let low = 0;
    let high = this.spans.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.spans[middle] as Span).end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Prefetched bytes that nobody came for in this time may be given away. */
const idleMs = 2000;

export class BlockCache {
  readonly #arena: Arena;
  readonly #fetch: Fetch;
  readonly #now: () => number;
  readonly #disk: DiskCache | undefined;
  readonly #objects = new Map<string, CachedObject>();
  /** Complete pieces, least recently used first; those read to the end stand apart and go first. */
  readonly #warm = new Set<Span>();
  readonly #cold = new Set<Span>();
  readonly #loading = new Set<Span>();

  constructor(options: BlockCacheOptions) {
    this.#arena = options.arena;
    this.#fetch = options.fetch;
    this.#now = options.now;
    this.#disk = options.disk;
    options.arena.onPressure = (bytes) => this.#evict(bytes, true);
  }

  open(key: string, etag: string, size: number): CachedObject {
    const id = `${etag} ${key}`;
    let object = this.#objects.get(id);
    if (!object) {
      object = new CachedObject(key, etag, size);
      this.#objects.set(id, object);
    }
    if (object.users++ === 0 && size > 0) object.onDisk = this.#disk?.open(key, etag, size);
    return object;
  }

  close(object: CachedObject): void {
    if (--object.users > 0) return;
    if (object.onDisk) this.#disk?.close(object.onDisk);
    object.onDisk = undefined;
    for (const span of [...object.spans]) if (!span.complete && !span.wanted) span.controller.abort();
    this.#forgetUnused(object);
  }

  /** Starts bringing what is missing of [start, end), in pieces of at most `piece` bytes. `demand` waits for memory; without
   *  it only what is free or stale is used. False when memory ran out. */
  request(object: CachedObject, start: number, end: number, piece: number, demand: boolean): boolean {
    let at = start;
    for (let index = object.indexAt(start); at < end; index++) {
      const span = object.spans[index];
      const gapEnd = Math.min(end, span?.start ?? end);
      while (at < gapEnd) {
        const to = Math.min(gapEnd, at + piece);
        if (!this.#load(object, at, to, index++, demand)) return false;
        at = to;
      }
      if (span) at = Math.max(at, span.end);
    }
    return true;
  }

  /** The bytes, if all are there already; they stay pinned until release. */
  take(object: CachedObject, start: number, end: number): { chunks: Uint8Array[]; release: () => void } | undefined {
    const first = object.indexAt(start);
    let at = start;
    let index = first;
    for (; at < end; index++) {
      const span = object.spans[index];
      if (!span || span.start > at || !span.has(Math.min(end, span.end))) return undefined;
      at = span.end;
    }
    if (index === first + 1) return this.#takeOne(object.spans[first] as Span, start, end);
    const spans = object.spans.slice(first, index);
    const parts = spans.map((span) => this.#takeOne(span, Math.max(start, span.start), Math.min(end, span.end)));
    return {
      chunks: parts.flatMap((part) => part.chunks),
      release: () => {
        for (const part of parts) part.release();
      },
    };
  }

  /** Resolves when the bytes may be there; take() tells. Rejects when fetching them failed. */
  async wait(object: CachedObject, start: number, end: number): Promise<void> {
    for (let at = start; at < end; ) {
      const span = object.spans[object.indexAt(at)];
      if (!span || span.start > at) return;
      if (!span.has(Math.min(end, span.end))) await span.until(Math.min(end, span.end));
      at = span.end;
    }
  }

  /** Is all of it there or on its way? */
  covers(object: CachedObject, start: number, end: number): boolean {
    let at = start;
    for (let index = object.indexAt(start); at < end; index++) {
      const span = object.spans[index];
      if (!span || span.start > at) return false;
      at = span.end;
    }
    return true;
  }

  /** The reader has passed this offset and is not expected to come back. */
  consumed(object: CachedObject, from: number, before: number): void {
    for (let index = object.indexAt(from); index < object.spans.length; index++) {
      const span = object.spans[index] as Span;
      if (span.end > before) return;
      span.consumed = true;
      if (this.#warm.delete(span)) this.#cold.add(span);
    }
  }

  get objects(): number {
    return this.#objects.size;
  }

  #takeOne(span: Span, start: number, end: number): { chunks: Uint8Array[]; release: () => void } {
    span.pins++;
    span.touchedMs = this.#now();
    if (!span.consumed && this.#warm.delete(span)) this.#warm.add(span);
    const bytes = (span.block as Block).bytes.subarray(start - span.start, end - span.start);
    return {
      chunks: [bytes],
      release: () => this.#unpin(span),
    };
  }

  #load(object: CachedObject, start: number, end: number, index: number, demand: boolean): boolean {
    const size = end - start;
    const block = demand ? this.#arena.allocate(size) : this.#allocateSpare(size);
    if (!block) return false;
    const span = new Span(object, start, end);
    span.touchedMs = this.#now();
    object.spans.splice(index, 0, span);
    this.#loading.add(span);
    if (block instanceof Promise) void block.then((late) => this.#run(span, late));
    else void this.#run(span, block);
    return true;
  }

  async #run(span: Span, block: Block): Promise<void> {
    span.block = block;
    try {
      const fetched = await this.#fetch(
        span.object,
        span.start,
        span.end,
        block.bytes,
        (filled) => span.progress(filled),
        span.controller.signal,
      );
      if (fetched) this.#pinUntil(span, fetched.until);
      span.progress(span.end - span.start);
      this.#loading.delete(span);
      (span.consumed ? this.#cold : this.#warm).add(span);
      this.#arena.retry();
      if (span.object.users === 0) this.#forgetUnused(span.object);
    } catch (error) {
      this.#loading.delete(span);
      this.#remove(span);
      span.fail(error);
      if (span.pins === 0) this.#discard(span);
    }
  }

  #pinUntil(span: Span, until: Promise<unknown>): void {
    span.pins++;
    void until.finally(() => this.#unpin(span));
  }

  #unpin(span: Span): void {
    span.pins--;
    if (span.pins > 0) return;
    if (span.failed) this.#discard(span);
    else if (this.#arena.waiting > 0) this.#arena.retry();
  }

  #allocateSpare(size: number): Block | undefined {
    for (;;) {
      // A quarter stays for those who wait for their bytes now, and for writers.
      const block = this.#arena.tryAllocate(size, this.#arena.capacity * 0.75);
      if (block || !this.#evict(size, false)) return block;
    }
  }

  /** Frees one piece. `demand` also takes what was prefetched for later, and gives up what is on its way to nobody. */
  #evict(bytes: number, demand: boolean): boolean {
    const now = this.#now();
    for (const span of this.#cold) if (this.#drop(span)) return true;
    for (const span of this.#warm) {
      if (!demand && span.touchedMs > now - idleMs) break;
      if (this.#drop(span)) return true;
    }
    if (demand) this.#giveUp(bytes);
    return false;
  }

  /** What is given up is free only when its request has ended; until then others need not be given up for the same bytes. */
  #giveUp(bytes: number): void {
    let freed = 0;
    for (const span of [...this.#loading].reverse()) {
      if (freed >= bytes) return;
      if (!span.block || span.wanted) continue;
      freed += span.end - span.start;
      span.controller.abort();
    }
  }

  #drop(span: Span): boolean {
    if (span.pins > 0) return false;
    this.#cold.delete(span);
    this.#warm.delete(span);
    this.#remove(span);
    this.#discard(span);
    return true;
  }

  #remove(span: Span): void {
    const { spans } = span.object;
    const index = spans.indexOf(span, Math.max(0, span.object.indexAt(span.start)));
    if (index >= 0) spans.splice(index, 1);
    this.#forgetUnused(span.object);
  }

  #discard(span: Span): void {
    const { block } = span;
    span.block = undefined;
    if (block) this.#arena.free(block);
  }

  #forgetUnused(object: CachedObject): void {
    if (object.users === 0 && object.spans.length === 0) this.#objects.delete(`${object.etag} ${object.key}`);
  }
}
