// 10,000 pods by pages, 20,000 updates, the API server killed and restarted, history compacted: memory stays small and the
// informer ends with exactly what the API server has. S3CSI_INFORMER_PODS changes the number of pods.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { KubeClient } from "../../src/kube/client.ts";
import { objectKey } from "../../src/kube/resource.ts";
import { type Pod, pods } from "../../src/kube/resources.ts";
import { type ControlPlane, startControlPlane } from "../bed/control-plane.ts";
import type { InformerReport } from "./informer-process.ts";

const count = Number(process.env.S3CSI_INFORMER_PODS ?? 10_000);
const limit = AbortSignal.timeout(480_000);
let plane: ControlPlane;
let client: KubeClient;
let child: ChildProcess;

test.before(async () => {
  plane = await startControlPlane({ signal: limit });
  client = await KubeClient.connect({ kubeconfig: plane.kubeconfig });
  await inParallel(count, (index) => client.create(pods, bigPod(index)));
  const env = { ...process.env, TEST_CONNECTION: JSON.stringify(plane.admin) };
  child = fork(fileURLToPath(new URL("informer-process.ts", import.meta.url)), { execPath: process.execPath, env });
});

test.after(async () => {
  if (child?.exitCode === null) {
    const ended = once(child, "exit");
    child.send("stop");
    await ended;
  }
  client?.close();
  await plane?.stop();
});

test(`lists ${count} pods by pages`, async () => {
  const report = await untilEqual();
  assert.is(report.objects, count);
  assert.is(report.lists, 1);
  assert.ok(report.peakRssMb <= 250, `peak RSS ${report.peakRssMb} MB`);
  console.log(`    listed ${count} pods: RSS ${report.rssMb} MB, peak ${report.peakRssMb} MB`);
});

test(`follows ${2 * count} updates in the same memory`, async () => {
  await inParallel(2 * count, (index) => touch(index % count, `${index}`));
  const report = await untilEqual();
  assert.ok(report.peakRssMb <= 250, `peak RSS ${report.peakRssMb} MB`);
  assert.is(report.overlaps, 0, "no key is worked on twice at the same time");
  console.log(`    after ${2 * count} updates: RSS ${report.rssMb} MB, peak ${report.peakRssMb} MB, ${report.changes} changes, ${report.watches} watches`);
});

test("loses nothing when the API server is killed, its history compacted, and it comes back", async () => {
  const before = await ask();
  await plane.killApiServer();
  await plane.restartApiServer();
  await inParallel(300, (index) => touch(index, "after the restart"));
  await inParallel(100, (index) => client.delete(pods, { name: `pod-${count - 1 - index}`, namespace: "default" }, { gracePeriodSeconds: 0 }));
  await untilEqual();

  // While the informer is cut off, things change and etcd forgets how: its version is answered 410 Gone.
  await plane.killApiServer();
  child.kill("SIGSTOP");
  try {
    await plane.restartApiServer();
    await inParallel(100, (index) => touch(index, "unseen"));
    await inParallel(100, (index) => client.delete(pods, { name: `pod-${500 + index}`, namespace: "default" }, { gracePeriodSeconds: 0 }));
    await inParallel(50, (index) => client.create(pods, bigPod(500 + index)));
    await plane.compact();
    await plane.killApiServer();
    await plane.restartApiServer();
  } finally {
    child.kill("SIGCONT");
  }
  const report = await untilEqual();
  assert.ok(report.lists > before.lists, "410 led to a new list");
  assert.is(report.overlaps, 0);
  assert.ok(report.peakRssMb <= 250, `peak RSS ${report.peakRssMb} MB`);
  console.log(`    after restarts and 410: RSS ${report.rssMb} MB, peak ${report.peakRssMb} MB, ${report.lists} lists`);
});

test.run();

/** Until the store of the process, and what its workers saw, are what the API server has. */
async function untilEqual(): Promise<InformerReport> {
  const deadline = performance.now() + 90_000;
  for (;;) {
    const truth = await allVersions();
    const report = await ask();
    const differs = Object.keys({ ...truth, ...report.store }).filter((key) => truth[key] !== report.store[key] || truth[key] !== report.processed[key]);
    if (differs.length === 0) return report;
    if (performance.now() > deadline) assert.unreachable(`${differs.length} keys differ, such as ${differs[0]}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function ask(): Promise<InformerReport> {
  const answer = once(child, "message", { signal: limit });
  child.send("report");
  return (await answer)[0] as InformerReport;
}

async function allVersions(): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  let token: string | undefined = "";
  do {
    ({ continue: token } = await client.listEach(pods, { limit: 500, continue: token }, (pod) => {
      versions[objectKey(pod)] = pod.metadata?.resourceVersion ?? "";
    }));
  } while (token);
  return versions;
}

async function touch(index: number, value: string): Promise<void> {
  await client.patch(pods, { name: `pod-${index}`, namespace: "default" }, { metadata: { annotations: { touched: value } } });
}

async function inParallel(total: number, task: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < total) await task(next++);
  };
  await Promise.all(Array.from({ length: 24 }, worker));
}

/** About as large as pods are: 5 KB. */
function bigPod(index: number): Pod {
  const env = Array.from({ length: 40 }, (_, number) => ({ name: `SETTING_${number}`, value: `value ${number} of pod ${index} with some length to it` }));
  return {
    metadata: { name: `pod-${index}`, namespace: "default", labels: { app: `app-${index % 100}`, tier: "back" }, annotations: { note: "x".repeat(600) } },
    spec: { nodeName: `node-${index % 100}`, containers: [{ name: "main", image: "registry.example/app:1", env }] },
  };
}
