// What to do about one sharing key, as a pure function of what was observed. Level-triggered: it does not matter what happened,
// only what is. Each plan is right when it is carried out whole, and harmless when it is cut off after any step.
import type { MountpointS3PodAttachment } from "../kube/resources.ts";
import type { MountpointPod } from "./observed-pods.ts";
import { mountpointPodName, type SharingKey } from "./sharing-key.ts";

export interface Observation {
  readonly key: SharingKey;
  /** With exactly this key; one in a healthy cluster. */
  readonly attachments: readonly MountpointS3PodAttachment[];
  /** By name: those the attachments name, and those made for this key. */
  readonly pods: ReadonlyMap<string, MountpointPod>;
  /** By uid: those listed in the attachments that are known, and those that want this key. */
  readonly workloads: ReadonlyMap<string, WorkloadState>;
  readonly now: number;
  readonly driverVersion: string;
  readonly staleThresholdMs: number;
  /** By pod name: a pod that is lost again and again is not made again at once. */
  readonly notBefore: ReadonlyMap<string, number>;
}

export interface WorkloadState {
  readonly life: "starting" | "running" | "ended";
  readonly terminating: boolean;
  /** One of its volumes has this key now; a listed workload whose volume was edited since has another. */
  readonly wants: boolean;
  /** It is attached to the same volume under another key, since then. */
  readonly elsewhereSince?: number;
  /** It is or was in an attachment, for whatever volume: so this driver mounts its volumes, and not the one of v1. */
  readonly attachedBefore: boolean;
}

export type Entries = MountpointS3PodAttachment["spec"]["mountpointS3PodAttachments"];
type Entry = Entries[string][number];

export type Action =
  | { readonly type: "createPod"; readonly name: string; readonly because: "new" | "lost"; readonly forUid: string }
  | { readonly type: "markUnmount"; readonly pod: MountpointPod }
  | { readonly type: "deletePod"; readonly pod: MountpointPod; readonly because: "ended" | "failed" | "unused" | "overdue" }
  | { readonly type: "createAttachment"; readonly entries: Entries }
  | { readonly type: "updateAttachment"; readonly attachment: MountpointS3PodAttachment; readonly entries: Entries }
  | { readonly type: "deleteAttachment"; readonly attachment: MountpointS3PodAttachment };

export interface Plan {
  readonly actions: readonly Action[];
  /** Look again then, though nothing may have changed. */
  readonly againMs?: number;
}

export function plan(seen: Observation): Plan {
  const [primary, ...duplicates] = oldestFirst(seen.attachments);
  const named = new Set(seen.attachments.flatMap((attachment) => Object.keys(attachment.spec.mountpointS3PodAttachments)));
  const entries = keptEntries(seen);
  const newcomers = findNewcomers(seen, entries);
  const pods: Action[] = [];
  let againMs: number | undefined;

  const target = newcomers.length > 0 ? chooseTarget(seen, entries) : undefined;
  if (target !== undefined) {
    const attachmentTime = new Date(seen.now).toISOString();
    entries.set(target, [...(entries.get(target) ?? []), ...newcomers.map((workloadPodUID) => ({ workloadPodUID, attachmentTime }))]);
  }
  for (const [name, list] of entries) {
    const pod = seen.pods.get(name);
    const served = list.find((entry) => isLive(seen, entry.workloadPodUID));
    if (pod) {
      if (!pod.terminating && hasEnded(pod)) pods.push({ type: "deletePod", pod, because: pod.phase === "Failed" ? "failed" : "ended" });
    } else if (served) {
      const waitMs = named.has(name) ? (seen.notBefore.get(name) ?? 0) - seen.now : 0;
      if (waitMs > 0) againMs = Math.min(againMs ?? waitMs, waitMs);
      else pods.push({ type: "createPod", name, because: named.has(name) ? "lost" : "new", forUid: served.workloadPodUID });
    }
  }
  for (const [name, pod] of seen.pods) {
    if (!entries.has(name)) pods.push(...retire(pod, seen, named.has(name)));
  }
  return { actions: [...pods, ...writeAttachments(primary, duplicates, entries)], ...(againMs === undefined ? {} : { againMs }) };
}

/** May it take one more workload? */
export function isSuitable(pod: MountpointPod, driverVersion: string): boolean {
  return !pod.terminating && !hasEnded(pod) && !pod.needsUnmount && !pod.noNewWorkload && pod.version === driverVersion;
}

function hasEnded(pod: MountpointPod): boolean {
  return pod.phase === "Succeeded" || pod.phase === "Failed";
}

function isLive(seen: Observation, uid: string): boolean {
  const workload = seen.workloads.get(uid);
  return workload !== undefined && workload.life !== "ended";
}

/** The entries of all attachments of the key that are still right, each workload once. */
function keptEntries(seen: Observation): Map<string, Entry[]> {
  const best = new Map<string, { readonly pod: string; readonly entry: Entry; readonly rank: string }>();
  for (const attachment of seen.attachments) {
    for (const [name, list] of Object.entries(attachment.spec.mountpointS3PodAttachments)) {
      for (const entry of list) {
        if (!isKept(seen, name, entry)) continue;
        const pod = seen.pods.get(name);
        // Listed twice: the entry whose pod serves, then the older one, for that is where the node service looked first.
        const rank = `${pod && !hasEnded(pod) && !pod.needsUnmount ? 0 : 1} ${entry.attachmentTime} ${name}`;
        const other = best.get(entry.workloadPodUID);
        if (!other || rank < other.rank) best.set(entry.workloadPodUID, { pod: name, entry, rank });
      }
    }
  }
  const kept = new Map<string, Entry[]>();
  for (const { pod, entry } of best.values()) kept.set(pod, [...(kept.get(pod) ?? []), entry]);
  return kept;
}

