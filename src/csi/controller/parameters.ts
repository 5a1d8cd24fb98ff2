// A StorageClass's parameters, checked and typed. Whatever is not known is refused by name: a misspelt parameter that is
// silently ignored is found out by a full disk or a deleted bucket.
import { DriverError } from "../../core/errors.ts";
import { resolvePrefix } from "./prefix-template.ts";

/** What happens to the data when the volume is deleted. */
export type OnDelete = "delete-if-empty" | "purge" | "retain";

export type VolumePlan =
  | { readonly kind: "bucket"; readonly bucketNamePrefix: string; readonly region?: string; readonly onDelete: OnDelete }
  | { readonly kind: "prefix"; readonly bucket: string; readonly prefix: string; readonly region?: string; readonly onDelete: OnDelete };

const defaultBucketNamePrefix = "csi-s3-";
const own = ["bucketNamePrefix", "region", "bucket", "prefix", "onDelete"] as const;
const secretPairs = ["provisioner", "node-publish"] as const;
const metadata = ["csi.storage.k8s.io/pvc/name", "csi.storage.k8s.io/pvc/namespace", "csi.storage.k8s.io/pv/name"] as const;

export function parseParameters(name: string, parameters: Readonly<Record<string, string>>): VolumePlan {
  refuseUnknown(parameters);
  for (const pair of secretPairs)
    requireBoth(parameters, `csi.storage.k8s.io/${pair}-secret-name`, `csi.storage.k8s.io/${pair}-secret-namespace`);
  const onDelete = parseOnDelete(parameters["onDelete"]);
  const region = parseRegion(parameters["region"]);
  const common = { onDelete, ...(region ? { region } : {}) };
  const bucket = parameters["bucket"];
  if (bucket === undefined) {
    if (parameters["prefix"] !== undefined) throw invalid("prefix", "needs the parameter bucket: it names a place in a shared bucket");
    return { kind: "bucket", bucketNamePrefix: parseBucketNamePrefix(parameters["bucketNamePrefix"]), ...common };
  }
  if (parameters["bucketNamePrefix"] !== undefined) throw invalid("bucketNamePrefix", "has no meaning together with bucket");
  if (!isBucketName(bucket)) throw invalid("bucket", "is not a valid bucket name");
  const prefix = resolvePrefix(parameters["prefix"] ?? "${pv.name}", {
    "pv.name": parameters["csi.storage.k8s.io/pv/name"] || name,
    "pvc.name": parameters["csi.storage.k8s.io/pvc/name"],
    "pvc.namespace": parameters["csi.storage.k8s.io/pvc/namespace"],
  });
  return { kind: "prefix", bucket, prefix, ...common };
}

/** Amazon's rules for general-purpose buckets, which every server accepts. */
export function isBucketName(name: string): boolean {
  return (
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !name.includes("..") &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name) &&
    !/^(xn--|sthree-)/.test(name)
  );
}

export function parseOnDelete(value: string | undefined): OnDelete {
  if (value === undefined || value === "delete-if-empty") return "delete-if-empty";
  if (value === "purge" || value === "retain") return value;
  throw invalid("onDelete", "must be delete-if-empty, purge or retain");
}

function refuseUnknown(parameters: Readonly<Record<string, string>>): void {
  const known = new Set<string>([
    ...own,
    ...metadata,
    ...secretPairs.flatMap((pair) => [`csi.storage.k8s.io/${pair}-secret-name`, `csi.storage.k8s.io/${pair}-secret-namespace`]),
  ]);
  const unknown = Object.keys(parameters).filter((key) => !known.has(key));
  if (unknown.length > 0) {
    const list = unknown.map((key) => JSON.stringify(key.slice(0, 100))).join(", ");
    throw new DriverError("InvalidArgument", `unknown StorageClass parameter ${list}; known are ${own.join(", ")}`);
  }
}

function requireBoth(parameters: Readonly<Record<string, string>>, name: string, namespace: string): void {
  if ((parameters[name] === undefined) !== (parameters[namespace] === undefined)) {
    throw new DriverError("InvalidArgument", `StorageClass parameters ${name} and ${namespace} belong together: one is missing`);
  }
}

function parseRegion(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!/^[a-z0-9-]{1,32}$/.test(value)) throw invalid("region", "is not a region name");
  return value;
}

function parseBucketNamePrefix(value: string | undefined): string {
  if (value === undefined) return defaultBucketNamePrefix;
  // 30 leaves room for a readable part of the volume's name and the proof at the end (bucket-name.ts).
  if (!/^[a-z0-9][a-z0-9-]{0,29}$/.test(value) || /^(xn--|sthree-)/.test(value)) {
    throw invalid("bucketNamePrefix", "must be 1 to 30 lower-case letters, digits and hyphens, not starting with a hyphen");
  }
  return value;
}

function invalid(parameter: string, message: string): DriverError {
  return new DriverError("InvalidArgument", `StorageClass parameter ${parameter} ${message}`);
}
