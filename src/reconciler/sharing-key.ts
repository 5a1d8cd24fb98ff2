// The five fields in which workloads must agree to share a Mountpoint Pod, and the names derived from them. A derived name makes
// two creators collide where random names would make two objects.
import type { MountpointS3PodAttachment } from "../kube/resources.ts";
import { attachmentPrefix, mountpointPodPrefix, sha224 } from "./names.ts";

export type SharingKey = Pick<
  MountpointS3PodAttachment["spec"],
  "nodeName" | "persistentVolumeName" | "volumeID" | "mountOptions" | "workloadFSGroup"
>;

export function keyOf(attachment: MountpointS3PodAttachment): SharingKey {
  const { nodeName, persistentVolumeName, volumeID, mountOptions, workloadFSGroup } = attachment.spec;
  return { nodeName, persistentVolumeName, volumeID, mountOptions, workloadFSGroup };
}

/** The key as one text, for queues and indexes. */
export function keyText(key: SharingKey): string {
  return JSON.stringify(fields(key));
}

/** Undefined when the text is no key: it may come from an annotation that anybody can edit. */
export function parseKeyText(text: string): SharingKey | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parsed) || parsed.length !== 5 || !parsed.every((field) => typeof field === "string")) return undefined;
  const [nodeName, persistentVolumeName, volumeID, mountOptions, workloadFSGroup] = parsed as [string, string, string, string, string];
  return { nodeName, persistentVolumeName, volumeID, mountOptions, workloadFSGroup };
}

export function attachmentName(key: SharingKey): string {
  return attachmentPrefix + sha224(...fields(key));
}

/** Generation 0 is the usual one; others serve where the one before may take nobody new but still serves. */
export function mountpointPodName(key: SharingKey, generation: number): string {
  return mountpointPodPrefix + sha224(...fields(key), String(generation));
}

function fields(key: SharingKey): string[] {
  return [key.nodeName, key.persistentVolumeName, key.volumeID, key.mountOptions, key.workloadFSGroup];
}
