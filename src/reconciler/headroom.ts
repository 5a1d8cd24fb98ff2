// Headroom: a workload with the scheduling gate gets a placeholder pod per volume, tied to it by affinity and as large as the
// Mountpoint Pod to come, and only then its gate is opened. So the scheduler, or the autoscaler, finds room for both; the
// Mountpoint Pod, of a higher priority, takes the placeholder's place.
import type { ReconcilerSettings } from "../../generated/settings/reconciler.ts";
import { DriverError, hasCode } from "../core/errors.ts";
import { type Pod, pods } from "../kube/resources.ts";
import type { ReconcileContext, ReconcileResult } from "../runtime/runner.ts";
import type { Applier } from "./apply.ts";
import { headroomGate, headroomPodPrefix, labels, labelValue, sha224 } from "./names.ts";
import type { HeadroomPod, Workload } from "./observed-pods.ts";
import type { Volume } from "./observed-volumes.ts";
import { containerResources } from "./pod-volume-options.ts";

export async function reconcileHeadroom(applier: Applier, settings: ReconcilerSettings, uid: string, context: ReconcileContext): Promise<ReconcileResult> {
  const { view } = applier;
  const workload = view.workload(uid);
  const placeholders = view.pods.store.by("headroom", uid).filter((pod) => pod.role === "headroom");
  if (!workload || isServed(applier, workload)) {
    for (const pod of placeholders) await removePlaceholder(applier, pod, context);
    // Until its Mountpoint Pods have a node, the placeholders keep the room.
    return {};
  }
  if (workload.gated) {
    for (const { volume } of view.wantedVolumes(workload)) await createPlaceholder(applier, settings, workload, volume, context);
    await openGate(applier, workload, context);
  }
  return workload.nodeName === "" ? {} : { againMs: 1_000 };
}

/** Ended, or scheduled and all its Mountpoint Pods scheduled too. */
function isServed({ view }: Applier, workload: Workload): boolean {
  if (workload.phase !== "Pending") return true;
  if (workload.nodeName === "") return false;
  const serving = view.attachments.store.by("uid", workload.metadata.uid);
  const names = serving.flatMap((attachment) =>
    Object.entries(attachment.spec.mountpointS3PodAttachments)
      .filter(([, list]) => list.some((entry) => entry.workloadPodUID === workload.metadata.uid))
      .map(([name]) => name),
  );
  return names.length >= view.wantedVolumes(workload).length && names.every((name) => view.mountpointPod(name)?.nodeName !== "");
}

async function createPlaceholder(applier: Applier, settings: ReconcilerSettings, workload: Workload, volume: Volume, { signal }: ReconcileContext): Promise<void> {
  assertLeading(applier);
  try {
    applier.view.pods.wrote(await applier.client.create(pods, headroomPod(settings, workload, volume, applier.openShift), { signal }));
  } catch (error) {
    if (!hasCode(error, "AlreadyExists")) throw error;
  }
}

async function openGate(applier: Applier, workload: Workload, { signal }: ReconcileContext): Promise<void> {
  assertLeading(applier);
  const { name, namespace, uid } = workload.metadata;
  const pod = await applier.client.get(pods, { name, namespace }, { signal });
  if (pod.metadata?.uid !== uid) return;
  const schedulingGates = pod.spec?.schedulingGates?.filter((gate) => gate.name !== headroomGate) ?? [];
  const metadata = { uid, resourceVersion: pod.metadata.resourceVersion, labels: { [labels.headroomForWorkload]: uid } };
  applier.view.pods.wrote(await applier.client.patch(pods, { name, namespace }, { metadata, spec: { schedulingGates } }, { signal }));
}

async function removePlaceholder(applier: Applier, pod: HeadroomPod, { signal }: ReconcileContext): Promise<void> {
  if (pod.terminating) return;
  assertLeading(applier);
  const { name, namespace, uid } = pod.metadata;
  try {
    await applier.client.delete(pods, { name, namespace }, { uid, signal });
  } catch (error) {
    if (!hasCode(error, "NotFound")) throw error;
  }
}

function headroomPod(settings: ReconcilerSettings, workload: Workload, volume: Volume, openShift: boolean): Pod {
  const { uid, namespace } = workload.metadata;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: headroomPodPrefix + sha224(uid, volume.metadata.name),
      namespace: settings.mountpointNamespace,
      labels: { [labels.headroomForPod]: uid, [labels.headroomForVolume]: labelValue(volume.metadata.name) },
    },
    spec: {
      priorityClassName: settings.mountpointHeadroomPriorityClassName,
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      tolerations: [{ operator: "Exists" }],
      imagePullSecrets: settings.mountpointImagePullSecrets.map((name) => ({ name })),
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              labelSelector: { matchLabels: { [labels.headroomForWorkload]: uid } },
              namespaces: [namespace],
              topologyKey: "kubernetes.io/hostname",
            },
          ],
        },
      },
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" }, ...(openShift ? {} : { runAsUser: 65_535 }) },
      containers: [
        {
          name: "headroom",
          image: settings.headroomImage,
          resources: containerResources(settings, volume.attributes),
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, readOnlyRootFilesystem: true },
        },
      ],
    },
  };
}

function assertLeading(applier: Applier): void {
  if (!applier.leading()) throw new DriverError("Cancelled", "another reconciler leads now");
}
