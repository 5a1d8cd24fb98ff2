// The labels, annotations and names by which people, the node service and the driver this one replaces know our objects.
import { createHash } from "node:crypto";
import { driverName } from "../core/version.ts";

export const labels = {
  mountpointVersion: `${driverName}/mountpoint-version`,
  podUid: `${driverName}/pod-uid`,
  volumeName: `${driverName}/volume-name`,
  volumeId: `${driverName}/volume-id`,
  driverVersion: `${driverName}/mounted-by-csi-driver-version`,
  attachment: `${driverName}/attachment`,
  headroomForPod: `${driverName}/headroom-for-pod`,
  headroomForVolume: `${driverName}/headroom-for-volume`,
  headroomForWorkload: `${driverName}/headroom-for-workload`,
} as const;

export const annotations = {
  /** The last workload is gone: the node service shall unmount and let the daemon exit. */
  needsUnmount: `${driverName}/needs-unmount`,
  needsUnmountSince: `${driverName}/needs-unmount-since`,
  /** Set by people: it goes on serving, but nobody new. */
  noNewWorkload: `${driverName}/no-new-workload`,
  /** Names in full, since a label ends at 63 characters. */
  volumeName: `${driverName}/volume-name`,
  volumeId: `${driverName}/volume-id`,
  /** The five fields, so that a pod whose attachment was never written can be found and used. */
  sharingKey: `${driverName}/sharing-key`,
  /** A disruption of the node does not wait for this pod, as it does not for a DaemonSet's. */
  autoscaler: "cluster-autoscaler.kubernetes.io/daemonset-pod",
} as const;

/** On a workload: do not schedule it before room for its Mountpoint Pods is reserved. */
export const headroomGate = `${driverName}/reserve-headroom-for-mppod`;

/** Keys of PersistentVolume.spec.csi.volumeAttributes that concern the Mountpoint Pod. */
export const volumeAttributes = {
  serviceAccountName: "mountpointPodServiceAccountName",
  requestsCpu: "mountpointContainerResourcesRequestsCpu",
  requestsMemory: "mountpointContainerResourcesRequestsMemory",
  limitsCpu: "mountpointContainerResourcesLimitsCpu",
  limitsMemory: "mountpointContainerResourcesLimitsMemory",
  cacheSizeLimit: "cacheEmptyDirSizeLimit",
  cacheMedium: "cacheEmptyDirMedium",
} as const;

export const mountpointPodPrefix = "mp-";
export const headroomPodPrefix = "hr-";
export const attachmentPrefix = "s3pa-";

export function sha224(...parts: readonly string[]): string {
  // The lengths keep ("ab", "c") and ("a", "bc") apart.
  return createHash("sha224").update(parts.map((part) => `${part.length}:${part}`).join("")).digest("hex");
}

/** The text itself where it may stand as a label's value, else its hash. */
export function labelValue(text: string): string {
  return /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/.test(text) ? text : sha224(text);
}
