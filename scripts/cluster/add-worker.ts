// A second node, for tests of what differs between nodes: another kubelet and containerd, in namespaces within the first node's (so
// that they end with it), joined by a virtual cable.
import { runTool } from "../tools/run-tool.ts";
import { ensureTool } from "../tools/ensure-tool.ts";
import type { ToolName } from "../tools/table.ts";
import { makeCgroups } from "./cgroups.ts";
import { clusterTools } from "./cluster-up.ts";
import { writeNodeIdentity } from "./identities.ts";
import { launchNode } from "./launch-node.ts";
import { clusterLayout, type NodeLayout, nodeLayout } from "./layout.ts";
import { nodeNamespaces } from "./node-exec.ts";
import { writeNodeFiles } from "./node-files.ts";
import { nodeTakesPods } from "./node-takes-pods.ts";
import { openAuthority } from "./pki.ts";
import { recordedProcess } from "./process-record.ts";

/** Resolves when it takes pods; at once when it is there already. */
export async function addWorker(signal?: AbortSignal): Promise<NodeLayout> {
  const layout = clusterLayout();
  const first = nodeLayout(0, layout);
  const node = nodeLayout(1, layout);
  if ((await recordedProcess(node.process)) === undefined) {
    const programs = new Map<ToolName, string>();
    for (const name of clusterTools) programs.set(name, await ensureTool(name, { signal }));
    const authority = openAuthority(layout.pki, signal);
    const identity = await writeNodeIdentity(layout, node, authority);
    await writeNodeFiles({ node, caFile: authority.certFile, identity, signal });
    await makeCgroups(node.cgroup);
    const wrapper = ["nsenter", ...(await nodeNamespaces(["pid"])), "--"];
    const pid = await launchNode({ layout, node, role: "worker", programs, wrapper });
    await connect(first, node, pid, signal);
  }
  await nodeTakesPods({ kubectl: await ensureTool("kubectl", { signal }), kubeconfig: layout.kubeconfig, node: node.name, signal }, 120);
  return node;
}

async function connect(first: NodeLayout, node: NodeLayout, pid: number, signal?: AbortSignal): Promise<void> {
  const inNet = async (of: NodeLayout, script: string) =>
    runTool("nsenter", [...(await nodeNamespaces(["net"], of)), "--", "sh", "-ec", `PATH=$PATH:/usr/sbin:/sbin; ${script}`], { signal });
  // Its init makes the bridge; only then is there something to plug into.
  await inNet(node, "until ip link show node0 up 2>/dev/null | grep -q node0; do sleep 0.02; done");
  await inNet(
    first,
    `ip link add to-node-1 type veth peer name to-node-0 netns ${pid}; ip link set to-node-1 master node0 up; ip route replace ${node.podRange} via ${node.address}`,
  );
  await inNet(node, `ip link set to-node-0 master node0 up; ip route replace ${first.podRange} via ${first.address}`);
}
