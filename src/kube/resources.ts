// The kinds this driver speaks of. Their shapes are client-node's own, so no field is restated here.
import type {
  CoreV1Event,
  V1CSINode,
  V1ConfigMap,
  V1CustomResourceDefinition,
  V1Lease,
  V1Namespace,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1Secret,
} from "@kubernetes/client-node";
import * as attachment from "../../generated/crd/mountpoint-s3-pod-attachment.ts";
import type { Json, Resource } from "./resource.ts";

export type MountpointS3PodAttachment = attachment.MountpointS3PodAttachment;
export type Pod = Json<V1Pod>;
export type Node = Json<V1Node>;
export type PersistentVolume = Json<V1PersistentVolume>;
export type PersistentVolumeClaim = Json<V1PersistentVolumeClaim>;
export type Lease = Json<V1Lease>;
export type KubeEvent = Json<CoreV1Event>;

export const attachments: Resource<MountpointS3PodAttachment> = {
  apiVersion: `${attachment.group}/${attachment.version}`,
  kind: attachment.kind,
  plural: attachment.plural,
  namespaced: false,
};
export const pods: Resource<Pod> = { apiVersion: "v1", kind: "Pod", plural: "pods", namespaced: true };
export const nodes: Resource<Node> = { apiVersion: "v1", kind: "Node", plural: "nodes", namespaced: false };
export const namespaces: Resource<Json<V1Namespace>> = { apiVersion: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };
export const configMaps: Resource<Json<V1ConfigMap>> = { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };
export const secrets: Resource<Json<V1Secret>> = { apiVersion: "v1", kind: "Secret", plural: "secrets", namespaced: true };
export const events: Resource<KubeEvent> = { apiVersion: "v1", kind: "Event", plural: "events", namespaced: true };
export const leases: Resource<Lease> = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", plural: "leases", namespaced: true };
export const csiNodes: Resource<Json<V1CSINode>> = { apiVersion: "storage.k8s.io/v1", kind: "CSINode", plural: "csinodes", namespaced: false };
export const customResourceDefinitions: Resource<Json<V1CustomResourceDefinition>> = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
};
export const persistentVolumes: Resource<PersistentVolume> = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
};
export const persistentVolumeClaims: Resource<PersistentVolumeClaim> = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  namespaced: true,
};
