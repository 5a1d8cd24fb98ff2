// The cluster itself: pods run, its parts come back, and nothing of it is left, however it ends.
import { existsSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { addWorker } from "../../scripts/cluster/add-worker.ts";
import { nodeImage } from "../../scripts/cluster/base-images.ts";
import { clusterDown } from "../../scripts/cluster/cluster-down.ts";
import { type Cluster, clusterTools, clusterUp } from "../../scripts/cluster/cluster-up.ts";
import { restartComponent, stopComponent } from "../../scripts/cluster/components.ts";
import { exposeToPods } from "../../scripts/cluster/expose-to-pods.ts";
import { nodeLayout } from "../../scripts/cluster/layout.ts";
import { nodeExec } from "../../scripts/cluster/node-exec.ts";
import { recordedProcess } from "../../scripts/cluster/process-record.ts";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { runTool } from "../../scripts/tools/run-tool.ts";
import { temporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

// A place of its own, so that it neither finds nor ends the cluster somebody works with.
let home: TemporaryFolder;
let cluster: Cluster;
let kubectl: string;
let signal: AbortSignal;
let quiet: { readonly signal: AbortSignal; readonly report: () => void };

test.before(async () => {
  home = await temporaryFolder("cluster");
  process.env.S3CSI_CLUSTER_DIR = home.path;
  // The clock starts when everything is built.
  for (const name of clusterTools) await ensureTool(name);
  kubectl = await ensureTool("kubectl");
  signal = AbortSignal.timeout(280_000);
  quiet = { signal, report: () => {} };
  cluster = await clusterUp({ signal });
});
test.after(async () => {
  await clusterDown();
  await home.remove();
});

test("up again finds it up", async () => {
  assert.ok(cluster.started);
  assert.not.ok((await clusterUp(quiet)).started);
});

test("a pod runs, and reaches a server on the host's loopback", async () => {
  const server: Server = createServer((_, response) => response.end("from the host")).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await using exposed = await exposeToPods((server.address() as { port: number }).port, signal);
    const script = `fetch("http://${exposed.address}/").then((r) => r.text()).then(console.log)`;
    await kube("run", "asker", `--image=${nodeImage}`, "--restart=Never", "--command", "--", "node", "-e", script);
    await kube("wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/asker", "--timeout=60s");
    assert.is(await kube("logs", "asker"), "from the host\n");
  } finally {
    server.close();
  }
});

test("the node has a network, processes and mounts of its own", async () => {
  assert.match(await nodeExec(["hostname"], { signal }), /^s3-csi-node-0\n/);
  assert.match(await nodeExec(["cat", "/proc/self/mountinfo"], { signal }), / \/var\/lib\/kubelet rw\S* shared:/);
  assert.not.match(await readFile("/proc/self/mountinfo", "utf8"), new RegExp(home.path));
});

test("a killed kubelet and a killed API server come back, and pods run again", async () => {
  const releaseKubelet = await stopComponent("kubelet", signal);
  await restartComponent("kube-apiserver", signal);
  assert.not.match(await nodeExec(["ps", "-A", "-o", "comm"], { signal }), /^kubelet$/m);
  await releaseKubelet();
  while (!(await kube("get", "--raw", "/readyz").catch(() => ""))) signal.throwIfAborted();
  await kube("run", "after", `--image=${nodeImage}`, "--restart=Never", "--command", "--", "node", "-e", "0");
  await kube("wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/after", "--timeout=90s");
});

test("a second node runs pods that reach the first one's", async () => {
  const worker = await addWorker(signal);
  const placed = (node: string) => `--overrides={"spec":{"nodeName":"${node}"}}`;
  const serve = "require('http').createServer((_, response) => response.end('hello')).listen(8080)";
  await kube("run", "server", `--image=${nodeImage}`, placed(nodeLayout(0).name), "--command", "--", "node", "-e", serve);
  await kube("wait", "--for=condition=Ready", "pod/server", "--timeout=60s");
  const address = await kube("get", "pod", "server", "-o", "jsonpath={.status.podIP}");
  const ask = `fetch("http://${address}:8080/").then((r) => r.text()).then(console.log)`;
  await kube("run", "client", `--image=${nodeImage}`, "--restart=Never", placed(worker.name), "--command", "--", "node", "-e", ask);
  await kube("wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/client", "--timeout=60s");
  assert.is(await kube("logs", "client"), "hello\n");
});

test("a node killed from outside leaves only what down takes away", async () => {
  const pid = (await recordedProcess(nodeLayout(0).process)) as number;
  const namespace = await readlink(`/proc/${pid}/ns/pid`);
  process.kill(pid, "SIGKILL");
  while ((await recordedProcess(nodeLayout(0).process)) !== undefined) signal.throwIfAborted();
  await clusterDown({ signal });
  assert.equal(await processesIn(namespace), []);
  assert.equal(await cgroupsNamed(cluster.layout.cgroup), []);
  assert.not.ok(existsSync(cluster.layout.run));
});

test("it starts again where one was killed, and goes down clean", async () => {
  assert.ok((await clusterUp(quiet)).started);
  const pid = (await recordedProcess(nodeLayout(0).process)) as number;
  const namespace = await readlink(`/proc/${pid}/ns/pid`);
  assert.ok(await clusterDown({ signal }));
  assert.equal(await processesIn(namespace), []);
  assert.equal(await cgroupsNamed(cluster.layout.cgroup), []);
  assert.not.ok(await clusterDown({ signal }));
});

async function kube(...args: string[]): Promise<string> {
  return runTool(kubectl, ["--kubeconfig", cluster.kubeconfig, ...args], { signal });
}

async function processesIn(namespace: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  // A zombie has no program any more: its parent has not looked yet, that is all.
  const alive = async (pid: string) => !/^State:\s+[ZX]/m.test(await readFile(`/proc/${pid}/status`, "utf8"));
  const namespaceOf = async (pid: string) => ((await alive(pid)) ? readlink(`/proc/${pid}/ns/pid`) : "");
  const namespaces = await Promise.all(pids.map((pid) => namespaceOf(pid).catch(() => "")));
  return pids.filter((_, index) => namespaces[index] === namespace);
}

async function cgroupsNamed(name: string): Promise<string[]> {
  const hierarchies = ["", ...(await readdir("/sys/fs/cgroup"))].map((hierarchy) => path.join("/sys/fs/cgroup", hierarchy, name));
  return hierarchies.filter((folder) => existsSync(folder));
}

test.run();
