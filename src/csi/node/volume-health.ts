// NodeGetVolumeHealth (CSI 1.13, in place of the earlier volume condition): is the volume served, and how is S3?
import {
  type NodeGetVolumeHealthRequest,
  type NodeGetVolumeHealthResponse,
  VolumeHealthErrorType as HealthStatus,
} from "../../../generated/proto/csi.ts";
import { StatusResponse_Phase as Phase } from "../../../generated/proto/mountpoint.ts";
import { DriverError } from "../../core/errors.ts";
import { findMount } from "../../linux/mount-info.ts";
import { probePath } from "../../linux/probe.ts";
import { checkId, checkPathLength, requireText } from "../request-limits.ts";
import type { NodeContext } from "./context.ts";
import { readMountRecord } from "./mount-record.ts";
import { mountedSources } from "./source-mounts.ts";
import { resolveTargetPath } from "./target-path.ts";
import { placeBehind } from "./unpublish.ts";

export interface VolumeProblem {
  readonly inaccessible: boolean;
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
}

const probeMs = 2_000;

export async function getVolumeHealth(
  request: NodeGetVolumeHealthRequest,
  node: NodeContext,
  signal: AbortSignal,
): Promise<NodeGetVolumeHealthResponse> {
  requireText(request.volumeId, "Volume ID not provided");
  checkId(request.volumeId, "Volume ID");
  const { volumeId, volumePublishPath } = request;
  const target = volumePublishPath === "" ? await sourceOf(volumeId, node) : requirePublished(volumePublishPath, node);
  const problems = await volumeProblems(target, node, signal);
  return {
    volumeHealth: {
      volumeId,
      healthStatuses: problems.map(({ inaccessible, reason, message }) => ({
        status: inaccessible ? HealthStatus.INACCESSIBLE : HealthStatus.DEGRADED,
        reason,
        message,
      })),
    },
  };
}

/** Where a volume of ours is mounted, as the mount table has it. Any other path is simply not one of them. */
export function requirePublished(volumePath: string, node: Pick<NodeContext, "settings">): string {
  checkPathLength(volumePath, "Volume path");
  const missing = (cause?: unknown) => new DriverError("NotFound", `no volume is published at ${JSON.stringify(volumePath)}`, { cause });
  let target: string;
  try {
    target = resolveTargetPath(volumePath, node.settings.kubeletPath, "Volume path");
  } catch (error) {
    throw missing(error);
  }
  if (!findMount(target)) throw missing();
  return target;
}

/** Without a path: the source of the volume, found by what its daemon was asked to serve. */
async function sourceOf(volumeId: string, node: NodeContext): Promise<string> {
  for (const { mountPoint } of mountedSources(node.mountDir)) {
    const place = node.mounter.placeOf(mountPoint);
    if (place && (await readMountRecord(place.comm))?.volumeId === volumeId) return mountPoint;
  }
  throw new DriverError("NotFound", `volume ${JSON.stringify(volumeId)} is not published on this node`);
}

/** Asks the daemon; only a mount without one of ours is touched, and that by a process that may be left behind. */
export async function volumeProblems(target: string, node: NodeContext, signal: AbortSignal): Promise<VolumeProblem[]> {
  const place = placeBehind(target, node);
  const status = place && (await node.sources.daemon(place).status(signal));
  if (place && status) {
    if (status.phase !== Phase.SERVING) {
      return [
        {
          inaccessible: true,
          reason: "DaemonNotServing",
          message: `daemon ${place.name} does not serve the volume: ${status.message || "it is starting"}`,
        },
      ];
    }
    return status.message === "" ? [] : [{ inaccessible: false, reason: "StorageTrouble", message: status.message }];
  }
  const probe = await probePath(target, probeMs, signal);
  if (probe.state === "alive") return [];
  const why = place && node.mounter.whyNotAnswering(place);
  return [
    {
      inaccessible: true,
      reason: "DaemonNotAnswering",
      message: `the volume does not answer: ${why ?? ("message" in probe ? probe.message : probe.state)}`,
    },
  ];
}
