// Workers on a queue: take a key, reconcile it, and put it back when it failed or asked for more.
import { randomUUID } from "node:crypto";
import { explain, hasCode } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { WorkQueue } from "./work-queue.ts";

export interface ReconcileContext {
  readonly signal: AbortSignal;
  /** Its lines carry the key and an id of this one run. */
  readonly log: Logger;
}

/** Look at the key again after this time, though nothing may have changed. */
export interface ReconcileResult {
  readonly againMs?: number;
}

export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult>;

export interface RunnerOptions {
  readonly queue: WorkQueue;
  readonly concurrency: number;
  readonly reconcile: Reconcile;
  readonly log: Logger;
  readonly onDone?: (key: string, milliseconds: number, failed: boolean) => void;
}

/** Resolves when the signal is aborted and every worker has come home. */
export async function runWorkers(options: RunnerOptions, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: options.concurrency }, () => work(options, signal)));
}

async function work({ queue, reconcile, log, onDone }: RunnerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let key: string;
    try {
      key = await queue.next(signal);
    } catch {
      return;
    }
    const began = performance.now();
    const context = { signal, log: log.with({ key, run: randomUUID().slice(0, 8) }) };
    let failed = false;
    try {
      const { againMs } = await reconcile(key, context);
      queue.forget(key);
      if (againMs !== undefined) queue.addAfter(key, againMs);
    } catch (error) {
      failed = true;
      if (!signal.aborted) {
        const waitMs = Math.round(queue.retry(key));
        // A conflict is how two writers meet, and the next look settles it; cancelled is who does not lead any more.
        context.log[hasCode(error, "Conflict", "AlreadyExists", "Cancelled") ? "debug" : "warn"]("reconcile failed, will retry", { waitMs, reason: explain(error) });
      }
    } finally {
      queue.done(key);
      onDone?.(key, performance.now() - began, failed);
    }
  }
}
