// Faults on demand: which request is hit, and by what.
import type { Operation } from "./operations.ts";

export type Fault =
  /** The connection is reset before anything is done. */
  | { readonly kind: "reset" }
  /** The request is carried out, then the connection is reset instead of the reply. */
  | { readonly kind: "lost-reply" }
  /** Half of the reply's body, then a reset. */
  | { readonly kind: "reset-mid-body" }
  /** Half of the reply's body, then a clean end of the connection. */
  | { readonly kind: "truncated" }
  /** The reply's body with one byte changed; its checksum headers stay. */
  | { readonly kind: "corrupt" }
  /** The reply's checksum headers are wrong. */
  | { readonly kind: "wrong-checksum" }
  | { readonly kind: "slow"; readonly ms: number }
  /** An error reply; the request is not carried out. */
  | { readonly kind: "status"; readonly status: number; readonly code?: string; readonly retryAfter?: string }
  /** Never answers. */
  | { readonly kind: "hang" };

export interface FaultRule {
  readonly operation?: Operation | readonly Operation[];
  readonly key?: string | RegExp;
  /** Only the n-th request that fits (from 1). */
  readonly nth?: number;
  /** Each request that fits, with this probability. */
  readonly ratio?: number;
  /** Ends after so many hits. */
  readonly times?: number;
  readonly fault: Fault;
}

export class Faults {
  #rules: { readonly rule: FaultRule; seen: number; hits: number }[] = [];
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Returns a function that takes the rule away again. */
  add(rule: FaultRule): () => void {
    const entry = { rule, seen: 0, hits: 0 };
    this.#rules.push(entry);
    return () => {
      this.#rules = this.#rules.filter((r) => r !== entry);
    };
  }

  clear(): void {
    this.#rules = [];
  }

  /** Hits of all rules that stand. */
  get hits(): number {
    return this.#rules.reduce((sum, r) => sum + r.hits, 0);
  }

  next(operation: Operation, key: string): Fault | undefined {
    for (const entry of this.#rules) {
      const { rule } = entry;
      if (!fits(rule, operation, key)) continue;
      entry.seen++;
      if (rule.times !== undefined && entry.hits >= rule.times) continue;
      if (rule.nth !== undefined && entry.seen !== rule.nth) continue;
      if (rule.ratio !== undefined && this.#random() >= rule.ratio) continue;
      entry.hits++;
      return rule.fault;
    }
    return undefined;
  }
}

function fits(rule: FaultRule, operation: Operation, key: string): boolean {
  const operations = rule.operation === undefined ? undefined : [rule.operation].flat();
  if (operations && !operations.includes(operation)) return false;
  if (rule.key === undefined) return true;
  return typeof rule.key === "string" ? rule.key === key : rule.key.test(key);
}
