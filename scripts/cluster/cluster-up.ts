// A real one-node Kubernetes on this machine, in namespaces of its own: no container engine, no registry, nothing left on the host
// when it ends. node-init.sh is its first process; this starts it and waits until pods can run.
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { aptGroups, type ToolName } from "../tools/table.ts";
import { ensureAptPackages } from "../tools/apt.ts";
import { ensureTool } from "../tools/ensure-tool.ts";
import { withFileLock } from "../tools/file-lock.ts";
import { type Report, reportOnStderr } from "../tools/progress.ts";
import { runTool } from "../tools/run-tool.ts";
import { buildBaseImages } from "./base-images.ts";
import { makeCgroups } from "./cgroups.ts";
import { takeDown } from "./cluster-down.ts";
import { writeClusterIdentities, writeNodeIdentity } from "./identities.ts";
import { launchNode } from "./launch-node.ts";
import { type ClusterLayout, clusterLayout, type NodeLayout, nodeLayout } from "./layout.ts";
import { writeNodeFiles } from "./node-files.ts";
import { nodeTakesPods } from "./node-takes-pods.ts";
import { recordedProcess } from "./process-record.ts";

export interface Cluster {
  readonly kubeconfig: string;
  readonly layout: ClusterLayout;
  /** False when it ran already. */
  readonly started: boolean;
}

export interface ClusterUpOptions {
  readonly signal?: AbortSignal;
  readonly report?: Report;
}

export const clusterTools = [
  "etcd",
  "kube-apiserver",
  "kubectl",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "kube-proxy",
  "csi-provisioner",
  "pause",
] as const satisfies readonly ToolName[];

export async function clusterUp(options: ClusterUpOptions = {}): Promise<Cluster> {
  const { signal, report = reportOnStderr } = options;
  if (process.getuid?.() !== 0) throw new Error("The one-node cluster makes mounts, namespaces and cgroups: run this as root.");
  const layout = clusterLayout();
  const node = nodeLayout(0, layout);
  await mkdir(layout.images, { recursive: true });
  await ensureAptPackages(aptGroups.node, options);
  const programs = new Map<ToolName, string>();
  for (const name of clusterTools) programs.set(name, await ensureTool(name, options));
  const kubectl = programs.get("kubectl") as string;

  return withFileLock(layout.lock, { signal, onWait: () => report("waiting for another cluster:up or cluster:down") }, async () => {
    if (await isHealthy(layout, kubectl, signal)) return { kubeconfig: layout.kubeconfig, layout, started: false };
    await takeDown(layout, signal);
    const start = performance.now();
    const done = (what: string) => report(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${what}`);
    const archives = await buildBaseImages(layout.images, signal);
    await prepare(layout, node, archives, signal);
    done("certificates and images");
    await launchNode({ layout, node, role: "control", programs, beside: await hostForwarder(layout) });
    const kube = (...args: string[]) => runTool(kubectl, ["--kubeconfig", layout.kubeconfig, ...args], { signal });
    await until(layout, "the API server", signal, () => kube("get", "--raw", "/readyz"));
    done("API server ready");
    await until(layout, "the node", signal, () => nodeTakesPods({ kubectl, kubeconfig: layout.kubeconfig, node: node.name, signal }, 30));
    done("node ready for pods");
    await until(layout, "the default service account", signal, () => kube("get", "serviceaccount", "default"));
    done("pods can run");
    return { kubeconfig: layout.kubeconfig, layout, started: true };
  });
}

async function prepare(layout: ClusterLayout, node: NodeLayout, archives: readonly string[], signal?: AbortSignal): Promise<void> {
  const baseImages = path.join(layout.run, "base-images");
  await mkdir(baseImages, { recursive: true });
  for (const archive of archives) await symlink(archive, path.join(baseImages, path.basename(archive)));
  const authority = await writeClusterIdentities(layout, signal);
  const identity = await writeNodeIdentity(layout, node, authority);
  await writeNodeFiles({ node, caFile: authority.certFile, identity, signal });
  await makeCgroups(node.cgroup);
}

/** From a loopback port of the host to the API server's socket. It lives in the node's pid namespace, so it ends with the node. */
async function hostForwarder(layout: ClusterLayout): Promise<string> {
  const { port } = new URL(JSON.parse(await readFile(layout.kubeconfig, "utf8")).clusters[0].cluster.server);
  return `socat TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr "UNIX-CONNECT:$RUN/api.sock"`;
}

async function isHealthy(layout: ClusterLayout, kubectl: string, signal?: AbortSignal): Promise<boolean> {
  if ((await recordedProcess(nodeLayout(0, layout).process)) === undefined) return false;
  const answer = await runTool(
    kubectl,
    ["--kubeconfig", layout.kubeconfig, "--request-timeout=5s", "get", "node", nodeLayout(0, layout).name],
    { signal },
  ).catch(() => "");
  return /\bReady\b/.test(answer);
}

async function until(layout: ClusterLayout, what: string, signal: AbortSignal | undefined, check: () => Promise<unknown>): Promise<void> {
  const limit = AbortSignal.any([AbortSignal.timeout(180_000), ...(signal ? [signal] : [])]);
  for (;;) {
    if (
      await check().then(
        () => true,
        () => false,
      )
    )
      return;
    if ((await recordedProcess(nodeLayout(0, layout).process)) === undefined)
      throw new Error(`The node ended while starting:\n${await logTail(layout)}`);
    if (limit.aborted) throw new Error(`Waited in vain for ${what}; the logs are in ${layout.run}:\n${await logTail(layout)}`);
    await delay(50);
  }
}

async function logTail(layout: ClusterLayout): Promise<string> {
  const text = await readFile(path.join(layout.logs, `${nodeLayout(0, layout).name}.log`), "utf8").catch(() => "");
  const logs = await readdir(path.join(nodeLayout(0, layout).folder, "log")).catch((): string[] => []);
  return `${text.trimEnd().split("\n").slice(-15).join("\n")}\n(${logs.join(", ")})`;
}
