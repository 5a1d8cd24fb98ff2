// NodeGetVolumeStats: what statfs says of the published volume. S3 has no capacity; the file system's own figures are passed on.
import { statfs } from "node:fs/promises";
import { type NodeGetVolumeStatsRequest, type NodeGetVolumeStatsResponse, VolumeUsage_Unit as Unit } from "../../../generated/proto/csi.ts";
import { DriverError } from "../../core/errors.ts";
import { checkId, requireText } from "../request-limits.ts";
import type { NodeContext } from "./context.ts";
import { requirePublished, volumeProblems } from "./volume-health.ts";

export async function getVolumeStats(
  request: NodeGetVolumeStatsRequest,
  node: NodeContext,
  signal: AbortSignal,
): Promise<NodeGetVolumeStatsResponse> {
  requireText(request.volumeId, "Volume ID not provided");
  checkId(request.volumeId, "Volume ID");
  requireText(request.volumePath, "Volume path not provided");
  const target = requirePublished(request.volumePath, node);
  // A mount that nobody serves would hold the call, and the thread it runs on, for ever.
  const problems = await volumeProblems(target, node, signal);
  const lost = problems.find((problem) => problem.inaccessible);
  if (lost) throw new DriverError("Unavailable", lost.message);
  const stats = await statfs(target, { bigint: true });
  return {
    usage: [
      {
        unit: Unit.BYTES,
        total: stats.blocks * stats.bsize,
        available: stats.bavail * stats.bsize,
        used: (stats.blocks - stats.bfree) * stats.bsize,
      },
      { unit: Unit.INODES, total: stats.files, available: stats.ffree, used: stats.files - stats.ffree },
    ],
  };
}
