// Generated from crds/mountpoints3podattachments.yaml by `npm run codegen`. Do not edit: change the source and run it again.
import { type IObjectMeta } from "@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta";
import { Model, type ModelData, setValidateFunc, createTypeMetaGuard } from "@kubernetes-models/base";
import { type ValidateFunc } from "@kubernetes-models/validate";
import { validate } from "./mountpoint-s3-pod-attachment.validate.js";

/**
 * MountpointS3PodAttachment records which Mountpoint Pods on one node serve one volume with one set of mount options, and which workload pods use each of them. There is one object for every combination of node, PersistentVolume, volume handle, mount options and fsGroup; workloads that agree in all five share a Mountpoint Pod. The Pod Reconciler writes it; edit it by hand only to repair.
 */
export interface IMountpointS3PodAttachment {
  /**
   * The version of this schema, s3.csi.scality.com/v2.
   */
  "apiVersion": "s3.csi.scality.com/v2";
  /**
   * The kind of this object, MountpointS3PodAttachment.
   */
  "kind": "MountpointS3PodAttachment";
  "metadata"?: IObjectMeta;
  /**
   * Spec holds the five fields that decide whether workloads share a Mountpoint Pod, none of which may change once set, and the workloads attached to each Mountpoint Pod.
   */
  "spec": {
    /**
     * The node on which the workloads and their Mountpoint Pods run.
     */
    "nodeName": string;
    /**
     * The name of the PersistentVolume that the workloads mount.
     */
    "persistentVolumeName": string;
    /**
     * The volume handle of that PersistentVolume (spec.csi.volumeHandle).
     */
    "volumeID": string;
    /**
     * The PersistentVolume's mount options in their order, joined by commas; empty when there are none.
     */
    "mountOptions": string;
    /**
     * The workloads' fsGroup (spec.securityContext.fsGroup) in decimal; empty when they have none.
     */
    "workloadFSGroup": string;
    /**
     * The workloads attached to each Mountpoint Pod, by the name of the Mountpoint Pod. Usually there is one; a second appears when the first may take no new workloads, for example after an upgrade of the driver.
     */
    "mountpointS3PodAttachments": {
      [key: string]: Array<{
        /**
         * The UID of the workload pod (metadata.uid).
         */
        "workloadPodUID": string;
        /**
         * When the workload was attached to this Mountpoint Pod.
         */
        "attachmentTime": string;
      }>;
    };
  };
  /**
   * Status says what the Mountpoint Pods of this attachment are doing, as last seen by the Pod Reconciler.
   */
  "status"?: {
    /**
     * The generation of the spec that this status describes.
     */
    "observedGeneration"?: number;
    /**
     * The state of the attachment as a whole. The condition Ready is True when every Mountpoint Pod serves its workloads; otherwise its reason and message say what is missing.
     */
    "conditions"?: Array<{
      /**
       * The name of the condition, such as Ready.
       */
      "type": string;
      /**
       * Whether the condition holds.
       */
      "status": "True" | "False" | "Unknown";
      /**
       * The generation of the spec from which the condition was derived.
       */
      "observedGeneration"?: number;
      /**
       * When the status of the condition last changed.
       */
      "lastTransitionTime": string;
      /**
       * The cause in one word, for programs.
       */
      "reason": string;
      /**
       * The cause in a sentence, for people.
       */
      "message": string;
    }>;
    /**
     * The state of each Mountpoint Pod of this attachment.
     */
    "mountpointPods"?: Array<{
      /**
       * The name of the Mountpoint Pod.
       */
      "name": string;
      /**
       * Where the Mountpoint Pod is in its life: Pending (not running yet), Ready (runs and can serve), Unmounting (its last workload has left), Failed (cannot serve; reason and message say why) or Missing (gone, to be replaced).
       */
      "phase": "Pending" | "Ready" | "Unmounting" | "Failed" | "Missing";
      /**
       * Why it is in this phase in one word, for programs, such as Unschedulable or ImagePullBackOff.
       */
      "reason"?: string;
      /**
       * Why it is in this phase in a sentence, for people.
       */
      "message"?: string;
      /**
       * When the phase last changed.
       */
      "lastTransitionTime": string;
    }>;
  };
}

/**
 * MountpointS3PodAttachment records which Mountpoint Pods on one node serve one volume with one set of mount options, and which workload pods use each of them. There is one object for every combination of node, PersistentVolume, volume handle, mount options and fsGroup; workloads that agree in all five share a Mountpoint Pod. The Pod Reconciler writes it; edit it by hand only to repair.
 */
export class MountpointS3PodAttachment extends Model<IMountpointS3PodAttachment> implements IMountpointS3PodAttachment {
  declare "apiVersion": IMountpointS3PodAttachment["apiVersion"];
  declare "kind": IMountpointS3PodAttachment["kind"];
  declare "metadata"?: IMountpointS3PodAttachment["metadata"];
  declare "spec": IMountpointS3PodAttachment["spec"];
  declare "status"?: IMountpointS3PodAttachment["status"];

  static apiVersion: IMountpointS3PodAttachment["apiVersion"] = "s3.csi.scality.com/v2";
  static kind: IMountpointS3PodAttachment["kind"] = "MountpointS3PodAttachment";
  static is = createTypeMetaGuard<IMountpointS3PodAttachment>(MountpointS3PodAttachment);

  constructor(data?: ModelData<IMountpointS3PodAttachment>) {
  super();

  this.setDefinedProps({
    apiVersion: MountpointS3PodAttachment.apiVersion,
    kind: MountpointS3PodAttachment.kind,
    ...data
  } as IMountpointS3PodAttachment);
}
}


setValidateFunc(MountpointS3PodAttachment, validate as ValidateFunc<IMountpointS3PodAttachment>);
