// NodePublishVolume: find the daemon, have the source mounted, bind it to the target. Every step looks first, so the call can
// be cut off anywhere and repeated; a call that fails takes back what it made itself.
import { setImmediate } from "node:timers/promises";
import type { NodePublishVolumeRequest, NodePublishVolumeResponse } from "../../../generated/proto/csi.ts";
import { DriverError, explain, toDriverError } from "../../core/errors.ts";
import { findMount, mountRefs, readMountInfo } from "../../linux/mount-info.ts";
import { umount } from "../../linux/mount.ts";
import { mountedDevice } from "../../linux/mounted-device.ts";
import { probePath } from "../../linux/probe.ts";
import { keysFromSecrets, type S3Keys, unknownSecretFields } from "../secrets.ts";
import type { NodeContext } from "./context.ts";
import type { Place } from "./mounter.ts";
import { parsePublishRequest, type Publication } from "./publish-request.ts";
import { refreshSystemdMount } from "./systemd-mount.ts";
import { bindTarget, isSameFileSystem, isSystemdMount, releaseTarget, requireOwnMount } from "./targets.ts";

const probeMs = 2_000;

export async function publishVolume(
  request: NodePublishVolumeRequest,
  node: NodeContext,
  signal: AbortSignal,
): Promise<NodePublishVolumeResponse> {
  const publication = parsePublishRequest(request, { kubeletPath: node.settings.kubeletPath, kubernetesVersion: node.kubernetesVersion });
  warnOfIgnored(publication, request, node);
  const { target, bucketName } = publication.volume;
  try {
    const keys = await chooseKeys(publication, request.secrets, node);
    await node.targetLock.run(target, () => publish(publication, keys, node, signal), signal);
    return {};
  } catch (thrown) {
    const error = toDriverError(signal.aborted && !(thrown instanceof DriverError) ? signal.reason : thrown);
    throw new DriverError(error.code, `Could not mount ${JSON.stringify(bucketName)} at ${JSON.stringify(target)}: ${explain(error)}`, {
      retryable: error.retryable,
    });
  }
}

async function publish(publication: Publication, keys: S3Keys | undefined, node: NodeContext, signal: AbortSignal): Promise<void> {
  const { volume } = publication;
  const mounts = mountedDevice(volume.target) ? readMountInfo() : [];
  if (isSystemdMount(volume.target, mounts)) {
    const probe = await probePath(volume.target, probeMs, signal);
    if (probe.state === "alive") {
      await refreshSystemdMount(publication, keys, node.settings);
      return;
    }
  }
  const existed = findMount(volume.target, mounts) !== undefined;
  try {
    const place = await node.mounter.place(volume, signal);
    await node.placeLock.run(place.name, () => serve(publication, place, keys, node, signal), signal);
  } catch (error) {
    // What was there before is left as it is: a workload may be using it.
    if (!existed) await releaseAfterFailure(volume.target, node);
    throw error;
  }
}

async function serve(
  publication: Publication,
  place: Place,
  keys: S3Keys | undefined,
  node: NodeContext,
  signal: AbortSignal,
): Promise<void> {
  // Many that wait for one place would go through in a single turn of the event loop: no reply and no health check until the last.
  await setImmediate(undefined, { signal });
  const { volume, readOnlyTarget, single } = publication;
  const { s3EndpointUrl, s3Region } = node.settings;
  if (single) refuseSecondTarget(place, volume.target);
  try {
    await node.sources.ensure(
      place,
      { volume, keys, env: { AWS_ENDPOINT_URL: s3EndpointUrl, AWS_REGION: keys?.region ?? s3Region } },
      signal,
    );
    bind(place, volume.target, readOnlyTarget);
    node.log.debug("target bound", { volumeId: volume.volumeId, target: volume.target, place: place.name });
  } catch (error) {
    if (mountRefs(place.source).length === 0) await node.mounter.vacated(place, AbortSignal.timeout(10_000)).catch(() => {});
    throw error;
  }
}

function bind(place: Place, target: string, readOnly: boolean): void {
  if (!mountedDevice(place.source)) throw notMounted(place);
  if (mountedDevice(target) && isBound(place, target, readOnly)) return;
  bindTarget(place.source, target, readOnly);
}

/** Whether the target shows the source already. What else it shows is taken away when it is ours. */
function isBound(place: Place, target: string, readOnly: boolean): boolean {
  const mounts = readMountInfo();
  const source = findMount(place.source, mounts);
  if (!source) throw notMounted(place);
  const current = findMount(target, mounts);
  if (!current) return false;
  if (isSameFileSystem(current, source)) {
    if (current.options.includes("ro") === readOnly || source.options.includes("ro")) return true;
    throw new DriverError("AlreadyExists", `the volume is published at ${target} already, ${readOnly ? "writable" : "read-only"}`);
  }
  // An older mount of the same volume, whose source was replaced meanwhile.
  requireOwnMount(current);
  while (umount(target, { lazy: true }));
  return false;
}

function notMounted(place: Place): DriverError {
  return new DriverError("Internal", `source ${place.source} is not mounted`);
}

function refuseSecondTarget(place: Place, target: string): void {
  const other = mountRefs(place.source).find((mount) => mount.mountPoint !== target);
  if (other)
    throw new DriverError(
      "FailedPrecondition",
      `the volume may be used by one pod at a time (ReadWriteOncePod) and is published at ${other.mountPoint}`,
    );
}

async function chooseKeys(
  publication: Publication,
  secrets: Readonly<Record<string, string>>,
  node: NodeContext,
): Promise<S3Keys | undefined> {
  if (publication.volume.options.anonymous) return undefined;
  if (publication.context.authenticationSource === "secret") {
    const keys = keysFromSecrets(secrets);
    if (keys) return keys;
    throw new DriverError(
      "InvalidArgument",
      "authenticationSource is secret, but the volume names no secret: set nodePublishSecretRef (node-publish-secret-name)",
    );
  }
  const keys = await node.driverKeys();
  if (keys) return keys;
  throw new DriverError(
    "FailedPrecondition",
    "the driver has no credentials of its own: give it a Secret, or the volume authenticationSource: secret",
  );
}

async function releaseAfterFailure(target: string, node: NodeContext): Promise<void> {
  try {
    releaseTarget(target);
  } catch (error) {
    node.log.warn("a failed publish left its target behind", { target, reason: explain(error) });
  }
}

function warnOfIgnored(publication: Publication, request: NodePublishVolumeRequest, node: NodeContext): void {
  const { volumeId, options } = publication.volume;
  if (options.stripped.length > 0) node.log.warn("mount options ignored", { volumeId, options: options.stripped });
  if (publication.context.unknown.length > 0) node.log.warn("volume attributes ignored", { volumeId, keys: publication.context.unknown });
  const fields = unknownSecretFields(request.secrets);
  if (fields.length > 0) node.log.warn("fields of the volume's secret ignored", { volumeId, fields });
}
