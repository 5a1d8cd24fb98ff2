// The driver on a cluster as a user installs it: a Secret with the keys, then helm.
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandLine } from "./kubectl.ts";

export interface InstallDriverOptions {
  readonly kubectl: CommandLine;
  readonly helm: CommandLine;
  readonly endpointUrl: string;
  /** The driver's own keys; without them only volumes with a Secret of their own work. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** "repository:tag" of an image the nodes have. */
  readonly image: string;
  /** More values of the chart. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

export const release = "s3-csi";
export const driverNamespace = "kube-system";
export const mountpointNamespace = "mount-s3";
export const driverName = "s3.csi.scality.com";
export const chartFolder = path.resolve(import.meta.dirname, "../../chart");

/** Installs or upgrades; resolves when everything runs and every node knows the driver. */
export async function installDriver(options: InstallDriverOptions): Promise<void> {
  const { kubectl, helm, credentials, signal } = options;
  if (credentials) await applySecret(kubectl, driverNamespace, "s3-secret", credentials);
  const separator = options.image.lastIndexOf(":");
  const values = {
    image: { repository: options.image.slice(0, separator), tag: options.image.slice(separator + 1) },
    s3: { endpointUrl: options.endpointUrl },
  };
  const given = JSON.stringify(merge(values, options.values ?? {}));
  await helm(["upgrade", "--install", release, chartFolder, "--namespace", driverNamespace, "--values", "-", "--wait", "--timeout=3m"], { input: given, signal });
  await untilRegistered(kubectl, signal);
}

/** kubectl wait cannot wait on a list that is not there yet. */
async function untilRegistered(kubectl: CommandLine, signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.any([AbortSignal.timeout(60_000), ...(signal ? [signal] : [])]);
  for (;;) {
    const { items } = JSON.parse(await kubectl(["get", "csinodes", "-o", "json"], { signal: limit })) as { items: CsiNode[] };
    const without = items.filter((node) => !node.spec.drivers?.some((driver) => driver.name === driverName));
    if (without.length === 0) return;
    await delay(200, undefined, { signal: limit });
  }
}

interface CsiNode {
  readonly spec: { readonly drivers?: readonly { readonly name: string }[] };
}

/** Somebody's own installation must not become a toy's or a test's. */
export async function isInstalled(helm: CommandLine): Promise<boolean> {
  const releases = JSON.parse(await helm(["list", "--all", "--namespace", driverNamespace, "--filter", `^${release}$`, "--output", "json"])) as unknown[];
  return releases.length > 0;
}

/** With the Secret that installDriver made; the CRD stays, as the chart has it. */
export async function removeDriver(kubectl: CommandLine, helm: CommandLine, signal?: AbortSignal): Promise<void> {
  await uninstallDriver(helm, signal);
  await kubectl(["-n", driverNamespace, "delete", "secret", "s3-secret", "--ignore-not-found"], { signal });
}

export async function uninstallDriver(helm: CommandLine, signal?: AbortSignal): Promise<void> {
  await helm(["uninstall", release, "--namespace", driverNamespace, "--ignore-not-found", "--wait", "--timeout=3m"], { signal });
}

/** A Secret with the keys S3 volumes look for. */
export async function applySecret(
  kubectl: CommandLine,
  namespace: string,
  name: string,
  keys: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string },
): Promise<void> {
  const stringData = {
    access_key_id: keys.accessKeyId,
    secret_access_key: keys.secretAccessKey,
    ...(keys.sessionToken === undefined ? {} : { session_token: keys.sessionToken }),
  };
  await kubectl(["apply", "-f", "-"], { input: JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, stringData }) });
}

type Tree = Readonly<Record<string, unknown>>;

function merge(one: Tree, other: Tree): Tree {
  const merged: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = merged[key];
    merged[key] = isTree(before) && isTree(value) ? merge(before, value) : value;
  }
  return merged;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
