// DeleteVolume: removes what CreateVolume made, as the volume's own record says, and tells the truth about it.
import type { DeleteVolumeRequest, DeleteVolumeResponse } from "../../../generated/proto/csi.ts";
import { checkId, checkMap, requireText } from "../request-limits.ts";
import { keysFromSecrets } from "../secrets.ts";
import { isDerivedName, isPredecessorsName } from "./bucket-name.ts";
import type { ControllerContext } from "./context.ts";
import { removeBucket } from "./volume-bucket.ts";
import { parseVolumeId } from "./volume-id.ts";
import { removePrefix } from "./volume-prefix.ts";

export async function deleteVolume(
  request: DeleteVolumeRequest,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<DeleteVolumeResponse> {
  requireText(request.volumeId, "Volume ID not provided");
  checkId(request.volumeId, "Volume ID");
  checkMap(request.secrets, "secrets");
  const keys = keysFromSecrets(request.secrets);
  const id = parseVolumeId(request.volumeId);
  if (!id || (!id.record && !isDerivedName(id.bucket) && !isPredecessorsName(id.bucket))) {
    // CreateVolume never made such an id: a static volume, whose bucket is none of our business. Its PersistentVolume may go.
    context.log.info("volume was not provisioned by this driver, nothing to delete", { volumeId: request.volumeId });
    return {};
  }
  const buckets = await context.connect({ keys, region: id.region ?? keys?.region });
  try {
    const outcome = await (id.record ? removePrefix(buckets, id.bucket, id.record, signal) : removeBucket(buckets, id.bucket, signal));
    context.log.info("volume deleted", { volumeId: request.volumeId, outcome });
    return {};
  } finally {
    await buckets.close();
  }
}
