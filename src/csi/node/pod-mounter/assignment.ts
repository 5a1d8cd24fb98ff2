// Which Mountpoint Pod serves a workload: the reconciler writes it into a MountpointS3PodAttachment, the node service waits for it.
import type { MountpointS3PodAttachment } from "../../../kube/resources.ts";
import { reconcilerLogs } from "../../names.ts";
import type { Volume } from "../mounter.ts";

export interface Assignment {
  readonly mountpointPod: string;
}

/** Undefined as long as no attachment names this workload. */
export function findAssignment(attachments: Iterable<MountpointS3PodAttachment>, nodeName: string, volume: Volume): Assignment | undefined {
  for (const attachment of attachments) {
    if (!concerns(attachment, nodeName, volume)) continue;
    for (const [mountpointPod, workloads] of Object.entries(attachment.spec.mountpointS3PodAttachments)) {
      if (workloads.some(({ workloadPodUID }) => workloadPodUID === volume.podUid)) return { mountpointPod };
    }
  }
  return undefined;
}

/** What to say when the wait was in vain. */
export function whyNotAssigned(attachments: Iterable<MountpointS3PodAttachment>, nodeName: string, volume: Volume): string {
  for (const attachment of attachments) {
    if (!concerns(attachment, nodeName, volume)) continue;
    const ready = attachment.status?.conditions?.find((condition) => condition.type === "Ready");
    if (ready && ready.status !== "True") return `attachment ${attachment.metadata?.name}: ${ready.reason}: ${ready.message}`;
  }
  return `no MountpointS3PodAttachment assigns a Mountpoint Pod to workload ${volume.podUid}; the Pod Reconciler makes it: ${reconcilerLogs}`;
}

function concerns({ spec }: MountpointS3PodAttachment, nodeName: string, volume: Volume): boolean {
  const sameGroup = volume.fsGroup === "" || spec.workloadFSGroup === volume.fsGroup;
  return spec.nodeName === nodeName && spec.persistentVolumeName === volume.volumeName && spec.volumeID === volume.volumeId && sameGroup;
}
