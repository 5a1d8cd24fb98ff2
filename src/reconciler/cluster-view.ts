// The four informers, and what they know together: which workload wants which sharing key, and which keys a change concerns.
import type { Logger } from "../core/log.ts";
import type { KubeClient } from "../kube/client.ts";
import { type Change, Informer, withoutManagedFields } from "../kube/informer.ts";
import {
  attachments,
  type MountpointS3PodAttachment,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from "../kube/resources.ts";
import { GoneWorkloads } from "./gone-workloads.ts";
import { type MountpointPod, type ObservedPod, sameForPlanning, slimPod, type Workload } from "./observed-pods.ts";
import { type BoundClaim, slimClaim, slimVolume, type Volume } from "./observed-volumes.ts";
import { keyOf, keyText, parseKeyText, type SharingKey } from "./sharing-key.ts";

export interface ClusterViewOptions {
  readonly client: KubeClient;
  readonly log: Logger;
  readonly mountpointNamespace: string;
  readonly staleThresholdMs: number;
  readonly now: () => number;
}

/** A volume of a workload that is ours and bound. */
export interface WantedVolume {
  readonly key: SharingKey;
  readonly volume: Volume;
}

export class ClusterView {
  readonly pods: Informer<Pod, ObservedPod>;
  readonly claims: Informer<PersistentVolumeClaim, BoundClaim>;
  readonly volumes: Informer<PersistentVolume, Volume>;
  readonly attachments: Informer<MountpointS3PodAttachment, MountpointS3PodAttachment>;
  readonly gone: GoneWorkloads;
  /** Workloads that were listed in an attachment at some time: this driver mounts for them, not the one of v1. */
  readonly everAttached = new Set<string>();
  readonly #namespace: string;

  constructor(options: ClusterViewOptions) {
    const { client, log, mountpointNamespace } = options;
    this.#namespace = mountpointNamespace;
    this.gone = new GoneWorkloads(options.now, 2 * options.staleThresholdMs);
    this.pods = new Informer<Pod, ObservedPod>({
      client,
      log,
      resource: pods,
      slim: (pod) => slimPod(pod, mountpointNamespace),
      indexes: {
        uid: (pod) => [pod.metadata.uid],
        claim: (pod) => (pod.role === "workload" ? pod.claims.map((claim) => `${pod.metadata.namespace}/${claim.name}`) : []),
        // One volume may have workloads on a thousand nodes, and each key concerns one.
        claimOnNode: (pod) => (pod.role === "workload" ? pod.claims.map((claim) => `${pod.metadata.namespace}/${claim.name} ${pod.nodeName}`) : []),
        key: (pod) => (pod.role === "mountpoint" && pod.sharingKey ? [pod.sharingKey] : []),
        headroom: (pod) => (pod.role === "headroom" ? [pod.workloadUid] : []),
      },
    });
    this.claims = new Informer<PersistentVolumeClaim, BoundClaim>({
      client,
      log,
      resource: persistentVolumeClaims,
      slim: slimClaim,
      indexes: { volume: (claim) => [claim.volumeName] },
    });
    this.volumes = new Informer<PersistentVolume, Volume>({ client, log, resource: persistentVolumes, slim: slimVolume });
    this.attachments = new Informer<MountpointS3PodAttachment, MountpointS3PodAttachment>({
      client,
      log,
      resource: attachments,
      slim: withoutManagedFields,
      indexes: {
        key: (attachment) => [keyText(keyOf(attachment))],
        uid: uidsIn,
        pod: (attachment) => Object.keys(attachment.spec.mountpointS3PodAttachments),
      },
    });
    this.pods.onChange(({ object, old, type }) => {
      for (const pod of [type === "deleted" ? object : undefined, old]) {
        if (pod?.role === "workload" && (type === "deleted" || pod.metadata.uid !== object.metadata.uid)) this.#went(pod.metadata.uid);
      }
    });
    this.attachments.onChange(({ object }) => {
      for (const uid of uidsIn(object)) if (!this.gone.has(uid)) this.everAttached.add(uid);
    });
  }

  /** Runs until the signal ends. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.pods, this.claims, this.volumes, this.attachments].map((informer) => informer.run(signal)));
  }

  async synced(signal: AbortSignal): Promise<void> {
    await Promise.all([this.pods, this.claims, this.volumes, this.attachments].map((informer) => informer.synced(signal)));
  }

  /** The volumes of this driver that a workload uses and that are bound, whether it is scheduled yet or not. */
  wantedVolumes(workload: Workload): WantedVolume[] {
    const wanted: WantedVolume[] = [];
    for (const { name, ephemeral } of workload.claims) {
      const claimKey = `${workload.metadata.namespace}/${name}`;
      const claim = this.claims.store.get(claimKey);
      // A claim of that name which another made is none of this pod's: Kubernetes refuses to use it.
      if (!claim || (ephemeral && claim.ownerUid !== workload.metadata.uid)) continue;
      const volume = this.volumes.store.get(claim.volumeName);
      if (!volume || volume.claim !== claimKey) continue;
      const key = {
        nodeName: workload.nodeName,
        persistentVolumeName: volume.metadata.name,
        volumeID: volume.volumeHandle,
        mountOptions: volume.mountOptions.join(","),
        workloadFSGroup: workload.fsGroup,
      };
      wanted.push({ key, volume });
    }
    return wanted;
  }

  /** The workloads on a node that use a volume, through whatever claim is bound to it. */
  workloadsOnNode(volumeName: string, nodeName: string): Workload[] {
    const found = this.claims.store
      .by("volume", volumeName)
      .flatMap(({ metadata }) => this.pods.store.by("claimOnNode", `${metadata.namespace}/${metadata.name} ${nodeName}`));
    return [...new Set(found.filter((pod) => pod.role === "workload"))];
  }

  workload(uid: string): Workload | undefined {
    return this.pods.store.by("uid", uid).find((pod) => pod.role === "workload");
  }

  mountpointPod(name: string): MountpointPod | undefined {
    const pod = this.pods.store.get(`${this.#namespace}/${name}`);
    return pod?.role === "mountpoint" ? pod : undefined;
  }

  /** Every key, as text, that a workload concerns: where it wants to be and where it is. */
  keysOfWorkload(workload: Workload): string[] {
    const wanted = workload.nodeName === "" ? [] : this.wantedVolumes(workload).map(({ key }) => keyText(key));
    const listed = this.attachments.store.by("uid", workload.metadata.uid).map((attachment) => keyText(keyOf(attachment)));
    return [...new Set([...wanted, ...listed])];
  }

  /** The keys that a Mountpoint Pod serves; none for one that the driver before this one made and no attachment names. */
  keysOfMountpointPod(pod: MountpointPod): string[] {
    const named = this.attachments.store.by("pod", pod.metadata.name).map((attachment) => keyText(keyOf(attachment)));
    const own = parseKeyText(pod.sharingKey);
    return [...new Set([...named, ...(own ? [keyText(own)] : [])])];
  }

  /** Calls back with each pod or key that a change concerns. */
  onConcern(concern: { readonly key: (text: string) => void; readonly pod: (pod: ObservedPod) => void }): void {
    const workload = (pod: Workload) => {
      for (const key of this.keysOfWorkload(pod)) concern.key(key);
    };
    this.pods.onChange((change: Change<ObservedPod>) => {
      if (change.type === "updated" && change.old && sameForPlanning(change.old, change.object)) return;
      for (const pod of new Set([change.object, ...(change.old ? [change.old] : [])])) {
        if (pod.role === "workload") workload(pod);
        else if (pod.role === "mountpoint") for (const key of this.keysOfMountpointPod(pod)) concern.key(key);
      }
      concern.pod(change.object);
    });
    this.claims.onChange(({ object }) => {
      for (const pod of this.#workloadsOfClaim(`${object.metadata.namespace}/${object.metadata.name}`)) workload(pod);
    });
    this.volumes.onChange(({ object }) => {
      for (const { metadata } of this.claims.store.by("volume", object.metadata.name)) {
        for (const pod of this.#workloadsOfClaim(`${metadata.namespace}/${metadata.name}`)) workload(pod);
      }
    });
    this.attachments.onChange(({ object, old, type }) => {
      concern.key(keyText(keyOf(object)));
      // Whoever is not listed here any more may now be wanted under another key of the same volume.
      const stays = new Set(type === "deleted" ? [] : uidsIn(object));
      for (const uid of old ? uidsIn(old) : []) {
        const pod = stays.has(uid) ? undefined : this.workload(uid);
        if (pod) workload(pod);
      }
      for (const name of Object.keys((old ?? object).spec.mountpointS3PodAttachments)) {
        const pod = this.mountpointPod(name);
        if (pod) concern.pod(pod);
      }
    });
  }

  #went(uid: string): void {
    this.gone.add(uid);
    this.everAttached.delete(uid);
  }

  #workloadsOfClaim(claimKey: string): Workload[] {
    return this.pods.store.by("claim", claimKey).filter((pod) => pod.role === "workload");
  }
}

function uidsIn(attachment: MountpointS3PodAttachment): string[] {
  return Object.values(attachment.spec.mountpointS3PodAttachments).flatMap((list) => list.map((entry) => entry.workloadPodUID));
}
