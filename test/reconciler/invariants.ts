// What must hold of a cluster at rest. Each fault is a sentence; none means that all is well.
import type { KubeClient } from "../../src/kube/client.ts";
import { attachments, type Pod, persistentVolumeClaims, persistentVolumes, pods } from "../../src/kube/resources.ts";
import { keyOf, keyText } from "../../src/reconciler/sharing-key.ts";
import { mountNamespace } from "./scene.ts";

const note = (pod: Pod, name: string) => pod.metadata?.annotations?.[`s3.csi.scality.com/${name}`] === "true";

/** @param wasLost whether a Mountpoint Pod of this name was ever deleted */
export async function findFaults(client: KubeClient, wasLost: (podName: string) => boolean): Promise<string[]> {
  const faults: string[] = [];
  const [allPods, allAttachments, claims, volumes] = await Promise.all([
    client.list(pods),
    client.list(attachments),
    client.list(persistentVolumeClaims),
    client.list(persistentVolumes),
  ]);
  const mountpoints = new Map(allPods.items.filter((pod) => pod.metadata?.namespace === mountNamespace).map((pod) => [pod.metadata?.name ?? "", pod]));
  const workloads = allPods.items.filter((pod) => pod.metadata?.namespace !== mountNamespace);
  const byUid = new Map(workloads.map((pod) => [pod.metadata?.uid ?? "", pod]));
  const ours = new Set(volumes.items.filter((volume) => volume.spec?.csi?.driver === "s3.csi.scality.com").map((volume) => volume.metadata?.name));
  const volumeOf = new Map(claims.items.map((claim) => [`${claim.metadata?.namespace}/${claim.metadata?.name}`, claim.spec?.volumeName ?? ""]));

  const keys = new Set<string>();
  const namedBy = new Map<string, number>();
  const listings = new Map<string, number>();
  for (const attachment of allAttachments.items) {
    const { name } = attachment.metadata;
    const key = keyText(keyOf(attachment));
    if (keys.has(key)) faults.push(`two attachments for ${key}`);
    keys.add(key);
    const entries = Object.entries(attachment.spec.mountpointS3PodAttachments);
    if (entries.length === 0) faults.push(`attachment ${name} is empty`);
    let steady = 0;
    for (const [podName, list] of entries) {
      namedBy.set(podName, (namedBy.get(podName) ?? 0) + 1);
      const pod = mountpoints.get(podName);
      if (list.length === 0) faults.push(`attachment ${name} keeps ${podName} for nobody`);
      if (!pod) faults.push(`attachment ${name} names ${podName}, which does not exist`);
      else if (pod.status?.phase !== "Running" || pod.metadata?.deletionTimestamp || note(pod, "needs-unmount")) faults.push(`Mountpoint Pod ${podName} does not serve: ${pod.status?.phase}`);
      // Who comes while a pod is being deleted gets another one, and its own workloads have it made again: then there are rightly two.
      else if (!note(pod, "no-new-workload") && !wasLost(podName)) steady += 1;
      for (const { workloadPodUID: uid } of list) {
        const workload = byUid.get(uid);
        const volume = `${uid} ${attachment.spec.persistentVolumeName}`;
        listings.set(volume, (listings.get(volume) ?? 0) + 1);
        if (!workload) faults.push(`attachment ${name} lists ${uid}, which is gone`);
        else if (isEnded(workload)) faults.push(`attachment ${name} lists ${workload.metadata?.name}, which has ended`);
      }
    }
    if (steady > 1) faults.push(`attachment ${name} has ${steady} Mountpoint Pods where one would do`);
  }
  for (const [name, pod] of mountpoints) {
    if (namedBy.get(name) !== 1) faults.push(`Mountpoint Pod ${name} (${pod.status?.phase}, unmount ${note(pod, "needs-unmount")}) is named by ${namedBy.get(name) ?? 0} attachments`);
  }
  for (const workload of workloads) {
    if (isEnded(workload) || !workload.spec?.nodeName || workload.metadata?.deletionTimestamp) continue;
    for (const volume of workload.spec.volumes ?? []) {
      const name = volumeOf.get(`${workload.metadata?.namespace}/${volume.persistentVolumeClaim?.claimName ?? `${workload.metadata?.name}-${volume.name}`}`);
      if (!name || !ours.has(name)) continue;
      const count = listings.get(`${workload.metadata?.uid} ${name}`) ?? 0;
      if (count !== 1) faults.push(`workload ${workload.metadata?.name} (${workload.status?.phase}) is listed ${count} times for volume ${name}`);
      else if (workload.status?.phase !== "Running") faults.push(`workload ${workload.metadata?.name} is attached but stuck ${workload.status?.phase}`);
    }
  }
  return faults;
}

function isEnded(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}
