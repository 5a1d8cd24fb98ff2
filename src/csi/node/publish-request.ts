// A NodePublishVolume request, checked in the documented order and turned into what there is to do.
import type { NodePublishVolumeRequest } from "../../../generated/proto/csi.ts";
import { DriverError } from "../../core/errors.ts";
import { driverVersion } from "../../core/version.ts";
import { checkId, checkList, checkMap, requireText } from "../request-limits.ts";
import { isReadOnlyMode, isSinglePublishMode, unsupportedReason } from "../volume-capability.ts";
import { mountOptions } from "./mount-options.ts";
import type { Volume } from "./mounter.ts";
import { parsePodVolume, resolveTargetPath } from "./target-path.ts";
import { parseVolumeContext, type VolumeContext } from "./volume-context.ts";

export interface Publication {
  readonly volume: Volume;
  readonly context: VolumeContext;
  /** This target is read-only; the file system behind it may be writable for others. */
  readonly readOnlyTarget: boolean;
  /** At most one target of this volume on the node. */
  readonly single: boolean;
}

export function parsePublishRequest(
  request: NodePublishVolumeRequest,
  environment: { readonly kubeletPath: string; readonly kubernetesVersion: string },
): Publication {
  requireText(request.volumeId, "Volume ID not provided");
  checkId(request.volumeId, "Volume ID");
  checkMap(request.volumeContext, "volume context");
  checkMap(request.secrets, "secrets");
  const context = parseVolumeContext(request.volumeContext);
  const target = resolveTargetPath(request.targetPath, environment.kubeletPath);
  const capability = request.volumeCapability;
  if (!capability) throw new DriverError("InvalidArgument", "Volume capability not provided");
  const reason = unsupportedReason(capability);
  if (reason) throw new DriverError("InvalidArgument", `Volume capability not supported: ${reason}`);
  const mount = capability.accessType?.$case === "mount" ? capability.accessType.mount : undefined;
  checkList(mount?.mountFlags ?? [], "mount flags");
  const options = mountOptions({
    flags: mount?.mountFlags ?? [],
    readOnly: isReadOnlyMode(capability),
    fsGroup: mount?.volumeMountGroup ?? "",
    prefix: context.prefix,
    region: context.region,
    userAgent: `s3-csi-driver/${driverVersion} credential-source#${context.authenticationSource} k8s/${environment.kubernetesVersion}`,
  });
  const pod = parsePodVolume(target);
  return {
    volume: {
      volumeId: request.volumeId,
      bucketName: context.bucketName,
      target,
      podUid: context.podUid ?? pod?.podUid,
      volumeName: pod?.volumeName,
      fsGroup: mount?.volumeMountGroup ?? "",
      options,
    },
    context,
    readOnlyTarget: request.readonly || options.readOnly,
    single: isSinglePublishMode(capability),
  };
}
