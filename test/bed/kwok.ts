// kwok plays kubelet for nodes that do not exist: it makes them Ready and runs and ends the pods on them, thousands on one core.
import path from "node:path";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { type RunningProcess, startProcess } from "./process.ts";
import { freePort } from "../../scripts/cluster/free-port.ts";

export interface KwokOptions {
  readonly kubeconfig: string;
  readonly signal?: AbortSignal;
}

/** Takes every node of the API server for its own. */
export async function startKwok(options: KwokOptions): Promise<RunningProcess> {
  const file = await ensureTool("kwok", options);
  // Without these files it knows no life cycle at all and ends at once.
  const stages = [
    "node/fast/node-initialize",
    "node/heartbeat-with-lease/node-heartbeat-with-lease",
    "pod/fast/pod-ready",
    "pod/fast/pod-complete",
    "pod/fast/pod-delete",
  ];
  const address = `127.0.0.1:${await freePort()}`;
  return startProcess({
    name: "kwok",
    file,
    args: [
      ...["--kubeconfig", options.kubeconfig, "--manage-all-nodes", "--node-lease-duration-seconds=40", "--server-address", address],
      ...stages.flatMap((stage) => ["--config", path.join(path.dirname(file), "stage", `${stage}.yaml`)]),
    ],
    ready: async (signal) => (await fetch(`http://${address}/healthz`, { signal })).ok,
    signal: options.signal,
  });
}
