// Names that were not there when we looked, for as long as the mount's options allow. Oldest first out.
import type { NodeId } from "../fuse/file-system.ts";

const maxEntries = 100_000;

export class NegativeCache {
  readonly #untilMs = new Map<string, number>();

  add(parent: NodeId, name: string, untilMs: number): void {
    const key = keyOf(parent, name);
    this.#untilMs.delete(key);
    this.#untilMs.set(key, untilMs);
    if (this.#untilMs.size > maxEntries) this.#untilMs.delete(this.#untilMs.keys().next().value as string);
  }

  remove(parent: NodeId, name: string): void {
    this.#untilMs.delete(keyOf(parent, name));
  }

  /** When the knowledge ends; 0 when there is none. */
  until(parent: NodeId, name: string, nowMs: number): number {
    const key = keyOf(parent, name);
    const until = this.#untilMs.get(key);
    if (until === undefined) return 0;
    if (until > nowMs) return until;
    this.#untilMs.delete(key);
    return 0;
  }

  get size(): number {
    return this.#untilMs.size;
  }
}

const keyOf = (parent: NodeId, name: string) => `${parent}/${name}`;
