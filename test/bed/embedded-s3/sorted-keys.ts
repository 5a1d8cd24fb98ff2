// A map from key to value that is walked in S3's order: by the bytes of the key's UTF-8 form. Chunks of sorted keys keep an
// insert cheap at 100,000 keys and more.

const chunkSize = 1024;

export class SortedKeys<T> {
  readonly #values = new Map<string, T>();
  readonly #chunks: string[][] = [];

  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    if (!this.#values.has(key)) this.#insert(key);
    this.#values.set(key, value);
  }

  delete(key: string): boolean {
    if (!this.#values.delete(key)) return false;
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (!chunk) return true;
    chunk.splice(lowerBound(chunk, key), 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    return true;
  }

  /** The first key ≥ `key`; with `after`, the first one > `key`. */
  first(key: string, after = false): string | undefined {
    for (let at = this.#chunkOf(key); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] ?? [];
      let i = lowerBound(chunk, key);
      if (after && chunk[i] === key) i++;
      if (i < chunk.length) return chunk[i];
    }
    return undefined;
  }

  /** Keys ≥ `key` in order. The map must not change meanwhile. */
  *keysFrom(key: string): Generator<string> {
    let at = this.#chunkOf(key);
    let i = lowerBound(this.#chunks[at] ?? [], key);
    for (; at < this.#chunks.length; at++, i = 0) {
      const chunk = this.#chunks[at] ?? [];
      for (; i < chunk.length; i++) yield chunk[i] as string;
    }
  }

  #insert(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (!chunk) {
      const last = this.#chunks.at(-1);
      if (last && last.length < chunkSize) last.push(key);
      else this.#chunks.push([key]);
      return;
    }
    chunk.splice(lowerBound(chunk, key), 0, key);
    if (chunk.length > 2 * chunkSize) this.#chunks.splice(at, 1, chunk.slice(0, chunkSize), chunk.slice(chunkSize));
  }

  /** The first chunk whose last key is ≥ key. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.#chunks[middle]?.at(-1) ?? "", key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** UTF-16 order is UTF-8 order except that surrogates stand above U+E000 to U+FFFF. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function lowerBound(chunk: readonly string[], key: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(chunk[middle] ?? "", key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
