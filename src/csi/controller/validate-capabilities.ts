// ValidateVolumeCapabilities: does the volume exist, and can it be used in this way?
import type { ValidateVolumeCapabilitiesRequest, ValidateVolumeCapabilitiesResponse } from "../../../generated/proto/csi.ts";
import { DriverError, hasCode } from "../../core/errors.ts";
import { checkId, checkMap, requireText } from "../request-limits.ts";
import { keysFromSecrets } from "../secrets.ts";
import { unsupportedReason } from "../volume-capability.ts";
import type { ControllerContext } from "./context.ts";
import { isBucketName } from "./parameters.ts";
import { parseVolumeId } from "./volume-id.ts";
import { requirePrefixVolume } from "./volume-prefix.ts";

export async function validateVolumeCapabilities(
  request: ValidateVolumeCapabilitiesRequest,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<ValidateVolumeCapabilitiesResponse> {
  requireText(request.volumeId, "Volume ID not provided");
  checkId(request.volumeId, "Volume ID");
  checkMap(request.volumeContext, "volume context");
  checkMap(request.secrets, "secrets");
  if (request.volumeCapabilities.length === 0) throw new DriverError("InvalidArgument", "Volume capabilities not provided");
  await requireVolume(request, context, signal);
  const reasons = request.volumeCapabilities.map(unsupportedReason).filter((reason) => reason !== undefined);
  if (reasons.length > 0) return { confirmed: undefined, message: reasons.join("; ") };
  const { volumeContext, volumeCapabilities, parameters } = request;
  return { confirmed: { volumeContext, volumeCapabilities, parameters, mutableParameters: {} }, message: "" };
}

/** A static volume's id says nothing; its bucket stands in the context. */
async function requireVolume(request: ValidateVolumeCapabilitiesRequest, context: ControllerContext, signal: AbortSignal): Promise<void> {
  const id = parseVolumeId(request.volumeId);
  const bucket = request.volumeContext["bucketName"] ?? id?.bucket;
  const missing = (cause?: unknown) => new DriverError("NotFound", `volume ${JSON.stringify(request.volumeId)} does not exist`, { cause });
  if (bucket === undefined || !isBucketName(bucket)) throw missing();
  const keys = keysFromSecrets(request.secrets);
  const buckets = await context.connect({ keys, region: id?.region ?? keys?.region });
  try {
    if (id?.record) await requirePrefixVolume(buckets, bucket, id.record, signal);
    else await buckets.head(bucket, signal);
  } catch (error) {
    throw hasCode(error, "BucketMissing", "NotFound") ? missing(error) : error;
  } finally {
    await buckets.close();
  }
}
