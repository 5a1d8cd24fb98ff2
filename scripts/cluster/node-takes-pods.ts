// When a node can be used. Ready comes first; the controller manager takes the not-ready taint away a moment later, and until then
// no pod is scheduled there.
import { setTimeout as delay } from "node:timers/promises";
import { runTool } from "../tools/run-tool.ts";

export interface NodeQuestion {
  readonly kubectl: string;
  readonly kubeconfig: string;
  readonly node: string;
  readonly signal: AbortSignal | undefined;
}

/** Resolves when it does; fails after `seconds` without being Ready, or as long with a taint. */
export async function nodeTakesPods({ kubectl, kubeconfig, node, signal }: NodeQuestion, seconds: number): Promise<void> {
  const kube = (...args: string[]) => runTool(kubectl, ["--kubeconfig", kubeconfig, ...args], { signal });
  await kube("wait", `node/${node}`, "--for=create", `--timeout=${seconds}s`);
  await kube("wait", `node/${node}`, "--for=condition=Ready", `--timeout=${seconds}s`);
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const taints = (await kube("get", "node", node, "-o", "jsonpath={.spec.taints[*].key}")).trim();
    if (taints === "") return;
    if (performance.now() > end) throw new Error(`Node ${node} is Ready but takes no pods: ${taints}`);
    await delay(50, undefined, { signal });
  }
}
