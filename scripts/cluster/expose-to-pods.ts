// The node's network has no way to the host's. A server on the host's loopback is made reachable by two forwarders that meet in a
// unix socket; both live in the node's pid namespace, so they end with the cluster if not before.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { clusterLayout, nodeLayout } from "./layout.ts";
import { nodeNamespaces } from "./node-exec.ts";

export interface Exposed extends AsyncDisposable {
  /** host:port for pods and for the node itself. */
  readonly address: string;
  stop(): Promise<void>;
}

export async function exposeToPods(hostPort: number, signal?: AbortSignal): Promise<Exposed> {
  const folder = path.join(clusterLayout().run, "forward");
  await mkdir(folder, { recursive: true });
  const socket = path.join(folder, `${hostPort}.sock`);
  const node = nodeLayout(0);
  const address = `${node.address}:${hostPort}`;
  // nsenter forks into a pid namespace; its child is the one to end, which the death signal does.
  const start = (namespaces: readonly string[], args: readonly string[]) =>
    spawn("nsenter", [...namespaces, "--", "setpriv", "--pdeathsig", "KILL", "socat", ...args], { stdio: "ignore" });
  const outside = start(await nodeNamespaces(["pid"]), [`UNIX-LISTEN:${socket},fork,unlink-early`, `TCP:127.0.0.1:${hostPort},nodelay`]);
  const listen = `TCP-LISTEN:${hostPort},bind=${node.address},fork,reuseaddr,nodelay`;
  const inside = start(await nodeNamespaces(["pid", "net"]), [listen, `UNIX-CONNECT:${socket}`]);
  const stop = async () => {
    for (const forwarder of [inside, outside]) {
      if (forwarder.exitCode !== null || forwarder.signalCode !== null) continue;
      forwarder.kill("SIGKILL");
      await once(forwarder, "exit");
    }
  };
  signal?.addEventListener("abort", () => void stop(), { once: true });
  while (
    !(await access(socket).then(
      () => true,
      () => false,
    ))
  ) {
    if (outside.exitCode !== null) throw new Error(`Port ${hostPort} could not be forwarded: socat ended with ${outside.exitCode}`);
    signal?.throwIfAborted();
    await delay(10);
  }
  return { address, stop, [Symbol.asyncDispose]: stop };
}
