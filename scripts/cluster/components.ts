// The node's own programs, for tests of what happens when one of them dies.
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { nodeLayout } from "./layout.ts";
import { nodeExec } from "./node-exec.ts";

export type Component = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kubelet" | "kube-proxy" | "containerd";

/** SIGKILL; the node's init starts it again at once. Resolves when the new one has started. */
export async function restartComponent(name: Component, signal: AbortSignal): Promise<void> {
  const before = await componentPid(name);
  await nodeExec(["kill", "-KILL", before], { signal });
  while ((await componentPid(name)) === before) await delay(50, undefined, { signal });
}

/** SIGKILL, and it stays down until the returned function is called. */
export async function stopComponent(name: Component, signal: AbortSignal): Promise<() => Promise<void>> {
  const hold = path.join(nodeLayout(0).folder, "pids", `${name}.hold`);
  await writeFile(hold, "");
  await nodeExec(["kill", "-KILL", await componentPid(name)], { signal });
  return () => rm(hold, { force: true });
}

/** As seen inside the node. */
async function componentPid(name: Component): Promise<string> {
  return (await readFile(path.join(nodeLayout(0).folder, "pids", name), "utf8")).trim();
}
