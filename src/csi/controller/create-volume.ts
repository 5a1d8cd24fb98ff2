// CreateVolume: a bucket, or a prefix of a shared bucket. The same request again returns the same volume.
import type { CreateVolumeRequest, CreateVolumeResponse, VolumeCapability } from "../../../generated/proto/csi.ts";
import { DriverError } from "../../core/errors.ts";
import { checkId, checkMap, requireText } from "../request-limits.ts";
import { keysFromSecrets } from "../secrets.ts";
import { unsupportedReason } from "../volume-capability.ts";
import type { ControllerContext } from "./context.ts";
import { ownershipOf } from "./ownership.ts";
import { parseParameters } from "./parameters.ts";
import { ensureBucket } from "./volume-bucket.ts";
import { formatVolumeId } from "./volume-id.ts";
import { ensurePrefix } from "./volume-prefix.ts";

const defaultCapacityBytes = 1n << 30n;

export async function createVolume(
  request: CreateVolumeRequest,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<CreateVolumeResponse> {
  validate(request);
  const plan = parseParameters(request.name, request.parameters);
  const keys = keysFromSecrets(request.secrets);
  const { capacityBytes, limitBytes } = capacityOf(request);
  const wanted = { name: request.name, ownership: ownershipOf(request.name, plan, capacityBytes), limitBytes };
  // A region of the secret is the account's; the class's own wish goes first, and only that is part of the volume.
  const buckets = await context.connect({ keys, region: plan.region ?? keys?.region });
  try {
    const region: Record<string, string> = plan.region ? { region: plan.region } : {};
    const made =
      plan.kind === "bucket"
        ? await ensureBucket(buckets, plan, wanted, signal).then(({ bucket, ownership }) => ({
            bucket,
            ownership,
            id: { bucket, ...region },
            place: {} as Record<string, string>,
          }))
        : await ensurePrefix(buckets, plan, wanted, signal).then((ownership) => ({
            bucket: plan.bucket,
            ownership,
            id: { bucket: plan.bucket, ...region, record: ownership.volume },
            place: { prefix: plan.prefix } as Record<string, string>,
          }));
    const volumeId = formatVolumeId(made.id);
    context.log.info("volume created", { volumeId, bucket: made.bucket, kind: plan.kind });
    return {
      volume: {
        volumeId,
        capacityBytes: made.ownership.capacityBytes,
        volumeContext: {
          dynamicProvisioning: "true",
          bucketName: made.bucket,
          authenticationSource: keys ? "secret" : "driver",
          ...region,
          ...made.place,
        },
        contentSource: undefined,
        accessibleTopology: [],
      },
    };
  } finally {
    await buckets.close();
  }
}

function validate(request: CreateVolumeRequest): void {
  requireText(request.name, "Volume name not provided");
  checkId(request.name, "Volume name");
  checkMap(request.parameters, "parameters");
  checkMap(request.secrets, "secrets");
  requireCapabilities(request.volumeCapabilities);
  if (request.volumeContentSource) throw new DriverError("InvalidArgument", "S3 volumes cannot be made from a snapshot or another volume");
  const mutable = Object.keys(request.mutableParameters);
  if (mutable.length > 0)
    throw new DriverError("InvalidArgument", `mutable parameters are not supported: ${mutable.join(", ").slice(0, 200)}`);
}

export function requireCapabilities(capabilities: readonly VolumeCapability[]): void {
  if (capabilities.length === 0) throw new DriverError("InvalidArgument", "Volume capabilities not provided");
  for (const capability of capabilities) {
    const reason = unsupportedReason(capability);
    if (reason) throw new DriverError("InvalidArgument", `Volume capability not supported: ${reason}`);
  }
}

/** S3 has no capacity; what was asked for is remembered and repeated, as the claim wants to see it. */
function capacityOf(request: CreateVolumeRequest): { capacityBytes: bigint; limitBytes: bigint } {
  const { requiredBytes, limitBytes } = request.capacityRange ?? { requiredBytes: 0n, limitBytes: 0n };
  if (requiredBytes < 0n || limitBytes < 0n) throw new DriverError("InvalidArgument", "a capacity cannot be negative");
  if (limitBytes > 0n && requiredBytes > limitBytes) throw new DriverError("InvalidArgument", "the capacity required is above its limit");
  const wish = requiredBytes > 0n ? requiredBytes : defaultCapacityBytes;
  return { capacityBytes: limitBytes > 0n && wish > limitBytes ? limitBytes : wish, limitBytes };
}
