// One leader among several processes, by a Lease, and never two.
//
// No wall clock of another machine is believed. A candidate counts on its own monotonic clock from the moment it saw the lease
// change, and takes over after 5/6 of the lease's duration without a change. The leader counts from before it sent its last
// successful renewal, and stops work at 2/3. Since it sent before anyone could see, it has always stopped 1/6 of the duration
// before somebody else starts, whatever the clocks show. A process that was frozen meanwhile finds `leading` false on waking,
// for that is computed from the clock, not told by a timer.
import { sleep } from "../core/backoff.ts";
import { DriverError, explain, hasCode } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { KubeClient } from "../kube/client.ts";
import { Informer, withoutManagedFields } from "../kube/informer.ts";
import type { ObjectRef } from "../kube/resource.ts";
import { type Lease, leases } from "../kube/resources.ts";

export interface LeaderElectionOptions {
  readonly client: KubeClient;
  readonly log: Logger;
  readonly lease: ObjectRef & { readonly namespace: string };
  /** Unique per process. */
  readonly identity: string;
  /** Whole seconds, as the Lease has it. */
  readonly durationSeconds: number;
}

const stopWorkAfter = 2 / 3;
const takeOverAfter = 5 / 6;
const renewEvery = 1 / 6;

export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #durationMs: number;
  readonly #ready = Promise.withResolvers<void>();
  #validUntil = 0;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#durationMs = options.durationSeconds * 1_000;
  }

  /** Ask before every write. */
  get leading(): boolean {
    return performance.now() < this.#validUntil;
  }

  /** Resolves when it has seen the lease, or that there is none, and would notice that a leader falls silent. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Waits to lead, leads, and waits again, until the signal ends; `lead` must return soon after its own signal ends. */
  async run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { client, log, lease } = this.#options;
    const stopWatch = new AbortController();
    const informer = new Informer<Lease, Lease>({
      client,
      log,
      resource: leases,
      namespace: lease.namespace,
      fieldSelector: `metadata.name=${lease.name}`,
      slim: withoutManagedFields,
      idleMs: Math.max(10_000, this.#durationMs),
    });
    let seenAt = performance.now();
    informer.onChange(() => {
      seenAt = performance.now();
    });
    const watching = informer.run(AbortSignal.any([signal, stopWatch.signal]));
    try {
      await informer.synced(signal);
      this.#ready.resolve();
      while (!signal.aborted) {
        const held = informer.store.get(`${lease.namespace}/${lease.name}`);
        const waitMs = this.#takeOverWait(held, seenAt);
        if (waitMs > 0) {
          const changed = informer.until((store) => (store.get(`${lease.namespace}/${lease.name}`) !== held ? true : undefined), signal);
          await Promise.race([changed, sleep(waitMs, signal)]);
        } else {
          const mine = await this.#acquire(held, signal);
          if (mine) await this.#lead(mine, lead, signal);
          else await sleep(Math.min(200, this.#durationMs / 20), signal);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stopWatch.abort();
      await watching;
    }
  }

  #takeOverWait(held: Lease | undefined, seenAt: number): number {
    const holder = held?.spec?.holderIdentity;
    // Our own identity, though we do not lead: a write of ours went through while its answer was lost. Nobody else will count on it.
    if (!holder || holder === this.#options.identity) return 0;
    const durationMs = (held.spec?.leaseDurationSeconds ?? this.#options.durationSeconds) * 1_000;
    return seenAt + durationMs * takeOverAfter - performance.now();
  }

  async #acquire(held: Lease | undefined, signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#write(held, signal);
    } catch (error) {
      signal.throwIfAborted();
      const level = hasCode(error, "Conflict", "AlreadyExists") ? "debug" : "warn";
      this.#options.log[level]("lease not acquired", { reason: explain(error) });
      return undefined;
    }
  }

  async #lead(acquired: Lease, lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { log, identity } = this.#options;
    const stopped = new AbortController();
    const work = AbortSignal.any([signal, stopped.signal]);
    log.info("leading", { identity });
    const working = lead(work).catch((error) => {
      if (!work.aborted) log.error("the work of the leader ended", { reason: explain(error) });
      stopped.abort(error);
    });
    let lease = acquired;
    try {
      while (!work.aborted) {
        await sleep(this.#durationMs * renewEvery, work);
        lease = await this.#renew(lease, work);
      }
    } catch (error) {
      if (!work.aborted) {
        this.#validUntil = 0;
        log.warn("leadership lost", { identity, reason: explain(error) });
      }
      stopped.abort(error);
    }
    await working;
    // Only when all work is done may the next one start early.
    if (this.leading) await this.#release(lease);
    this.#validUntil = 0;
    log.info("not leading any more", { identity });
  }

  /** Tries until the deadline; throws when the lease is another's or the time is up. */
  async #renew(lease: Lease, signal: AbortSignal): Promise<Lease> {
    while (this.leading) {
      const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(this.#validUntil - performance.now())));
      try {
        return await this.#write(lease, AbortSignal.any([signal, deadline]));
      } catch (error) {
        signal.throwIfAborted();
        // Somebody wrote the lease: either another leads (impossible before our deadline), or our own lost answer did.
        if (hasCode(error, "Conflict", "NotFound")) lease = await this.#readOwn(AbortSignal.any([signal, deadline]));
        else await sleep(this.#durationMs / 50, signal);
      }
    }
    throw new DriverError("DeadlineExceeded", "the lease could not be renewed in time");
  }

  async #readOwn(signal: AbortSignal): Promise<Lease> {
    const { client, lease, identity } = this.#options;
    const now = await client.get(leases, lease, { signal });
    if (now.spec?.holderIdentity !== identity) throw new DriverError("Stale", `the lease is now held by ${now.spec?.holderIdentity || "nobody"}`);
    return now;
  }

  async #write(held: Lease | undefined, signal: AbortSignal): Promise<Lease> {
    const { client, lease, identity, durationSeconds } = this.#options;
    const sentAt = performance.now();
    const now = new Date().toISOString().replace("Z", "000Z"); // MicroTime
    const own = held?.spec?.holderIdentity === identity;
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: durationSeconds,
      acquireTime: own ? held?.spec?.acquireTime : now,
      renewTime: now,
      leaseTransitions: (held?.spec?.leaseTransitions ?? 0) + (held && !own ? 1 : 0),
    };
    const written = held
      ? await client.replace(leases, { ...held, spec }, { signal })
      : await client.create(leases, { metadata: { name: lease.name, namespace: lease.namespace }, spec }, { signal });
    this.#validUntil = sentAt + this.#durationMs * stopWorkAfter;
    return written;
  }

  async #release(lease: Lease): Promise<void> {
    const { client, log } = this.#options;
    try {
      await client.replace(leases, { ...lease, spec: { ...lease.spec, holderIdentity: "" } }, { signal: AbortSignal.timeout(2_000) });
    } catch (error) {
      log.info("lease not released, it will expire", { reason: explain(error) });
    }
  }
}
