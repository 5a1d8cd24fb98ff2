// What is kept of a pod: of workloads who they are, where they run and which claims they use; of Mountpoint Pods how they fare.
// Pods without claims, in most clusters nearly all of them, leave nothing behind.
import type { KubeObject, ObjectMeta } from "../kube/resource.ts";
import type { Pod } from "../kube/resources.ts";
import { annotations, headroomGate, headroomPodPrefix, labels, mountpointPodPrefix } from "./names.ts";

export type SlimMeta = Required<Pick<ObjectMeta, "name" | "uid" | "resourceVersion">> & Pick<ObjectMeta, "namespace">;

export interface Workload extends KubeObject {
  readonly role: "workload";
  readonly metadata: SlimMeta & { readonly namespace: string };
  /** Empty until it is scheduled. */
  readonly nodeName: string;
  readonly fsGroup: string;
  readonly claims: readonly Claim[];
  readonly phase: string;
  readonly terminating: boolean;
  /** Waits for headroom. */
  readonly gated: boolean;
}

export interface Claim {
  readonly name: string;
  /** Made for this pod by a generic ephemeral volume. */
  readonly ephemeral: boolean;
}

export interface MountpointPod extends KubeObject {
  readonly role: "mountpoint";
  readonly metadata: SlimMeta & { readonly namespace: string };
  readonly createdAt: number;
  readonly nodeName: string;
  readonly phase: string;
  readonly terminating: boolean;
  /** A container of it has run, now or before. */
  readonly started: boolean;
  readonly ready: boolean;
  /** What holds it up, as Kubernetes says it. */
  readonly reason: string;
  readonly message: string;
  readonly version: string;
  readonly needsUnmount: boolean;
  readonly needsUnmountSince: number;
  readonly noNewWorkload: boolean;
  /** Empty on pods that the driver before this one made. */
  readonly sharingKey: string;
}

export interface HeadroomPod extends KubeObject {
  readonly role: "headroom";
  readonly metadata: SlimMeta & { readonly namespace: string };
  readonly workloadUid: string;
  readonly terminating: boolean;
}

export type ObservedPod = Workload | MountpointPod | HeadroomPod;

export function slimPod(pod: Pod, mountpointNamespace: string): ObservedPod | undefined {
  if (pod.metadata?.namespace === mountpointNamespace) {
    if (pod.metadata.name?.startsWith(mountpointPodPrefix)) return slimMountpointPod(pod);
    if (pod.metadata.name?.startsWith(headroomPodPrefix)) return slimHeadroomPod(pod);
    return undefined;
  }
  return slimWorkload(pod);
}

/** Whether anything that a plan depends on differs. Most updates of a pod are heartbeats of its status. */
export function sameForPlanning(a: ObservedPod, b: ObservedPod): boolean {
  return a.metadata.uid === b.metadata.uid && JSON.stringify({ ...a, metadata: 0 }) === JSON.stringify({ ...b, metadata: 0 });
}

function slimWorkload(pod: Pod): Workload | undefined {
  const claims: Claim[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    if (volume.persistentVolumeClaim) claims.push({ name: volume.persistentVolumeClaim.claimName, ephemeral: false });
    else if (volume.ephemeral) claims.push({ name: `${pod.metadata?.name}-${volume.name}`, ephemeral: true });
  }
  if (claims.length === 0) return undefined;
  return {
    role: "workload",
    metadata: slimMeta(pod),
    nodeName: pod.spec?.nodeName ?? "",
    fsGroup: pod.spec?.securityContext?.fsGroup?.toString() ?? "",
    claims,
    phase: pod.status?.phase ?? "Pending",
    terminating: pod.metadata?.deletionTimestamp !== undefined,
    gated: pod.spec?.schedulingGates?.some((gate) => gate.name === headroomGate) ?? false,
  };
}

function slimMountpointPod(pod: Pod): MountpointPod {
  const notes = pod.metadata?.annotations ?? {};
  const createdAt = Date.parse(pod.metadata?.creationTimestamp ?? "") || 0;
  const container = pod.status?.containerStatuses?.[0];
  return {
    role: "mountpoint",
    metadata: slimMeta(pod),
    createdAt,
    nodeName: pod.spec?.nodeName ?? "",
    phase: pod.status?.phase ?? "Pending",
    terminating: pod.metadata?.deletionTimestamp !== undefined,
    started: container?.state?.running !== undefined || container?.state?.terminated !== undefined || (container?.restartCount ?? 0) > 0,
    ready: pod.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false,
    ...holdUp(pod),
    version: pod.metadata?.labels?.[labels.driverVersion] ?? "",
    needsUnmount: notes[annotations.needsUnmount] === "true",
    needsUnmountSince: Date.parse(notes[annotations.needsUnmountSince] ?? "") || createdAt,
    noNewWorkload: notes[annotations.noNewWorkload] === "true",
    sharingKey: notes[annotations.sharingKey] ?? "",
  };
}

/** The most telling of what a pod's status says; empty when it says nothing bad. */
function holdUp(pod: Pod): { reason: string; message: string } {
  if (pod.status?.reason) return { reason: pod.status.reason, message: pod.status.message ?? "" };
  for (const container of [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]) {
    const waiting = container.state?.waiting;
    // The back-off alone says nothing: why the container ended does.
    const ended = container.state?.terminated ?? container.lastState?.terminated;
    const why = ended && ended.exitCode !== 0 ? `: ${ended.message?.trim() || `${ended.reason ?? "Error"}, exit code ${ended.exitCode}`}` : "";
    if (waiting?.reason) return { reason: waiting.reason, message: `${waiting.message ?? ""}${why}` };
    if (ended && container.state?.terminated && ended.exitCode !== 0) return { reason: ended.reason ?? "Error", message: why.slice(2) };
  }
  const scheduled = pod.status?.conditions?.find((condition) => condition.type === "PodScheduled" && condition.status === "False");
  return { reason: scheduled?.reason ?? "", message: scheduled?.message ?? "" };
}

function slimHeadroomPod(pod: Pod): HeadroomPod {
  return {
    role: "headroom",
    metadata: slimMeta(pod),
    workloadUid: pod.metadata?.labels?.[labels.headroomForPod] ?? "",
    terminating: pod.metadata?.deletionTimestamp !== undefined,
  };
}

function slimMeta(pod: Pod): SlimMeta & { namespace: string } {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = pod.metadata ?? {};
  return { name, namespace, uid, resourceVersion };
}
