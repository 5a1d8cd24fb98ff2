// The Pod Reconciler: decides which Mountpoint Pod serves which workload. Changes become keys, keys become plans, plans are applied.
//
// What it must be allowed, and nothing more (test/reconciler/rbac.test.ts runs it with the chart's rules):
//   everywhere               pods, persistentvolumeclaims, persistentvolumes        get list watch
//                            mountpoints3podattachments                             get list watch create patch delete
//                            mountpoints3podattachments/status                      patch
//                            events                                                 create patch
//   in the Mountpoint namespace  pods                                               create patch delete
//   in the lease's namespace     leases                                             get list watch create update
//   everywhere, only with headroomEnabled: pods patch, to open the scheduling gate of a workload
import { hostname } from "node:os";
import type { ReconcilerSettings } from "../../generated/settings/reconciler.ts";
import { sleep } from "../core/backoff.ts";
import type { Logger } from "../core/log.ts";
import type { KubeClient } from "../kube/client.ts";
import { EventRecorder } from "../kube/event-recorder.ts";
import { LeaderElection } from "../runtime/leader-election.ts";
import { type ReconcileContext, type ReconcileResult, runWorkers } from "../runtime/runner.ts";
import { WorkQueue } from "../runtime/work-queue.ts";
import { announce } from "./announce.ts";
import { type Applier, apply } from "./apply.ts";
import { ClusterView } from "./cluster-view.ts";
import { reconcileHeadroom } from "./headroom.ts";
import type { ObservedPod } from "./observed-pods.ts";
import { observe } from "./observe.ts";
import { plan } from "./plan.ts";
import { PodLosses } from "./pod-losses.ts";
import { parseKeyText } from "./sharing-key.ts";
import { retireUnknownPod } from "./unknown-pod.ts";

export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly log: Logger;
  readonly settings: ReconcilerSettings;
  readonly driverVersion: string;
  readonly openShift: boolean;
  readonly now?: () => number;
  readonly onDone?: (key: string, milliseconds: number, failed: boolean) => void;
}

export const leaseName = "s3-pod-reconciler";
const podPrefix = "pod/";
const headroomPrefix = "headroom/";

export class Reconciler {
  readonly view: ClusterView;
  readonly queue = new WorkQueue();
  readonly #options: ReconcilerOptions;
  readonly #applier: Applier;
  readonly #identity: string;
  readonly #election: LeaderElection | undefined;
  #active = false;
  #synced = false;

