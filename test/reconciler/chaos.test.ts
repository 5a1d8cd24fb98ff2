// Random events (10,000; S3CSI_CHAOS_EVENTS for another number, S3CSI_CHAOS_SEED for other ones) on two reconcilers behind a proxy that
// makes trouble, while whoever leads is killed now and then. In the end everything must be as if nothing had happened.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { hasCode } from "../../src/core/errors.ts";
import { leases, type Pod, persistentVolumes, pods } from "../../src/kube/resources.ts";
import { slowness } from "../bed/load.ts";
import type { RunningProcess } from "../bed/process.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";
import { findFaults } from "./invariants.ts";
import { NodeActor } from "./node-actor.ts";
import { startReconcilerProcess, writePlainKubeconfig } from "./reconciler-process.ts";
import { eventually, makeVolume, mountNamespace, startScene } from "./scene.ts";

const total = Number(process.env.S3CSI_CHAOS_EVENTS ?? 10_000);
const seed = Number(process.env.S3CSI_CHAOS_SEED ?? 7);
const staleThresholdMs = 12_000;
const staleIntervalMs = 2_000;
const killEvery = Math.max(200, Math.round(total / 10 / 20) * 20);
const [nodeCount, volumeCount, mostWorkloads] = [20, 30, 250];

test(`${total} random events leave nothing behind (seed ${seed})`, async () => {
  const limit = AbortSignal.timeout(840_000);
  const random = seeded(seed);
  await using folder = await temporaryFolder("chaos");
  await using scene = await startScene(limit);
  const { client, plane } = scene;
  const proxy = await startFaultyProxy(plane);
  const actor = new NodeActor(client, { workers: 8 });
  const kubeconfig = await writePlainKubeconfig(folder.path, proxy.url);
  const env = { KUBECONFIG: kubeconfig, LEASE_DURATION: "5s", STALE_CLEANUP_INTERVAL: `${staleIntervalMs}ms`, STALE_THRESHOLD: `${staleThresholdMs}ms`, LOG_LEVEL: "warn" };
  const reconcilers = new Map<string, RunningProcess>();
  const start = async (identity: string) => void reconcilers.set(identity, await startReconcilerProcess(identity, env, { logFile: `${folder.path}/${identity}.log` }));
  try {
    await Promise.all([start("r-0"), start("r-1")]);
    for (let index = 0; index < volumeCount; index += 1) await makeVolume(client, `vol-${index}`, { mountOptions: ["allow-delete"] });
    await eventually(() => client.get(leases, { name: "s3-pod-reconciler", namespace: "default" }), 60_000);
    proxy.faults = { latency: 0.1, latencyMs: 200, conflict: 0.03, failBefore: 0.02, failAfter: 0.02, cutWatches: 0.1 };

    const world = new World(client, random);
    let kills = 0;
    const began = performance.now();
    for (let done = 0; done < total && !limit.aborted; ) {
      const batch = Array.from({ length: Math.min(20, total - done) }, () => world.event());
      await Promise.all(batch);
      done += batch.length;
      if (done % killEvery === 0) {
        const holder = (await client.get(leases, { name: "s3-pod-reconciler", namespace: "default" })).spec?.holderIdentity ?? "";
        const leader = reconcilers.get(holder);
        if (leader) {
          reconcilers.delete(holder);
          await leader.kill();
          kills += 1;
          await start(`r-${kills + 1}`);
        }
      }
    }
    const rate = Math.round((total / (performance.now() - began)) * 1_000);
    proxy.faults = { ...proxy.faults, latency: 0, conflict: 0, failBefore: 0, failAfter: 0, cutWatches: 0 };

    const restedAt = performance.now();
    const urgent = await settles(() => findFaults(client, actor.wasLost).then((faults) => faults.filter((fault) => !isLeftover(fault))), 30_000);
    const convergedMs = performance.now() - restedAt;
    const left = await settles(() => findFaults(client, actor.wasLost), staleThresholdMs + 2 * staleIntervalMs + 15_000);
    const cleanMs = performance.now() - restedAt;
    console.log(`    ${total} events at ${rate}/s, ${kills} leaders killed, ${proxy.counts.faults} faults in ${proxy.counts.requests} requests, ${proxy.counts.cuts} watches cut`);
    console.log(`    ${JSON.stringify(world.counts)}`);
    console.log(`    converged in ${Math.round(convergedMs)} ms, clean in ${Math.round(cleanMs)} ms; load ${slowness().toFixed(1)} times what the machine has cores for`);
    if (urgent.length + left.length > 0) for (const process of reconcilers.values()) console.log(process.log().slice(-3_000));
    assert.equal(urgent, []);
    assert.equal(left, []);
    const limitMs = 10_000 * slowness();
    assert.ok(convergedMs <= limitMs, `converged in ${convergedMs} ms, limit ${limitMs} ms at this load`);

    await world.deleteAllWorkloads();
    const after = await settles(() => findFaults(client, actor.wasLost), staleThresholdMs + 2 * staleIntervalMs + 15_000);
    assert.equal(after, []);
    assert.is((await client.list(pods, { namespace: mountNamespace })).items.length, 0, "without workloads no Mountpoint Pod");
  } finally {
    for (const process of reconcilers.values()) await process.kill();
    await actor.stop();
    await proxy.stop();
  }
});

test.run();

/** What only the stale cleanup can know to be left over: the process that knew was killed. */
function isLeftover(fault: string): boolean {
  return fault.includes("which is gone") || fault.includes("named by 0 attachments");
}