function isKept(seen: Observation, podName: string, entry: Entry): boolean {
  const workload = seen.workloads.get(entry.workloadPodUID);
  const attachedAt = Date.parse(entry.attachmentTime);
  // Unknown is not gone: our view of pods may be behind the attachment. After the threshold it is gone.
  if (!workload) return seen.now - attachedAt <= seen.staleThresholdMs;
  if (workload.life === "ended") return false;
  if (workload.elsewhereSince !== undefined && workload.elsewhereSince < attachedAt) return false;
  // It was not mounted yet, and its pod is about to unmount: it must go to another.
  return !(workload.life === "starting" && seen.pods.get(podName)?.needsUnmount);
}

function findNewcomers(seen: Observation, entries: ReadonlyMap<string, readonly Entry[]>): string[] {
  const listed = new Set([...entries.values()].flat().map((entry) => entry.workloadPodUID));
  const orphan = seen.attachments.length === 0 && [...seen.pods.values()].some((pod) => isSuitable(pod, seen.driverVersion));
  return [...seen.workloads]
    .filter(([uid, workload]) => {
      if (!workload.wants || workload.terminating || workload.elsewhereSince !== undefined || listed.has(uid)) return false;
      // Running without an attachment: mounted by systemd in the days of v1, and nothing is to be done; unless a pod of this
      // key stands there without an attachment, or the workload was seen in an attachment before: then this one got lost.
      return workload.life === "starting" || (workload.life === "running" && (orphan || workload.attachedBefore));
    })
    .map(([uid]) => uid)
    .sort();
}

/** Where newcomers go: a pod that serves, one about to serve, one that would be retired otherwise, or a new one. */
function chooseTarget(seen: Observation, entries: ReadonlyMap<string, readonly Entry[]>): string {
  for (const name of [...entries.keys()].sort()) {
    const pod = seen.pods.get(name);
    const comesBack = (!pod || hasEnded(pod)) && entries.get(name)?.some((entry) => isLive(seen, entry.workloadPodUID));
    if (comesBack || (pod && isSuitable(pod, seen.driverVersion))) return name;
  }
  for (const name of [...seen.pods.keys()].sort()) {
    const pod = seen.pods.get(name);
    if (pod && isSuitable(pod, seen.driverVersion)) return name;
  }
  for (let generation = 0; ; generation += 1) {
    const name = mountpointPodName(seen.key, generation);
    if (!seen.pods.has(name) && !entries.has(name)) return name;
  }
}

/** A pod that nobody is attached to. One that no attachment names may be so new that its attachment is still on its way to us. */
function retire(pod: MountpointPod, seen: Observation, named: boolean): Action[] {
  if (pod.terminating) return [];
  if (hasEnded(pod)) return [{ type: "deletePod", pod, because: pod.phase === "Failed" ? "failed" : "ended" }];
  if (!named && !pod.needsUnmount && seen.now - pod.createdAt <= seen.staleThresholdMs) return [];
  if (!pod.started && pod.phase === "Pending") return [{ type: "deletePod", pod, because: "unused" }];
  if (!pod.needsUnmount) return [{ type: "markUnmount", pod }];
  if (seen.now - pod.needsUnmountSince > seen.staleThresholdMs) return [{ type: "deletePod", pod, because: "overdue" }];
  return [];
}

function writeAttachments(
  primary: MountpointS3PodAttachment | undefined,
  duplicates: readonly MountpointS3PodAttachment[],
  entries: ReadonlyMap<string, readonly Entry[]>,
): Action[] {
  const wanted = sorted(Object.fromEntries([...entries].map(([name, list]) => [name, [...list]])));
  const remove = (attachment: MountpointS3PodAttachment): Action => ({ type: "deleteAttachment", attachment });
  if (entries.size === 0) return [...(primary ? [primary] : []), ...duplicates].map(remove);
  if (!primary) return [{ type: "createAttachment", entries: wanted }];
  const same = JSON.stringify(sorted(primary.spec.mountpointS3PodAttachments)) === JSON.stringify(wanted);
  // First everything stands in the one that stays, then the others go.
  return [...(same ? [] : [{ type: "updateAttachment", attachment: primary, entries: wanted } as const]), ...duplicates.map(remove)];
}

function oldestFirst(attachments: readonly MountpointS3PodAttachment[]): MountpointS3PodAttachment[] {
  const rank = (attachment: MountpointS3PodAttachment) => `${attachment.metadata.creationTimestamp} ${attachment.metadata.name}`;
  return attachments.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

function sorted(entries: Entries): Entries {
  const pairs = Object.entries(entries).map(([name, list]) => [name, list.toSorted((a, b) => (a.workloadPodUID < b.workloadPodUID ? -1 : 1))] as const);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}
