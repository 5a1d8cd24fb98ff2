// Every key of the volume context (a PersistentVolume's volumeAttributes and what kubelet adds) that the driver knows.
import { DriverError } from "../../core/errors.ts";

export type AuthenticationSource = "driver" | "secret";

export interface VolumeContext {
  readonly bucketName: string;
  readonly authenticationSource: AuthenticationSource;
  /** Of a volume in a shared bucket: where it lies. */
  readonly prefix?: string;
  readonly region?: string;
  /** From kubelet (podInfoOnMount). */
  readonly podUid?: string;
  /** Keys that nobody reads: a misspelt one is worth a warning. */
  readonly unknown: readonly string[];
}

/** Read by the reconciler when it makes the Mountpoint Pod, not here. */
const mountpointPodKeys = [
  "mountpointPodServiceAccountName",
  "mountpointContainerResourcesRequestsCpu",
  "mountpointContainerResourcesRequestsMemory",
  "mountpointContainerResourcesLimitsCpu",
  "mountpointContainerResourcesLimitsMemory",
];
const known = new Set(["bucketName", "authenticationSource", "prefix", "region", "dynamicProvisioning", ...mountpointPodKeys]);
const kubernetesPrefixes = ["csi.storage.k8s.io/", "storage.kubernetes.io/"];

export function parseVolumeContext(context: Readonly<Record<string, string>>): VolumeContext {
  const podUid = context["csi.storage.k8s.io/pod.uid"];
  return {
    bucketName: bucketName(context["bucketName"]),
    authenticationSource: authenticationSource(context["authenticationSource"]),
    ...(context["prefix"] ? { prefix: prefix(context["prefix"]) } : {}),
    ...(context["region"] ? { region: region(context["region"]) } : {}),
    ...(podUid ? { podUid } : {}),
    unknown: Object.keys(context).filter((key) => !known.has(key) && !kubernetesPrefixes.some((p) => key.startsWith(p))),
  };
}

function bucketName(value: string | undefined): string {
  if (!value) throw new DriverError("InvalidArgument", "Bucket name not provided");
  // Wider than Amazon's rule: older stores have buckets with capitals and underscores, and directory buckets end in --x-s3.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(value) || value.includes("..")) {
    throw new DriverError("InvalidArgument", `${JSON.stringify(value.slice(0, 100))} is not a bucket name`);
  }
  return value;
}

function authenticationSource(value: string | undefined): AuthenticationSource {
  if (value === undefined || value === "" || value === "driver") return "driver";
  if (value === "secret") return "secret";
  throw new DriverError(
    "InvalidArgument",
    `authenticationSource ${JSON.stringify(value.slice(0, 100))} is not known: use driver or secret`,
  );
}

function prefix(value: string): string {
  if (!value.endsWith("/") || value.startsWith("/") || value.split("/").includes("..") || value.length > 1024) {
    throw new DriverError("InvalidArgument", "the volume's prefix must end with a slash, not begin with one, and hold no ..");
  }
  return value;
}

function region(value: string): string {
  if (!/^[a-z0-9-]{1,64}$/.test(value)) throw new DriverError("InvalidArgument", "the volume's region is not a region name");
  return value;
}
