// A local, slimmed copy of one kind, kept true for as long as the signal lives.
//
// List by pages at one resource version, then watch from there with bookmarks. Whatever ends the watch (the server's own
// timeout, a cut line, silence, a restart of the API server) leads to a new watch from the last version seen; only a version
// the server has forgotten (410), or failures in a row, lead to a new list, whose differences are told as changes. So the
// store may be late, but it never stays wrong, and no error ends the informer.
import { backoffMs, sleep } from "../core/backoff.ts";
import { DriverError, explain, hasCode } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { KubeClient } from "./client.ts";
import { type KubeObject, objectKey, type Resource } from "./resource.ts";
import { type StatusBody, statusError } from "./status-error.ts";
import { type IndexFunction, Store } from "./store.ts";

export interface InformerOptions<T extends KubeObject, S extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly log: Logger;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** What to keep of an object; undefined keeps nothing of it. Runs as each page or event is parsed, so the rest is garbage at once. */
  readonly slim: (object: T) => S | undefined;
  readonly indexes?: Readonly<Record<string, IndexFunction<S>>>;
  readonly pageSize?: number;
  /** A watch that is silent for longer is opened anew. The server sends a bookmark about once a minute. */
  readonly idleMs?: number;
  /** How long one watch request may last before the server ends it. */
  readonly watchSeconds?: number;
}

export interface Change<S> {
  readonly type: "added" | "updated" | "deleted";
  readonly key: string;
  /** The new state; of a deleted object, the last one known. */
  readonly object: S;
  readonly old: S | undefined;
}

const backoff = { baseMs: 100, maxMs: 5_000 };
const failuresBeforeRelist = 5;

export class Informer<T extends KubeObject, S extends KubeObject> {
  readonly store: Store<S>;
  readonly #options: InformerOptions<T, S>;
  readonly #handlers = new Set<(change: Change<S>) => void>();
  readonly #synced = Promise.withResolvers<void>();
  #resourceVersion: string | undefined;
  /** In a row: whatever arrives on a watch ends the row. */
  #failures = 0;
  #lists = 0;
  #watches = 0;

  constructor(options: InformerOptions<T, S>) {
    this.#options = options;
    this.store = new Store(options.indexes);
  }

