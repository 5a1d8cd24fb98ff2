// The names that other programs know this driver by, besides its own (src/core/version.ts). They are those of the driver it
// replaces, so that a cluster can switch.
import { driverName } from "../core/version.ts";

/** mount(2)'s source field: how mounts of this driver, and of its predecessors, are told from others in mountinfo. */
export const mountDevice = "mountpoint-s3";

/** On a Mountpoint Pod: the last workload is gone, the node service shall unmount and let the daemon exit. */
export const needsUnmountAnnotation = `${driverName}/needs-unmount`;

/** On a Node, put there by the administrator: keep workloads away until the driver is registered. */
export const agentNotReadyTaint = `${driverName}/agent-not-ready`;

/** Where an error names the way to look further, it is this one. */
export const reconcilerLogs = "kubectl logs -n kube-system -lapp=s3-csi-controller -c s3-pod-reconciler";
