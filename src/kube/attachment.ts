// Where attachments enter a process that acts on them as root. The API server checks them too, but only against the CRD it has, which may be
// that of the driver before, without validation: a Mountpoint Pod's name becomes a directory on the host.
import { MountpointS3PodAttachment as Model } from "../../generated/models/mountpoint-s3-pod-attachment.ts";
import type { Logger } from "../core/log.ts";
import { withoutManagedFields } from "./informer.ts";
import type { MountpointS3PodAttachment } from "./resources.ts";

/** For an informer's slim: what is not valid is as if it were not there, and said once per change. */
export function validAttachment(log: Logger): (object: MountpointS3PodAttachment) => MountpointS3PodAttachment | undefined {
  return (object) => {
    const fault = attachmentFault(object);
    if (fault === undefined) return withoutManagedFields(object);
    log.warn("attachment ignored: it is not valid", { attachment: object.metadata.name, fault });
    return undefined;
  };
}

export function attachmentFault(object: MountpointS3PodAttachment): string | undefined {
  try {
    // A list's items may come without the type that the list has.
    const { metadata, spec } = object;
    new Model({ metadata, spec }).validate();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const strange = Object.keys(object.spec.mountpointS3PodAttachments).find((name) => !podName.test(name) || name.length > 253);
  return strange === undefined ? undefined : `${JSON.stringify(strange)} is not the name of a pod`;
}

const podName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
