// What the attachment's status says: how each of its Mountpoint Pods fares, and whether all is well.
import type { MountpointS3PodAttachment } from "../kube/resources.ts";
import type { MountpointPod } from "./observed-pods.ts";

export type AttachmentStatus = NonNullable<MountpointS3PodAttachment["status"]>;
type PodStatus = NonNullable<AttachmentStatus["mountpointPods"]>[number];

export interface PodReport {
  readonly phase: PodStatus["phase"];
  readonly reason: string;
  readonly message: string;
  /** Somebody should know: it will not get better by itself within moments. */
  readonly trouble: boolean;
}

/** Reasons that every pod goes through. */
const ordinary = new Set(["", "ContainerCreating", "PodInitializing"]);

export function reportOf(pod: MountpointPod | undefined): PodReport {
  if (!pod) return { phase: "Missing", reason: "PodMissing", message: "The Mountpoint Pod is gone; another one takes its place.", trouble: true };
  const said = { reason: pod.reason, message: pod.message };
  if (pod.phase === "Failed") return { phase: "Failed", reason: pod.reason || "PodFailed", message: pod.message || "The Mountpoint Pod failed; another one takes its place.", trouble: true };
  if (pod.phase === "Succeeded") return { phase: "Failed", reason: "PodEnded", message: "The Mountpoint Pod ended while workloads need it; another one takes its place.", trouble: true };
  if (pod.needsUnmount) return { phase: "Unmounting", reason: "NoWorkloads", message: "Its last workload has left.", trouble: false };
  const leaving = pod.terminating ? { reason: "Terminating", message: "The Mountpoint Pod is being deleted; it serves its workloads until they end." } : undefined;
  if (pod.phase === "Running" && pod.ready) return { phase: "Ready", trouble: false, ...(leaving ?? { reason: "Serving", message: "" }) };
  if (pod.phase === "Running" && ordinary.has(pod.reason)) return { phase: "Pending", reason: "NotReady", message: "The Mountpoint Pod runs but is not ready yet.", trouble: false };
  if (ordinary.has(pod.reason)) return { phase: "Pending", reason: pod.reason || "Starting", message: pod.message || "The Mountpoint Pod is starting.", trouble: false };
  return { phase: "Pending", ...said, trouble: true };
}

export function statusOf(attachment: MountpointS3PodAttachment, podOf: (name: string) => MountpointPod | undefined, now: number): AttachmentStatus {
  const time = new Date(now).toISOString();
  const mountpointPods: PodStatus[] = [];
  let worst: (PodReport & { readonly name: string }) | undefined;
  for (const [name, workloads] of Object.entries(attachment.spec.mountpointS3PodAttachments).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const report = reportOf(podOf(name));
    const before = attachment.status?.mountpointPods?.find((pod) => pod.name === name);
    const lastTransitionTime = before?.phase === report.phase ? before.lastTransitionTime : time;
    mountpointPods.push({ name, phase: report.phase, reason: report.reason, message: report.message, lastTransitionTime });
    if (workloads.length > 0 && report.phase !== "Ready" && (!worst || (report.trouble && !worst.trouble))) worst = { name, ...report };
  }
  const ready = worst
    ? { status: "False" as const, reason: worst.reason, message: `Mountpoint Pod ${worst.name}: ${worst.message || worst.reason}` }
    : { status: "True" as const, reason: "Serving", message: "Every Mountpoint Pod serves its workloads." };
  const before = attachment.status?.conditions?.find((condition) => condition.type === "Ready");
  const lastTransitionTime = before?.status === ready.status ? before.lastTransitionTime : time;
  const observedGeneration = attachment.metadata.generation ?? 0;
  return { observedGeneration, conditions: [{ type: "Ready", ...ready, observedGeneration, lastTransitionTime }], mountpointPods };
}

/** Generations and times alone are not worth a write: each workload that joins would cost one. */
export function isSameStatus(a: AttachmentStatus | undefined, b: AttachmentStatus): boolean {
  return a !== undefined && JSON.stringify(essence(a)) === JSON.stringify(essence(b));
}

function essence(status: AttachmentStatus) {
  return {
    conditions: status.conditions?.map(({ type, status: value, reason, message }) => [type, value, reason, message]),
    pods: status.mountpointPods?.map(({ name, phase, reason, message }) => [name, phase, reason, message]),
  };
}
