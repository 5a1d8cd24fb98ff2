// What is kept of claims and volumes: which claim is bound to which of our volumes, and how that volume is to be mounted.
import { driverName } from "../core/version.ts";
import type { KubeObject } from "../kube/resource.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../kube/resources.ts";
import type { SlimMeta } from "./observed-pods.ts";

export interface BoundClaim extends KubeObject {
  readonly metadata: SlimMeta & { readonly namespace: string };
  readonly volumeName: string;
  /** The pod that a generic ephemeral volume's claim belongs to. */
  readonly ownerUid: string;
}

export interface Volume extends KubeObject {
  readonly metadata: SlimMeta;
  readonly volumeHandle: string;
  readonly mountOptions: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /** namespace/name of the claim it is bound to. */
  readonly claim: string;
}

export function slimClaim(claim: PersistentVolumeClaim): BoundClaim | undefined {
  if (claim.status?.phase !== "Bound" || !claim.spec?.volumeName) return undefined;
  const { name = "", namespace = "", uid = "", resourceVersion = "", ownerReferences } = claim.metadata ?? {};
  return {
    metadata: { name, namespace, uid, resourceVersion },
    volumeName: claim.spec.volumeName,
    ownerUid: ownerReferences?.find((owner) => owner.controller)?.uid ?? "",
  };
}

export function slimVolume(volume: PersistentVolume): Volume | undefined {
  const csi = volume.spec?.csi;
  if (csi?.driver !== driverName) return undefined;
  const { name = "", uid = "", resourceVersion = "" } = volume.metadata ?? {};
  return {
    metadata: { name, uid, resourceVersion },
    volumeHandle: csi.volumeHandle,
    mountOptions: volume.spec?.mountOptions ?? [],
    attributes: csi.volumeAttributes ?? {},
    claim: `${volume.spec?.claimRef?.namespace}/${volume.spec?.claimRef?.name}`,
  };
}
