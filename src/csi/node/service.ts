// csi.v1.Node. What is not here answers UNIMPLEMENTED (src/grpc).
import { type NodeServiceImplementation, NodeServiceCapability_RPC_Type as Rpc } from "../../../generated/proto/csi.ts";
import type { NodeContext } from "./context.ts";
import { publishVolume } from "./publish.ts";
import { unpublishVolume } from "./unpublish.ts";
import { getVolumeHealth } from "./volume-health.ts";
import { getVolumeStats } from "./volume-stats.ts";

export function nodeService(node: NodeContext): Partial<NodeServiceImplementation> {
  // An answer that comes after kubelet has gone is lost, and with it the cause: so the limit is ours, and shorter.
  const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(node.settings.publishTimeoutMs)]);
  return {
    nodePublishVolume: (request, { signal }) => publishVolume(request, node, limited(signal)),
    nodeUnpublishVolume: (request, { signal }) => unpublishVolume(request, node, limited(signal)),
    nodeGetVolumeStats: (request, { signal }) => getVolumeStats(request, node, limited(signal)),
    nodeGetVolumeHealth: (request, { signal }) => getVolumeHealth(request, node, limited(signal)),
    async nodeGetInfo() {
      return { nodeId: node.settings.nodeName, maxVolumesPerNode: BigInt(node.settings.maxVolumesPerNode) };
    },
    async nodeGetCapabilities() {
      const types = [Rpc.VOLUME_MOUNT_GROUP, Rpc.GET_VOLUME_STATS, Rpc.GET_VOLUME_HEALTH, Rpc.SINGLE_NODE_MULTI_WRITER];
      return { capabilities: types.map((type) => ({ type: { $case: "rpc" as const, rpc: { type } } })) };
    },
  };
}
