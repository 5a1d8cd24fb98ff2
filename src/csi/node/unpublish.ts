// NodeUnpublishVolume: removes the bind mount. The source stays for its other workloads; the mounter decides when it goes.
import type { NodeUnpublishVolumeRequest, NodeUnpublishVolumeResponse } from "../../../generated/proto/csi.ts";
import { findMount, type MountPoint, mountRefs, readMountInfo } from "../../linux/mount-info.ts";
import { checkId, requireText } from "../request-limits.ts";
import type { NodeContext } from "./context.ts";
import type { Place } from "./mounter.ts";
import { resolveTargetPath } from "./target-path.ts";
import { releaseTarget } from "./targets.ts";

export async function unpublishVolume(
  request: NodeUnpublishVolumeRequest,
  node: NodeContext,
  signal: AbortSignal,
): Promise<NodeUnpublishVolumeResponse> {
  requireText(request.volumeId, "Volume ID not provided");
  checkId(request.volumeId, "Volume ID");
  const target = resolveTargetPath(request.targetPath, node.settings.kubeletPath);
  await node.targetLock.run(target, () => unpublish(target, node, signal), signal);
  return {};
}

async function unpublish(target: string, node: NodeContext, signal: AbortSignal): Promise<void> {
  const place = placeBehind(target, node);
  // Not under the place's lock: a mount that waits for a new daemon can be left at once.
  releaseTarget(target);
  node.log.debug("target released", { target });
  if (!place) return;
  await node.placeLock.run(
    place.name,
    async () => {
      if (mountRefs(place.source).length === 0) await node.mounter.vacated(place, signal);
    },
    signal,
  );
}

/** The place whose source shows the same file system as the target (or is the target). */
export function placeBehind(target: string, node: Pick<NodeContext, "mounter">): Place | undefined {
  const mounts = readMountInfo();
  const mount = findMount(target, mounts);
  if (!mount) return undefined;
  return [mount, ...mountRefs(target, mounts)]
    .map((mount: MountPoint) => node.mounter.placeOf(mount.mountPoint))
    .find((place) => place !== undefined);
}
