// Carries a plan out, one write after the other, each with a precondition: whoever planned from an old view is refused.
import { DriverError, hasCode } from "../core/errors.ts";
import type { KubeClient } from "../kube/client.ts";
import type { EventRecorder } from "../kube/event-recorder.ts";
import { attachments, type MountpointS3PodAttachment, pods } from "../kube/resources.ts";
import type { ReconcileContext } from "../runtime/runner.ts";
import type { ClusterView } from "./cluster-view.ts";
import { announceRefusal, announceReplacement } from "./announce.ts";
import { annotations, labels } from "./names.ts";
import { type MountpointPod, slimPod } from "./observed-pods.ts";
import { type Action, type Entries, isSuitable } from "./plan.ts";
import type { PodLosses } from "./pod-losses.ts";
import { mountpointPod, type PodSpecSettings } from "./pod-spec.ts";
import { attachmentName, type SharingKey } from "./sharing-key.ts";

export interface Applier {
  readonly client: KubeClient;
  readonly view: ClusterView;
  readonly recorder: EventRecorder;
  readonly losses: PodLosses;
  readonly settings: PodSpecSettings;
  readonly driverVersion: string;
  readonly openShift: boolean;
  readonly now: () => number;
  /** Asked before each write. */
  readonly leading: () => boolean;
}

export async function apply(applier: Applier, key: SharingKey, actions: readonly Action[], context: ReconcileContext): Promise<void> {
  for (const action of actions) {
    if (!applier.leading()) throw new DriverError("Cancelled", "another reconciler leads now");
    context.log.info("acts", describe(action));
    await perform(applier, key, action, context);
  }
}

async function perform(applier: Applier, key: SharingKey, action: Action, context: ReconcileContext): Promise<void> {
  switch (action.type) {
    case "createPod":
      return createPod(applier, key, action, context);
    case "markUnmount":
      return markUnmount(applier, action.pod, context);
    case "deletePod":
      return deletePod(applier, action, context);
    case "createAttachment":
      return createAttachment(applier, key, action.entries, context);
    case "updateAttachment":
      return updateAttachment(applier, action, context);
    case "deleteAttachment":
      return deleteAttachment(applier, action.attachment, context);
  }
}

async function createPod(applier: Applier, key: SharingKey, action: Extract<Action, { type: "createPod" }>, { signal }: ReconcileContext): Promise<void> {
  const { client, view, settings, driverVersion, openShift } = applier;
  const volume = view.volumes.store.get(key.persistentVolumeName);
  const headroom = view.pods.store.by("headroom", action.forUid).length > 0;
  const request = { name: action.name, key, volume, workloadUid: action.forUid, driverVersion, openShift, headroom };
  try {
    view.pods.wrote(await client.create(pods, mountpointPod(settings, request), { signal }));
    if (action.because === "lost") applier.losses.replaced(action.name, applier.now());
  } catch (error) {
    if (!hasCode(error, "AlreadyExists")) {
      await announceRefusal(applier, key, action.forUid, error);
      throw error;
    }
    // Made before by ourselves or by the leader before us, and not in our view yet. The name is derived: it is the one we want.
    const found = await client.get(pods, { name: action.name, namespace: settings.mountpointNamespace }, { signal });
    view.pods.wrote(found);
    const pod = slimPod(found, settings.mountpointNamespace);
    if (action.because === "new" && !(pod?.role === "mountpoint" && isSuitable(pod, driverVersion))) {
      throw new DriverError("Conflict", `Mountpoint Pod ${action.name} exists but can take no workload`, { retryable: true });
    }
  }
}

async function markUnmount({ client, view, now }: Applier, pod: MountpointPod, { signal }: ReconcileContext): Promise<void> {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  const notes = { [annotations.needsUnmount]: "true", [annotations.needsUnmountSince]: new Date(now()).toISOString() };
  try {
    view.pods.wrote(await client.patch(pods, { name, namespace }, { metadata: { uid, resourceVersion, annotations: notes } }, { signal }));
  } catch (error) {
    if (!hasCode(error, "NotFound")) throw error;
  }
}

async function deletePod(applier: Applier, action: Extract<Action, { type: "deletePod" }>, { signal }: ReconcileContext): Promise<void> {
  const { name, namespace, uid, resourceVersion } = action.pod.metadata;
  if (action.because === "failed" || action.because === "ended") await announceReplacement(applier, action.pod);
  // One that never ran may start this very moment: then the version differs, and the next plan is another.
  const precondition = action.because === "unused" ? { uid, resourceVersion } : { uid };
  try {
    await applier.client.delete(pods, { name, namespace }, { ...precondition, signal });
  } catch (error) {
    if (!hasCode(error, "NotFound")) throw error;
  }
}

async function createAttachment({ client, view, driverVersion }: Applier, key: SharingKey, entries: Entries, { signal }: ReconcileContext): Promise<void> {
  const made = await client.create(
    attachments,
    {
      apiVersion: "s3.csi.scality.com/v2",
      kind: "MountpointS3PodAttachment",
      metadata: { name: attachmentName(key), labels: { [labels.driverVersion]: driverVersion } },
      spec: { ...key, mountpointS3PodAttachments: entries },
    },
    { signal },
  );
  view.attachments.wrote(made);
}

async function updateAttachment({ client, view }: Applier, action: Extract<Action, { type: "updateAttachment" }>, { signal }: ReconcileContext): Promise<void> {
  const { name = "", uid, resourceVersion } = action.attachment.metadata;
  const before = action.attachment.spec.mountpointS3PodAttachments;
  const removed = Object.fromEntries(Object.keys(before).filter((pod) => !(pod in action.entries)).map((pod) => [pod, null]));
  const patch = { metadata: { uid, resourceVersion }, spec: { mountpointS3PodAttachments: { ...removed, ...action.entries } } };
  view.attachments.wrote(await client.patch(attachments, { name }, patch, { signal }));
}

async function deleteAttachment({ client, view }: Applier, attachment: MountpointS3PodAttachment, { signal }: ReconcileContext): Promise<void> {
  const { name = "", uid, resourceVersion } = attachment.metadata;
  try {
    await client.delete(attachments, { name }, { uid, resourceVersion, signal });
  } catch (error) {
    if (!hasCode(error, "NotFound")) throw error;
  }
  view.attachments.removed(name, uid);
}

function describe(action: Action): Record<string, unknown> {
  switch (action.type) {
    case "createPod":
      return { action: action.type, pod: action.name, because: action.because };
    case "markUnmount":
      return { action: action.type, pod: action.pod.metadata.name };
    case "deletePod":
      return { action: action.type, pod: action.pod.metadata.name, because: action.because };
    case "createAttachment":
      return { action: action.type, entries: action.entries };
    case "updateAttachment":
      return { action: action.type, attachment: action.attachment.metadata.name, entries: action.entries };
    case "deleteAttachment":
      return { action: action.type, attachment: action.attachment.metadata.name };
  }
}
