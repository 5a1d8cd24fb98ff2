// The driver's two CSI services as they run in a cluster, only without one: the node service starts the file system's daemon
// as a process instead of a pod.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { IdentityDefinition } from "../../generated/proto/csi.ts";
import { connect } from "../../src/grpc/client.ts";
import type { Workspace } from "./workspace.ts";

export interface Service extends AsyncDisposable {
  readonly endpoint: string;
  readonly version: string;
}

const sources = path.resolve(import.meta.dirname, "../../src/bin");

export function startController(workspace: Workspace, endpointUrl: string, signal: AbortSignal): Promise<Service> {
  return start("controller", workspace, { CSI_CONTROLLER_ONLY: "true", AWS_ENDPOINT_URL: endpointUrl }, signal);
}

export function startNode(workspace: Workspace, endpointUrl: string, signal: AbortSignal): Promise<Service> {
  return start(
    "node",
    workspace,
    {
      AWS_ENDPOINT_URL: endpointUrl,
      CSI_NODE_NAME: "quickstart",
      KUBELET_PATH: workspace.kubelet,
      MOUNTER_KIND: "process",
      MOUNT_PROCESS_DIR: workspace.daemons,
      HEALTH_PORT: "0",
    },
    signal,
  );
}

async function start(name: string, workspace: Workspace, env: Record<string, string>, signal: AbortSignal): Promise<Service> {
  const endpoint = `unix://${workspace.socket(name)}`;
  const logFile = path.join(workspace.logs, `${name}.log`);
  const log = openSync(logFile, "a");
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", path.join(sources, `${name}.ts`)];
  // A group of its own, so that Ctrl-C leaves it alone until we have unmounted; and its end when we die.
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", ...command], {
    detached: true,
    stdio: ["ignore", log, log],
    env: { PATH: process.env["PATH"], ...env, CSI_ENDPOINT: endpoint, S3_CREDENTIALS_DIR: workspace.credentials, METRICS_PORT: "0", LOG_LEVEL: "debug" },
  });
  await once(child, "spawn", { signal });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
    await once(child, "exit");
    clearTimeout(timer);
  };
  try {
    const version = await probe(endpoint, signal, () => {
      if (child.exitCode !== null) throw new Error(`the ${name} service ended with ${child.exitCode}:\n${tail(logFile)}`);
    });
    return { endpoint, version, [Symbol.asyncDispose]: stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** Asks until it answers. */
async function probe(endpoint: string, signal: AbortSignal, check: () => void): Promise<string> {
  using client = connect(IdentityDefinition, { endpoint });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(20_000)]);
  for (;;) {
    check();
    limit.throwIfAborted();
    const info = await client.call.getPluginInfo({}, { signal: limit }).catch(() => undefined);
    if (info) return `${info.name} ${info.vendorVersion}`;
    await delay(20, undefined, { signal: limit });
  }
}

function tail(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-10).join("\n");
}
