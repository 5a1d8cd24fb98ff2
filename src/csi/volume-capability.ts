// Which volume capabilities the driver can honour. One place, so that CreateVolume, ValidateVolumeCapabilities and
// NodePublishVolume never disagree.
import { type VolumeCapability, VolumeCapability_AccessMode_Mode as Mode } from "../../generated/proto/csi.ts";

/** Every bucket can be used by any number of readers and writers on any number of nodes, so every access mode can be honoured. */
const supportedModes: ReadonlySet<Mode> = new Set([
  Mode.SINGLE_NODE_WRITER,
  Mode.SINGLE_NODE_READER_ONLY,
  Mode.MULTI_NODE_READER_ONLY,
  Mode.MULTI_NODE_SINGLE_WRITER,
  Mode.MULTI_NODE_MULTI_WRITER,
  Mode.SINGLE_NODE_SINGLE_WRITER,
  Mode.SINGLE_NODE_MULTI_WRITER,
]);

/** Why the capability cannot be honoured, or undefined when it can. */
export function unsupportedReason(capability: VolumeCapability): string | undefined {
  if (capability.accessType === undefined) return "an access type (mount) is missing";
  if (capability.accessType.$case === "block") return "S3 volumes have no block access, only mount";
  if (capability.accessMode === undefined || capability.accessMode.mode === Mode.UNKNOWN) return "an access mode is missing";
  if (!supportedModes.has(capability.accessMode.mode)) return `access mode ${capability.accessMode.mode} is not known`;
  return undefined;
}

/** The whole volume is read-only, for every workload that uses it. */
export function isReadOnlyMode(capability: VolumeCapability): boolean {
  const mode = capability.accessMode?.mode;
  return mode === Mode.MULTI_NODE_READER_ONLY || mode === Mode.SINGLE_NODE_READER_ONLY;
}

/** At most one target path on this node (ReadWriteOncePod). */
export function isSinglePublishMode(capability: VolumeCapability): boolean {
  return capability.accessMode?.mode === Mode.SINGLE_NODE_SINGLE_WRITER;
}
