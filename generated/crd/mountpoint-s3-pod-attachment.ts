// Generated from crds/mountpoints3podattachments.yaml by `npm run codegen`. Do not edit: change the source and run it again.
import type { IObjectMeta as ObjectMeta } from "@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta";

export const group = "s3.csi.scality.com";
export const version = "v2";
export const kind = "MountpointS3PodAttachment";
export const plural = "mountpoints3podattachments";

export type MountpointS3PodAttachment = components["schemas"]["MountpointS3PodAttachment"];

export interface components {
    schemas: {
        /** @description MountpointS3PodAttachment records which Mountpoint Pods on one node serve one volume with one set of mount options, and which workload pods use each of them. There is one object for every combination of node, PersistentVolume, volume handle, mount options and fsGroup; workloads that agree in all five share a Mountpoint Pod. The Pod Reconciler writes it; edit it by hand only to repair. */
        MountpointS3PodAttachment: {
            /**
             * @description The version of this schema, s3.csi.scality.com/v2.
             * @enum {string}
             */
            apiVersion: "s3.csi.scality.com/v2";
            /**
             * @description The kind of this object, MountpointS3PodAttachment.
             * @enum {string}
             */
            kind: "MountpointS3PodAttachment";
            metadata: ObjectMeta;
            /** @description Spec holds the five fields that decide whether workloads share a Mountpoint Pod, none of which may change once set, and the workloads attached to each Mountpoint Pod. */
            spec: {
                /** @description The node on which the workloads and their Mountpoint Pods run. */
                nodeName: string;
                /** @description The name of the PersistentVolume that the workloads mount. */
                persistentVolumeName: string;
                /** @description The volume handle of that PersistentVolume (spec.csi.volumeHandle). */
                volumeID: string;
                /** @description The PersistentVolume's mount options in their order, joined by commas; empty when there are none. */
                mountOptions: string;
                /** @description The workloads' fsGroup (spec.securityContext.fsGroup) in decimal; empty when they have none. */
                workloadFSGroup: string;
                /** @description The workloads attached to each Mountpoint Pod, by the name of the Mountpoint Pod. Usually there is one; a second appears when the first may take no new workloads, for example after an upgrade of the driver. */
                mountpointS3PodAttachments: {
                    [key: string]: {
                        /** @description The UID of the workload pod (metadata.uid). */
                        workloadPodUID: string;
                        /**
                         * Format: date-time
                         * @description When the workload was attached to this Mountpoint Pod.
                         */
                        attachmentTime: string;
                    }[];
                };
            };
            /** @description Status says what the Mountpoint Pods of this attachment are doing, as last seen by the Pod Reconciler. */
            status?: {
                /**
                 * Format: int64
                 * @description The generation of the spec that this status describes.
                 */
                observedGeneration?: number;
                /** @description The state of the attachment as a whole. The condition Ready is True when every Mountpoint Pod serves its workloads; otherwise its reason and message say what is missing. */
                conditions?: {
                    /** @description The name of the condition, such as Ready. */
                    type: string;
                    /**
                     * @description Whether the condition holds.
                     * @enum {string}
                     */
                    status: "True" | "False" | "Unknown";
                    /**
                     * Format: int64
                     * @description The generation of the spec from which the condition was derived.
                     */
                    observedGeneration?: number;
                    /**
                     * Format: date-time
                     * @description When the status of the condition last changed.
                     */
                    lastTransitionTime: string;
                    /** @description The cause in one word, for programs. */
                    reason: string;
                    /** @description The cause in a sentence, for people. */
                    message: string;
                }[];
                /** @description The state of each Mountpoint Pod of this attachment. */
                mountpointPods?: {
                    /** @description The name of the Mountpoint Pod. */
                    name: string;
                    /**
                     * @description Where the Mountpoint Pod is in its life: Pending (not running yet), Ready (runs and can serve), Unmounting (its last workload has left), Failed (cannot serve; reason and message say why) or Missing (gone, to be replaced).
                     * @enum {string}
                     */
                    phase: "Pending" | "Ready" | "Unmounting" | "Failed" | "Missing";
                    /** @description Why it is in this phase in one word, for programs, such as Unschedulable or ImagePullBackOff. */
                    reason?: string;
                    /** @description Why it is in this phase in a sentence, for people. */
                    message?: string;
                    /**
                     * Format: date-time
                     * @description When the phase last changed.
                     */
                    lastTransitionTime: string;
                }[];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