  constructor(options: ReconcilerOptions) {
    const { client, log, settings, driverVersion, openShift } = options;
    const now = options.now ?? Date.now;
    this.#options = options;
    this.#identity = settings.identity ?? `${hostname()}-${process.pid}`;
    this.view = new ClusterView({ client, log, now, mountpointNamespace: settings.mountpointNamespace, staleThresholdMs: settings.staleThresholdMs });
    const recorder = new EventRecorder({ client, log, component: "s3-pod-reconciler", instance: this.#identity, now });
    const lease = { name: leaseName, namespace: settings.leaseNamespace };
    const durationSeconds = Math.max(1, Math.round(settings.leaseDurationMs / 1_000));
    this.#election = settings.leaderElection ? new LeaderElection({ client, log, lease, identity: this.#identity, durationSeconds }) : undefined;
    const leading = () => this.#election?.leading ?? true;
    this.#applier = { client, view: this.view, recorder, losses: new PodLosses(), settings, driverVersion, openShift, now, leading };
    this.view.onConcern({ key: (text) => this.#add(text), pod: (pod) => this.#addPod(pod) });
  }

  /** Knows the cluster: leads, or could take over at once. */
  get ready(): boolean {
    return this.#synced;
  }

  get leading(): boolean {
    return this.#applier.leading();
  }

  /** Runs until the signal ends. */
  async run(signal: AbortSignal): Promise<void> {
    const viewing = this.view.run(signal);
    try {
      await this.view.synced(signal);
      this.#synced = true;
      if (this.#election) await this.#election.run((leading) => this.#lead(leading), signal);
      else await this.#lead(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await viewing;
    }
  }

  async #lead(signal: AbortSignal): Promise<void> {
    const { log, settings, onDone } = this.#options;
    this.#active = true;
    this.#addEverything();
    const reconcile = (key: string, context: ReconcileContext) => this.#reconcile(key, context);
    const runner = { queue: this.queue, concurrency: settings.workers, log, reconcile, ...(onDone ? { onDone } : {}) };
    await Promise.all([runWorkers(runner, signal), this.#staleCleanup(signal)]);
    this.#active = false;
    this.queue.clear();
  }

  /** Whoever does not lead keeps its view warm, and no list of work that it would never do. */
  #add(text: string): void {
    if (this.#active) this.queue.add(text);
  }

  /** The work that belongs to a pod rather than to a key. */
  #addPod(pod: ObservedPod): void {
    if (pod.role === "mountpoint" && this.view.keysOfMountpointPod(pod).length === 0) this.#add(podPrefix + pod.metadata.name);
    if (!this.#options.settings.headroomEnabled || pod.role === "mountpoint") return;
    const uid = pod.role === "workload" ? pod.metadata.uid : pod.workloadUid;
    if (pod.role === "headroom" || pod.gated || this.view.pods.store.by("headroom", uid).length > 0) this.#add(headroomPrefix + uid);
  }

  /** Every key, looked at again: what is stale is part of every plan, only nothing else would wake the plan up. */
  async #staleCleanup(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#options.settings.staleCleanupIntervalMs, signal).catch(() => {});
      if (!signal.aborted) this.#addEverything();
    }
  }

  #addEverything(): void {
    for (const text of this.view.attachments.store.indexed("key")) this.#add(text);
    for (const pod of this.view.pods.store.values()) {
      const keys = pod.role === "workload" ? this.view.keysOfWorkload(pod) : pod.role === "mountpoint" ? this.view.keysOfMountpointPod(pod) : [];
      for (const text of keys) this.#add(text);
      this.#addPod(pod);
    }
  }

  async #reconcile(text: string, context: ReconcileContext): Promise<ReconcileResult> {
    if (text.startsWith(podPrefix)) return retireUnknownPod(this.#applier, text.slice(podPrefix.length), this.#options.settings.staleThresholdMs, context);
    if (text.startsWith(headroomPrefix)) return reconcileHeadroom(this.#applier, this.#options.settings, text.slice(headroomPrefix.length), context);
    const key = parseKeyText(text);
    if (!key) return {};
    const { driverVersion, settings } = this.#options;
    const now = this.#applier.now();
    const seen = observe(this.view, key, { driverVersion, now, staleThresholdMs: settings.staleThresholdMs, notBefore: this.#applier.losses.notBefore(now) });
    const { actions, againMs } = plan(seen);
    await apply(this.#applier, key, actions, context);
    // Our own writes make no change to be told of. A pod that no attachment names any more may have no key left to be looked at by;
    // whoever was let go here may be wanted under another key of its volume.
    for (const name of actions.length > 0 ? seen.pods.keys() : []) {
      const pod = this.view.mountpointPod(name);
      if (pod) this.#addPod(pod);
    }
    for (const [uid, { life, wants, elsewhereSince }] of actions.length > 0 ? seen.workloads : []) {
      const workload = life !== "ended" && (!wants || elsewhereSince !== undefined) ? this.view.workload(uid) : undefined;
      for (const other of workload ? this.view.keysOfWorkload(workload) : []) if (other !== text) this.#add(other);
    }
    const waits = againMs === undefined ? [] : [againMs];
    for (const attachment of this.view.attachments.store.by("key", text)) {
      const ms = await announce(this.#applier, attachment, context);
      if (ms !== undefined) waits.push(ms);
    }
    return waits.length === 0 ? {} : { againMs: Math.min(...waits) };
  }
}