async function settles(check: () => Promise<string[]>, limitMs: number): Promise<string[]> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const faults = await check();
    if (faults.length === 0 || performance.now() > deadline) return faults;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

type Client = Awaited<ReturnType<typeof startScene>>["client"];

class World {
  readonly counts: Record<string, number> = {};
  readonly #client: Client;
  readonly #random: () => number;
  readonly #workloads = new Set<string>();
  #next = 0;

  constructor(client: Client, random: () => number) {
    this.#client = client;
    this.#random = random;
  }

  async event(): Promise<void> {
    const [name, act] = this.#pick();
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    try {
      await act();
    } catch (error) {
      // Two events may meet at one pod, or come after its end.
      if (!hasCode(error, "NotFound", "Conflict", "InvalidArgument")) throw error;
    }
  }

  async deleteAllWorkloads(): Promise<void> {
    for (const pod of (await this.#client.list(pods, { namespace: "default" })).items) {
      await this.#client.delete(pods, { name: pod.metadata?.name ?? "", namespace: "default" }).catch(() => {});
    }
  }

  #pick(): [string, () => Promise<unknown>] {
    const dice = this.#random() * 100;
    const full = this.#workloads.size >= mostWorkloads;
    if (dice < 34 && !full) return ["created", () => this.#create(true)];
    if (dice < 40 && !full) return ["created unscheduled", () => this.#create(false)];
    if (dice < 47) return ["scheduled", () => this.#schedule()];
    if (dice < 62) return ["finished", () => this.#finish()];
    if (dice < 77) return ["deleted", () => this.#delete({})];
    if (dice < 84) return ["force-deleted", () => this.#delete({ gracePeriodSeconds: 0 })];
    if (dice < 87) return ["volume edited", () => this.#editVolume()];
    if (dice < 91) return ["Mountpoint Pod failed", () => this.#onMountpoint((ref) => this.#fail(ref, "Failed", "StartError"))];
    if (dice < 94) return ["Mountpoint Pod evicted", () => this.#onMountpoint((ref) => this.#fail(ref, "Failed", "Evicted"))];
    if (dice < 97) return ["Mountpoint Pod deleted", () => this.#onMountpoint((ref) => this.#client.delete(pods, ref))];
    if (dice < 99) return ["Mountpoint Pod force-deleted", () => this.#onMountpoint((ref) => this.#client.delete(pods, ref, { gracePeriodSeconds: 0 }))];
    return ["no new workload", () => this.#onMountpoint((ref) => this.#client.patch(pods, ref, { metadata: { annotations: { "s3.csi.scality.com/no-new-workload": "true" } } }))];
  }

  async #create(scheduled: boolean): Promise<void> {
    const name = `w-${this.#next++}`;
    this.#workloads.add(name);
    const volumes = [this.#integer(volumeCount), ...(this.#random() < 0.1 ? [this.#integer(volumeCount)] : [])];
    const fsGroup = this.#random() < 0.2 ? { securityContext: { fsGroup: 2_000 } } : {};
    const pod: Pod = {
      metadata: { name, namespace: "default" },
      spec: {
        ...fsGroup,
        ...(scheduled ? { nodeName: `node-${this.#integer(nodeCount)}` } : {}),
        containers: [{ name: "app", image: "app" }],
        volumes: [...new Set(volumes)].map((index) => ({ name: `v${index}`, persistentVolumeClaim: { claimName: `vol-${index}` } })),
      },
    };
    await this.#client.create(pods, pod);
  }

  async #schedule(): Promise<void> {
    const name = this.#anyWorkload();
    const target = { apiVersion: "v1", kind: "Node", name: `node-${this.#integer(nodeCount)}` };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name, namespace: "default" }, target };
    await this.#client.create(pods, binding as never, { subresource: "binding" });
  }

  async #finish(): Promise<void> {
    const name = this.#anyWorkload();
    this.#workloads.delete(name);
    await this.#client.patch(pods, { name, namespace: "default" }, { status: { phase: this.#random() < 0.5 ? "Succeeded" : "Failed" } }, { subresource: "status" });
  }

  async #delete(options: { gracePeriodSeconds?: number }): Promise<void> {
    const name = this.#anyWorkload();
    this.#workloads.delete(name);
    await this.#client.delete(pods, { name, namespace: "default" }, options);
  }

  async #editVolume(): Promise<void> {
    const options = [["allow-delete"], ["allow-delete", "allow-overwrite"], []][this.#integer(3)];
    await this.#client.patch(persistentVolumes, { name: `vol-${this.#integer(volumeCount)}` }, { spec: { mountOptions: options } });
  }

  async #fail(ref: { name: string; namespace: string }, phase: string, reason: string): Promise<void> {
    const pod = await this.#client.get(pods, ref);
    if (pod.status?.phase !== "Running" && pod.status?.phase !== "Pending") return;
    await this.#client.patch(pods, ref, { metadata: { uid: pod.metadata?.uid }, status: { phase, reason, message: "chaos" } }, { subresource: "status" });
  }

  async #onMountpoint(act: (ref: { name: string; namespace: string }) => Promise<unknown>): Promise<void> {
    const { items } = await this.#client.list(pods, { namespace: mountNamespace, limit: 50 });
    const pod = items[this.#integer(items.length)];
    if (pod) await act({ name: pod.metadata?.name ?? "", namespace: mountNamespace });
  }

  #anyWorkload(): string {
    return [...this.#workloads][this.#integer(this.#workloads.size)] ?? "none";
  }

  #integer(below: number): number {
    return Math.floor(this.#random() * below);
  }
}

/** mulberry32: small, and the same everywhere. */
function seeded(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
