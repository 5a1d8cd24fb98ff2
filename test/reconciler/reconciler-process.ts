// A reconciler as the chart would run it, in a process of its own, reaching the API server where it is told to.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess, type RunningProcess } from "../bed/process.ts";

const entry = fileURLToPath(new URL("../../src/bin/reconciler.ts", import.meta.url));

export async function writePlainKubeconfig(folder: string, server: string): Promise<string> {
  const file = path.join(folder, "kubeconfig-proxy");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}

export interface ReconcilerProcessOptions {
  readonly logFile?: string;
  /** The bundle that the image has, instead of the sources. */
  readonly program?: string;
}

export async function startReconcilerProcess(
  identity: string,
  env: Readonly<Record<string, string>>,
  { logFile, program = entry }: ReconcilerProcessOptions = {},
): Promise<RunningProcess> {
  return startProcess({
    name: identity,
    file: process.execPath,
    // As the image's launcher starts it.
    args: ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", program],
    env: { MOUNTPOINT_IMAGE: "registry.example/driver:1", METRICS_PORT: "0", POD_NAME: identity, LEASE_NAMESPACE: "default", ...env },
    ...(logFile ? { logFile } : {}),
  });
}
