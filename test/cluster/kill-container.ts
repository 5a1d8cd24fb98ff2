// kill -9 of a container, behind the backs of kubelet and the API server.
import { nodeExec } from "../../scripts/cluster/node-exec.ts";
import type { ClusterBed } from "./bed.ts";
import type { Workspace } from "./workspace.ts";

export interface Victim {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export async function killContainer(bed: ClusterBed, work: Workspace, victim: Victim, signal: AbortSignal): Promise<void> {
  const { spec, status } = JSON.parse(await bed.cluster.kubectl(["-n", victim.namespace, "get", "pod", victim.pod, "-o", "json"])) as Pod;
  const [, id = ""] = status.containerStatuses.find(({ name }) => name === victim.container)?.containerID.split("://") ?? [];
  if (bed.cluster.own) await nodeExec(["ctr", "--address", "/run/containerd/containerd.sock", "--namespace", "k8s.io", "tasks", "kill", "--signal", "SIGKILL", id], { signal });
  else await killFromPod(bed, work, id, spec.nodeName);
}

interface Pod {
  readonly spec: { readonly nodeName: string };
  readonly status: { readonly containerStatuses: readonly { readonly name: string; readonly containerID: string }[] };
}

let kills = 0;

/** A pod that sees the node's processes finds the container's by their cgroup, whatever runs containers there. */
async function killFromPod(bed: ClusterBed, work: Workspace, id: string, node: string): Promise<void> {
  const script = `found=1; for each in /proc/[0-9]*; do grep -q ${id} $each/cgroup 2>/dev/null && kill -9 \${each#/proc/} && found=0; done; exit $found`;
  const container = { name: "main", image: bed.cluster.images.busybox, command: ["sh", "-c", script], securityContext: { privileged: true } };
  await work.runPod({ name: `killer-${++kills}`, claims: {}, node, spec: { hostPID: true, containers: [container] } });
}
