// The informer's memory: slimmed objects by key, and named indexes over them.
import { type KubeObject, objectKey } from "./resource.ts";

export type IndexFunction<T> = (object: T) => readonly string[];

export class Store<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, { readonly of: IndexFunction<T>; readonly keys: Map<string, Set<string>> }>();

  constructor(indexes: Readonly<Record<string, IndexFunction<T>>> = {}) {
    for (const [name, of] of Object.entries(indexes)) this.#indexes.set(name, { of, keys: new Map() });
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  get size(): number {
    return this.#objects.size;
  }

  /** The objects whose index function named this value. */
  by(index: string, value: string): T[] {
    const found: T[] = [];
    for (const key of this.#index(index).keys.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object) found.push(object);
    }
    return found;
  }

  /** The values under which an index holds anything. */
  indexed(index: string): IterableIterator<string> {
    return this.#index(index).keys.keys();
  }

  set(object: T): T | undefined {
    const key = objectKey(object);
    const old = this.#objects.get(key);
    if (old) this.#unindex(key, old);
    this.#objects.set(key, object);
    for (const { of, keys } of this.#indexes.values()) {
      for (const value of of(object)) {
        const set = keys.get(value);
        if (set) set.add(key);
        else keys.set(value, new Set([key]));
      }
    }
    return old;
  }

  delete(key: string): T | undefined {
    const old = this.#objects.get(key);
    if (!old) return undefined;
    this.#unindex(key, old);
    this.#objects.delete(key);
    return old;
  }

  #index(name: string) {
    const index = this.#indexes.get(name);
    if (!index) throw new TypeError(`no index ${name}`);
    return index;
  }

  #unindex(key: string, old: T): void {
    for (const { of, keys } of this.#indexes.values()) {
      for (const value of of(old)) {
        const set = keys.get(value);
        set?.delete(key);
        if (set?.size === 0) keys.delete(value);
      }
    }
  }
}
