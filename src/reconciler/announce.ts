// Telling people: the attachment's status, and events on the workloads that wait.
import { explain, hasCode } from "../core/errors.ts";
import type { EventSubject } from "../kube/event-recorder.ts";
import { attachments, type MountpointS3PodAttachment } from "../kube/resources.ts";
import type { ReconcileContext } from "../runtime/runner.ts";
import type { Applier } from "./apply.ts";
import type { MountpointPod, Workload } from "./observed-pods.ts";
import type { SharingKey } from "./sharing-key.ts";
import { isSameStatus, reportOf, statusOf } from "./status.ts";

/** A pod that merely starts is not worth a status: in most cases the next thing to say is that it serves. */
const settleMs = 5_000;
/** After this long even an ordinary start deserves a word on the workload. */
const patienceMs = 30_000;

/** Writes the status where it differs, and events where workloads wait for a reason. Returns when to look again, if at all. */
export async function announce(applier: Applier, attachment: MountpointS3PodAttachment, { signal }: ReconcileContext): Promise<number | undefined> {
  const { client, view, now } = applier;
  const podOf = (name: string) => view.mountpointPod(name);
  let againMs: number | undefined;
  const later = (ms: number) => {
    againMs = Math.min(againMs ?? ms, ms);
  };
  let settled = true;
  for (const [name, workloads] of Object.entries(attachment.spec.mountpointS3PodAttachments)) {
    const pod = podOf(name);
    const report = reportOf(pod);
    if (report.phase === "Ready" || report.phase === "Unmounting") continue;
    const age = now() - (pod?.createdAt ?? 0);
    if (!report.trouble && age < settleMs) {
      settled = false;
      later(settleMs - age);
    } else if (!report.trouble && age < patienceMs) later(patienceMs - age);
    else for (const { workloadPodUID } of workloads) await announceWait(applier, view.workload(workloadPodUID), name, report);
  }
  const status = statusOf(attachment, podOf, now());
  if (isSameStatus(attachment.status, status) || !settled) return againMs;
  const { name, uid } = attachment.metadata;
  const body = { apiVersion: attachment.apiVersion, kind: attachment.kind, metadata: { name, uid }, status } as MountpointS3PodAttachment;
  try {
    view.attachments.wrote(await client.apply(attachments, body, { subresource: "status", fieldManager: "s3-pod-reconciler", signal }));
  } catch (error) {
    if (!hasCode(error, "NotFound", "Conflict")) throw error; // gone meanwhile: nobody to tell
  }
  return againMs;
}

const aboutImages = "; check the chart's image.repository, image.tag and imagePullSecrets, whose Secrets must be in the Mountpoint Pod's namespace too";
/** What helps, where the reason alone does not tell. */
const advice: ReadonlyMap<string, string> = new Map(["ErrImagePull", "ImagePullBackOff", "InvalidImageName"].map((reason) => [reason, aboutImages]));

async function announceWait(applier: Applier, workload: Workload | undefined, podName: string, report: ReturnType<typeof reportOf>): Promise<void> {
  if (workload?.phase !== "Pending") return;
  const cause = report.message ? `${report.reason}: ${report.message}` : report.reason;
  await applier.recorder.record(subjectOf(workload), {
    type: "Warning",
    reason: "MountpointPodNotReady",
    message: `The volume waits for Mountpoint Pod ${applier.settings.mountpointNamespace}/${podName}: ${cause}${advice.get(report.reason) ?? ""}`.slice(0, 1_000),
  });
}

/** A pod that ended under its workloads: they should read why before it is gone. */
export async function announceReplacement(applier: Applier, pod: MountpointPod): Promise<void> {
  const report = reportOf(pod);
  const listed = applier.view.attachments.store.by("pod", pod.metadata.name);
  for (const { workloadPodUID } of listed.flatMap((attachment) => attachment.spec.mountpointS3PodAttachments[pod.metadata.name] ?? [])) {
    const workload = applier.view.workload(workloadPodUID);
    if (!workload || workload.phase === "Succeeded" || workload.phase === "Failed") continue;
    await applier.recorder.record(subjectOf(workload), {
      type: "Warning",
      reason: "MountpointPodReplaced",
      message: `Mountpoint Pod ${pod.metadata.namespace}/${pod.metadata.name} is replaced: ${report.reason}: ${report.message}`.slice(0, 1_000),
    });
  }
}

/** The API server does not want the Mountpoint Pod: a quota, a policy, a wrong attribute of the volume. */
export async function announceRefusal(applier: Applier, key: SharingKey, workloadUid: string, error: unknown): Promise<void> {
  if (!hasCode(error, "InvalidArgument", "AccessDenied", "NotFound")) return;
  const workload = applier.view.workload(workloadUid);
  if (!workload) return;
  await applier.recorder.record(subjectOf(workload), {
    type: "Warning",
    reason: "MountpointPodRefused",
    message: `No Mountpoint Pod for volume ${key.persistentVolumeName} could be created: ${explain(error)}`.slice(0, 1_000),
  });
}

export function subjectOf(workload: Workload): EventSubject {
  const { name, namespace, uid } = workload.metadata;
  return { apiVersion: "v1", kind: "Pod", name, namespace, uid };
}
