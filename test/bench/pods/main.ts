// npm run bench:pods [-- --pods 50]
// What an S3 volume adds to the start of a pod: the time from "scheduled" to "container runs" as a watch sees both, pod after
// pod, with an emptyDir, with a volume that nobody uses yet (cold), and with one that is mounted on the node already (shared).
import { parseArgs } from "node:util";
import { silentLogger } from "../../../src/core/log.ts";
import { KubeClient } from "../../../src/kube/client.ts";
import { Informer } from "../../../src/kube/informer.ts";
import { type Pod, pods as podKind } from "../../../src/kube/resources.ts";
import { startClusterBed } from "../../cluster/bed.ts";
import type { Workspace } from "../../cluster/workspace.ts";

const { values } = parseArgs({ options: { pods: { type: "string", default: "50" } } });
const count = Number(values.pods);
const signal = AbortSignal.timeout(3_600_000);

const bed = await startClusterBed(signal);
const work = await bed.workspace("bench");
const client = await KubeClient.connect({ kubeconfig: bed.cluster.kubeconfig });
const informer = new Informer<Pod, Pod>({ client, resource: podKind, log: silentLogger, namespace: work.namespace, slim: (pod) => pod });
const stopWatch = new AbortController();
const watching = informer.run(stopWatch.signal);
try {
  await informer.synced(signal);
  await work.volume("shared");
  await work.readyPod({ name: "anchor", claims: { "/data": "shared" } });
  const emptyDir = await measure("emptyDir", async () => ({}));
  const cold = await measure("cold", async (index) => {
    await work.volume(`cold-${index}`);
    return { "/data": `cold-${index}` };
  });
  const shared = await measure("shared", async () => ({ "/data": "shared" }));
  console.log(`\nScheduled to container running, ${count} pods each, one after the other (ms):
            p50    p99   added p50
emptyDir ${row(emptyDir)}
cold     ${row(cold)} ${added(cold, emptyDir)}   (goal: 1500)
shared   ${row(shared)} ${added(shared, emptyDir)}   (goal: 150)`);
} finally {
  stopWatch.abort();
  await watching;
  client.close();
  await work.remove();
  await bed.stop();
}

async function measure(kind: string, claims: (index: number) => Promise<Record<string, string>>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    times.push(await startOne(work, `${kind.toLowerCase()}-${index}`, await claims(index)));
    process.stderr.write(`\r${kind}: ${index + 1} of ${count} `);
  }
  process.stderr.write("\n");
  return times.toSorted((a, b) => a - b);
}

async function startOne(workspace: Workspace, name: string, claims: Record<string, string>): Promise<number> {
  const key = `${workspace.namespace}/${name}`;
  let scheduled = 0;
  const leave = informer.onChange(({ key: changed, object }) => {
    if (changed === key && scheduled === 0 && object.spec?.nodeName) scheduled = performance.now();
  });
  const emptyDir = Object.keys(claims).length === 0;
  const spec = emptyDir
    ? {
        volumes: [{ name: "data", emptyDir: {} }],
        containers: [{ name: "main", image: bed.cluster.images.busybox, command: ["sleep", "100000"], volumeMounts: [{ name: "data", mountPath: "/data" }] }],
      }
    : {};
  const running = informer.until((store) => (store.get(key)?.status?.containerStatuses?.[0]?.state?.running ? performance.now() : undefined), signal);
  await workspace.startPod({ name, claims, spec });
  const started = await running;
  leave();
  await workspace.kubectl(["delete", "pod", name, "--wait"]);
  return started - scheduled;
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

function row(sorted: readonly number[]): string {
  return [0.5, 0.99].map((q) => quantile(sorted, q).toFixed(0).padStart(6)).join(" ");
}

function added(sorted: readonly number[], base: readonly number[]): string {
  return (quantile(sorted, 0.5) - quantile(base, 0.5)).toFixed(0).padStart(8);
}
