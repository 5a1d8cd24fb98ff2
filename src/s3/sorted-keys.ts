// The keys of a bucket in S3's order, kept sorted with binary search; good for some 100,000 of them.
import { compareKeys } from "./key-order.ts";

export class SortedKeys {
  #keys: string[] = [];
  #pending = new Set<string>();
  readonly #all = new Set<string>();

  add(key: string): void {
    if (this.#all.has(key)) return;
    this.#all.add(key);
    this.#pending.add(key);
  }

  delete(key: string): void {
    if (!this.#all.delete(key)) return;
    if (this.#pending.delete(key)) return;
    this.#keys.splice(this.#position(key), 1);
  }

  from(key: string): readonly string[] {
    return this.#sorted().slice(this.#position(key));
  }

  atOrAfter(key: string): string | undefined {
    return this.#sorted()[this.#position(key)];
  }

  after(key: string): string | undefined {
    const keys = this.#sorted();
    const position = this.#position(key);
    return keys[position] === key ? keys[position + 1] : keys[position];
  }

  /** The first key behind all that begin with this prefix. */
  afterPrefix(prefix: string): string | undefined {
    const keys = this.#sorted();
    let low = this.#position(prefix);
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as string).startsWith(prefix)) low = middle + 1;
      else high = middle;
    }
    return keys[low];
  }

  #sorted(): string[] {
    if (this.#pending.size === 0) return this.#keys;
    if (this.#pending.size < 16) for (const key of this.#pending) this.#keys.splice(this.#position(key), 0, key);
    else this.#keys = [...this.#keys, ...this.#pending].sort(compareKeys);
    this.#pending = new Set();
    return this.#keys;
  }

  #position(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.#keys[middle] as string, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
