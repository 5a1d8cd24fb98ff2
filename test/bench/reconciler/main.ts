// The reconciler at scale, on a real API server with nodes and pods as plain objects: how long from scheduled to attached, how
// much memory, how many writes; then the same with a crowd of other pods around. `npm run bench:reconciler`
//   S3CSI_BENCH_PODS=10000  S3CSI_BENCH_NODES=1000  S3CSI_BENCH_OTHERS=100000  S3CSI_BENCH_RATE=50 (pods per second)
import { execFileSync } from "node:child_process";
import path from "node:path";
import { temporaryFolder } from "../../bed/temporary-folder.ts";
import { freePort } from "../../../scripts/cluster/free-port.ts";
import { NodeActor } from "../../reconciler/node-actor.ts";
import { startReconcilerProcess } from "../../reconciler/reconciler-process.ts";
import { makeVolume, startScene } from "../../reconciler/scene.ts";
import { pods } from "../../../src/kube/resources.ts";
import { AttachmentClock } from "./attachment-clock.ts";
import { memoryOf, type Round, readRequests, row, writesIn } from "./figures.ts";

const number = (name: string, fallback: number) => Number(process.env[`S3CSI_BENCH_${name}`] ?? fallback);
const [podCount, nodeCount, otherCount, rate] = [number("PODS", 10_000), number("NODES", 1_000), number("OTHERS", 100_000), number("RATE", 50)];
const volumeCount = Math.ceil((podCount * 1.5) / nodeCount) + 1;
const root = path.resolve(import.meta.dirname, "../../..");
const limit = AbortSignal.timeout(3_600_000);

// What is measured is what the image has.
execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/build.ts"], { cwd: root, stdio: "ignore" });
const program = path.join(root, "dist/reconciler.js");

await using folder = await temporaryFolder("bench-reconciler");
await using scene = await startScene(limit, ["--max-requests-inflight=2000", "--max-mutating-requests-inflight=1000"]);
const { client, plane } = scene;
const metricsPort = await freePort();
const env = { KUBECONFIG: plane.kubeconfig, METRICS_PORT: String(metricsPort), LOG_LEVEL: "warn", STALE_CLEANUP_INTERVAL: "2m" };
let reconciler = await startReconcilerProcess("bench", env, { logFile: `${folder.path}/reconciler.log`, program });
const actor = new NodeActor(client, { workers: 16 });
const clock = new AttachmentClock(client);
try {
  say(`${nodeCount} nodes, ${volumeCount} volumes, ${podCount} workloads at ${rate}/s, then ${otherCount} other pods`);
  for (let index = 0; index < volumeCount; index += 1) await makeVolume(client, `vol-${index}`);
  await createNodes();
  await ready();
  await round("warm-up", 0, Math.min(100, podCount), (index) => index);
  const unshared = await round("unshared", 100, podCount, (index) => index);
  const shared = await round("shared", podCount, podCount + Math.ceil(podCount / 10), (index) => index - podCount);
  const figures = [unshared, shared];
  if (otherCount > 0) {
    await createOthers();
    await reconciler.kill();
    reconciler = await startReconcilerProcess("bench-2", env, { logFile: `${folder.path}/reconciler-2.log`, program });
    const began = performance.now();
    await ready();
    say(`started anew among ${otherCount} other pods: ready in ${Math.round(performance.now() - began)} ms, RSS ${JSON.stringify(memoryOf(reconciler.pid))}`);
    // Warmed up like the first one: it compiles its code, and looks at all that is there, beside the first hundred.
    const from = podCount + Math.ceil(podCount / 10);
    const warm = from + Math.min(100, podCount);
    const slot = (index: number) => podCount + index - from;
    await round("warm-up", from, warm, slot);
    figures.push(await round(`unshared among ${otherCount}`, warm, from + Math.ceil(podCount / 5), slot));
  }
  console.log(["round", "pods", "p50 ms", "p99 ms", "max ms", "writes/pod", "RSS MB", "peak MB"].join(" | "));
  for (const figure of figures) console.log(row(figure));
  const crowded = figures[2];
  if (crowded) say(`with the crowd: p50 ×${(crowded.p50 / unshared.p50).toFixed(2)}, p99 ×${(crowded.p99 / unshared.p99).toFixed(2)}`);
} finally {
  await clock.stop();
  await actor.stop();
  await reconciler.kill();
}

/** Makes scheduled pods at the rate, each at the place that `slot` gives it: one slot, one sharing key. */
async function round(name: string, from: number, to: number, slot: (index: number) => number): Promise<Round> {
  const before = await readRequests(metricsPort);
  const began = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let index = from; index < to; index += 1) {
    const waitMs = began + ((index - from) * 1_000) / rate - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    pending.push(createWorkload(index, slot(index)));
  }
  await Promise.all(pending);
  const latencies = await clock.all(limit);
  const sentIn = performance.now() - began;
  const writes = (await writesAtRest()) - writesIn(before);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
  const figure = { name, count: to - from, p50: at(0.5), p99: at(0.99), max: at(1), writesPerPod: writes / (to - from), ...memoryOf(reconciler.pid) };
  say(`${row(figure)}   (${Math.round((to - from) / (sentIn / 1_000))} pods/s reached)`);
  return figure;
}

/** Status follows when the Mountpoint Pods run, at the latest five seconds after they were made: so wait for ten quiet ones. */
async function writesAtRest(): Promise<number> {
  for (let last = -1, quiet = 0; ; quiet += 1) {
    const writes = writesIn(await readRequests(metricsPort));
    if (writes !== last) [last, quiet] = [writes, 0];
    if (quiet >= 10) return writes;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function createWorkload(index: number, slot: number): Promise<void> {
  const made = await client.create(pods, {
    metadata: { name: `w-${index}`, namespace: "default" },
    spec: {
      nodeName: `node-${slot % nodeCount}`,
      containers: [{ name: "app", image: "app" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: `vol-${Math.floor(slot / nodeCount)}` } }],
    },
  });
  clock.scheduled(made.metadata?.uid ?? "");
}

async function createNodes(): Promise<void> {
  const { nodes } = await import("../../../src/kube/resources.ts");
  await inParallel(nodeCount, (index) => client.create(nodes, { metadata: { name: `node-${index}` } }));
}

async function createOthers(): Promise<void> {
  const began = performance.now();
  const variables = Array.from({ length: 15 }, (_, item) => ({ name: `SETTING_${item}`, value: `a value of some length, number ${item}` }));
  await inParallel(otherCount, (index) =>
    client.create(pods, {
      metadata: { name: `other-${index}`, namespace: "default", labels: { app: `other-${index % 500}` } },
      spec: { nodeName: `node-${index % nodeCount}`, containers: [{ name: "app", image: "registry.example/other:1", env: variables }] },
    }),
  );
  say(`${otherCount} other pods made in ${Math.round((performance.now() - began) / 1_000)} s`);
}

async function inParallel(total: number, task: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < total) await task(next++);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

async function ready(): Promise<void> {
  for (;;) {
    limit.throwIfAborted();
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((response) => response.text(), () => "");
    // Not the line that explains it, which begins like this too.
    if (/^s3csi_reconciler_leading 1$/m.test(answer)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function say(text: string): void {
  console.log(text);
}