  /** How often it listed and watched: what a test or a metric wants to know. */
  get counters(): { readonly lists: number; readonly watches: number } {
    return { lists: this.#lists, watches: this.#watches };
  }

  /** Handlers run in the order of the changes and must not wait: they take a key and go. Returns how to leave. */
  onChange(handler: (change: Change<S>) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Resolves when the first list is in the store. */
  async synced(signal: AbortSignal): Promise<void> {
    await raceAbort(this.#synced.promise, signal);
  }

  /** The first value that `find` returns, now or after some later change. No polling. */
  async until<V>(find: (store: Store<S>) => V | undefined, signal: AbortSignal): Promise<V> {
    const now = find(this.store);
    if (now !== undefined) return now;
    const found = Promise.withResolvers<V>();
    const leave = this.onChange(() => {
      try {
        const value = find(this.store);
        if (value !== undefined) found.resolve(value);
      } catch (error) {
        found.reject(error);
      }
    });
    try {
      return await raceAbort(found.promise, signal);
    } finally {
      leave();
    }
  }

  /**
   * Puts the answer to our own write into the store, ahead of the watch, so that the next look does not plan from the past.
   * Nobody is told of it. An event that is older than what the store holds is passed over.
   */
  wrote(full: T): void {
    const object = this.#options.slim(full);
    if (object && !isOlder(object, this.store.get(objectKey(object)))) this.store.set(object);
  }

  /** Our own delete of an object that has no grace period. */
  removed(key: string, uid: string | undefined): void {
    if (this.store.get(key)?.metadata?.uid === uid) this.store.delete(key);
  }

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, resource } = this.#options;
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion === undefined) {
          await this.#list(signal);
          this.#synced.resolve();
        }
        const began = performance.now();
        const events = await this.#watch(signal);
        if (events === 0 && performance.now() - began < 1_000) throw new DriverError("Unavailable", "the watch ended at once", { retryable: true });
        this.#failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        const failures = ++this.#failures;
        if (hasCode(error, "Stale") || failures >= failuresBeforeRelist) this.#resourceVersion = undefined;
        const waitMs = backoffMs(failures, backoff);
        const level = failures > failuresBeforeRelist ? "warn" : "info";
        log[level]("informer starts again", { kind: resource.kind, failures, waitMs, relist: this.#resourceVersion === undefined, reason: explain(error) });
        await sleep(waitMs, signal).catch(() => {});
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, resource, namespace, labelSelector, fieldSelector } = this.#options;
    // Compaction may overtake a long list; each new attempt takes longer strides, so that one of them wins the race.
    for (let limit = this.#options.pageSize ?? 500; ; limit *= 2) {
      const seen = new Set<string>();
      let token = "";
      let version = "";
      try {
        do {
          const options = { namespace, labelSelector, fieldSelector, limit, continue: token, signal };
          const page = await client.listEach(resource, options, (item) => {
            if (this.#keep(item)) seen.add(objectKey(item));
          });
          token = page.continue ?? "";
          version = page.resourceVersion;
        } while (token !== "");
      } catch (error) {
        if (token !== "" && hasCode(error, "Stale")) continue;
        throw error;
      }
      for (const key of [...this.store.keys()]) if (!seen.has(key)) this.#drop(key);
      this.#resourceVersion = version;
      this.#lists += 1;
      return;
    }
  }

  async #watch(signal: AbortSignal): Promise<number> {
    const { client, resource, namespace, labelSelector, fieldSelector } = this.#options;
    const seconds = this.#options.watchSeconds ?? 300;
    const watch = client.watch(resource, {
      namespace,
      labelSelector,
      fieldSelector,
      resourceVersion: this.#resourceVersion ?? "",
      // Spread, so that the watches of a fleet do not end together.
      timeoutSeconds: Math.round(seconds * (1 + Math.random())),
      idleMs: this.#options.idleMs ?? 120_000,
      signal,
    });
    this.#watches += 1;
    let events = 0;
    for await (const event of watch) {
      events += 1;
      if (event.type === "ERROR") {
        const status = event.object as StatusBody;
        throw statusError(status.code ?? 500, status, `watch ${resource.plural}`);
      }
      this.#failures = 0;
      if (event.type === "DELETED") {
        const key = objectKey(event.object);
        if (!isOlder(event.object, this.store.get(key))) this.#drop(key, this.#options.slim(event.object));
      }
      if (event.type === "ADDED" || event.type === "MODIFIED") this.#keep(event.object);
      this.#resourceVersion = event.object.metadata?.resourceVersion ?? this.#resourceVersion;
    }
    return events;
  }

  /** False when nothing of the object is kept. */
  #keep(full: T): boolean {
    const object = this.#options.slim(full);
    const key = objectKey(full);
    if (isOlder(full, this.store.get(key))) return true;
    if (object === undefined) {
      this.#drop(key);
      return false;
    }
    const old = this.store.set(object);
    const same = old?.metadata?.resourceVersion !== undefined && old.metadata.resourceVersion === object.metadata?.resourceVersion;
    if (!same) this.#emit({ type: old ? "updated" : "added", key, object, old });
    return true;
  }

  #drop(key: string, last?: S): void {
    const old = this.store.delete(key);
    if (old) this.#emit({ type: "deleted", key, object: last ?? old, old });
  }

  #emit(change: Change<S>): void {
    for (const handler of this.#handlers) {
      try {
        handler(change);
      } catch (error) {
        this.#options.log.error("informer handler threw", { kind: this.#options.resource.kind, key: change.key, error });
      }
    }
  }
}

/** Everything but the bookkeeping of field managers, which is often half of an object. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata?.managedFields) delete object.metadata.managedFields;
  return object;
}

/** Versions of one resource count up; only an answer to our own write can put a newer one into the store than the watch has. */
function isOlder(object: KubeObject, than: KubeObject | undefined): boolean {
  return Number(object.metadata?.resourceVersion) < Number(than?.metadata?.resourceVersion);
}

async function raceAbort<V>(promise: Promise<V>, signal: AbortSignal): Promise<V> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
