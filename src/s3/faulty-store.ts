// A store in front of another one that fails as told: the n-th call of an operation, or a share of all of them.
import { sleep } from "../core/backoff.ts";
import { DriverError, type ErrorCode } from "../core/errors.ts";
import type { StoreOperation } from "./memory-store.ts";
import type { GetOptions, ObjectStore } from "./object-store.ts";

export type Fault =
  /** Refused before anything was done; the codes the client makes of 403, 404, 412, 500 and 503. */
  | "forbidden"
  | "not-found"
  | "precondition"
  | "server-error"
  | "throttled"
  /** Half of the body arrives, then the connection ends. */
  | "reset"
  | "truncated"
  /** All of the body arrives, but one bit is wrong and the checksum tells. */
  | "checksum"
  | "slow"
  /** The request is carried out, its answer lost. */
  | "lost-answer";

export interface FaultRule {
  readonly operation?: StoreOperation;
  /** Counted from 1, per operation; absent: every call, or the share below. */
  readonly nth?: number;
  readonly share?: number;
  readonly fault: Fault;
  readonly slowMs?: number;
}

const refusals: Partial<Record<Fault, ErrorCode>> = {
  forbidden: "AccessDenied",
  "not-found": "NotFound",
  precondition: "Stale",
  "server-error": "Unavailable",
  throttled: "Throttled",
};

export interface FaultyStore extends ObjectStore {
  /** Can be changed while it runs. */
  rules: FaultRule[];
  /** Faults so far. */
  readonly injected: number;
}

export function faultyStore(inner: ObjectStore, rules: FaultRule[], random: () => number = Math.random): FaultyStore {
  const counts = new Map<StoreOperation, number>();
  const state = { rules, injected: 0 };
  const pick = (operation: StoreOperation): FaultRule | undefined => {
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    const rule = state.rules.find(
      (r) => (r.operation ?? operation) === operation && (r.nth ?? count) === count && (r.share === undefined || random() < r.share),
    );
    if (rule) state.injected++;
    return rule;
  };
  return new Proxy(inner, {
    get(target, property) {
      if (property === "rules") return state.rules;
      if (property === "injected") return state.injected;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      if (property === "close") return value.bind(target);
      return async (...args: unknown[]) => {
        const rule = pick(property as StoreOperation);
        return await run(rule, property as StoreOperation, args, () => value.apply(target, args) as Promise<unknown>);
      };
    },
    set(_target, property, value) {
      if (property !== "rules") return false;
      state.rules = value as FaultRule[];
      return true;
    },
  }) as FaultyStore;
}

async function run(
  rule: FaultRule | undefined,
  operation: StoreOperation,
  args: unknown[],
  call: () => Promise<unknown>,
): Promise<unknown> {
  if (!rule) return await call();
  const refusal = refusals[rule.fault];
  if (refusal) throw new DriverError(refusal, `injected: ${rule.fault} on ${operation}`);
  if (rule.fault === "slow") {
    await sleep(rule.slowMs ?? 50);
    return await call();
  }
  if (operation === "get") return await spoilBody(rule.fault, args[0] as GetOptions, call);
  if (rule.fault === "lost-answer") await call();
  throw new DriverError("Unreachable", `injected: ${rule.fault} on ${operation}`);
}

async function spoilBody(fault: Fault, options: GetOptions, call: () => Promise<unknown>): Promise<never> {
  const { into, onProgress } = options;
  const half = Math.floor(options.length / 2);
  const original = onProgress;
  (options as { onProgress?: unknown }).onProgress = undefined;
  await call();
  if (fault === "checksum") {
    into[half] = (into[half] ?? 0) ^ 1;
    throw new DriverError("ChecksumMismatch", "injected: a wrong bit");
  }
  into.fill(0xee, half);
  original?.(half);
  throw new DriverError("Unreachable", `injected: ${fault} after ${half} bytes`);
}
