// Everything the plan for one key depends on, taken from the informers' stores at one moment.
import type { MountpointS3PodAttachment } from "../kube/resources.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { MountpointPod, Workload } from "./observed-pods.ts";
import type { Observation, WorkloadState } from "./plan.ts";
import { keyOf, keyText, type SharingKey } from "./sharing-key.ts";

export type ObserveOptions = Pick<Observation, "driverVersion" | "staleThresholdMs" | "now" | "notBefore">;

export function observe(view: ClusterView, key: SharingKey, options: ObserveOptions): Observation {
  const text = keyText(key);
  const attachments = view.attachments.store.by("key", text);
  const pods = new Map<string, MountpointPod>();
  for (const pod of view.pods.store.by("key", text)) if (pod.role === "mountpoint") pods.set(pod.metadata.name, pod);
  const workloads = new Map<string, WorkloadState>();
  for (const attachment of attachments) {
    for (const [name, list] of Object.entries(attachment.spec.mountpointS3PodAttachments)) {
      const pod = view.mountpointPod(name);
      if (pod) pods.set(name, pod);
      for (const { workloadPodUID: uid } of list) {
        const workload = view.workload(uid);
        if (workload) workloads.set(uid, stateOf(view, workload, key, false));
        else if (view.gone.has(uid)) workloads.set(uid, goneState);
      }
    }
  }
  for (const workload of view.workloadsOnNode(key.persistentVolumeName, key.nodeName)) {
    const wants = view.wantedVolumes(workload).some((wanted) => keyText(wanted.key) === text);
    if (wants) workloads.set(workload.metadata.uid, stateOf(view, workload, key, true));
  }
  return { key, attachments, pods, workloads, ...options };
}

const goneState: WorkloadState = { life: "ended", terminating: true, wants: false, attachedBefore: false };

function stateOf(view: ClusterView, workload: Workload, key: SharingKey, wants: boolean): WorkloadState {
  const listing = view.attachments.store.by("uid", workload.metadata.uid);
  const elsewhereSince = oldestElsewhere(listing, workload.metadata.uid, key);
  return {
    life: lifeOf(workload.phase),
    terminating: workload.terminating,
    wants,
    attachedBefore: view.everAttached.has(workload.metadata.uid),
    ...(elsewhereSince === undefined ? {} : { elsewhereSince }),
  };
}

/** Unknown is what a pod becomes when its node is silent: its containers may well be running. */
function lifeOf(phase: string): WorkloadState["life"] {
  if (phase === "Succeeded" || phase === "Failed") return "ended";
  return phase === "Pending" ? "starting" : "running";
}

function oldestElsewhere(listing: readonly MountpointS3PodAttachment[], uid: string, key: SharingKey): number | undefined {
  const times = listing
    .filter((attachment) => attachment.spec.nodeName === key.nodeName && attachment.spec.persistentVolumeName === key.persistentVolumeName)
    .filter((attachment) => keyText(keyOf(attachment)) !== keyText(key))
    .flatMap((attachment) => Object.values(attachment.spec.mountpointS3PodAttachments).flat())
    .filter((entry) => entry.workloadPodUID === uid)
    .map((entry) => Date.parse(entry.attachmentTime));
  return times.length === 0 ? undefined : Math.min(...times);
}
