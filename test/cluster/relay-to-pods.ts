// Lets the pods of any cluster reach a server in this process, by nothing but kubectl: whether pods can reach this machine itself
// depends on networks and firewalls that a test knows nothing of.
//
// A pod listens for the clients. This side keeps some connections to that pod open (kubectl port-forward leads only that way);
// when a client comes, the pod gives it one of them, which starts with one byte, and from then on the two are one.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../scripts/cluster/free-port.ts";
import type { Exposed } from "../../scripts/cluster/expose-to-pods.ts";
import type { OpenCluster } from "../../scripts/kubernetes/open-cluster.ts";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";

const clientPort = 9000;
const tunnelPort = 9001;
const spare = 8;

export async function relayToPods(cluster: OpenCluster, port: number, signal: AbortSignal): Promise<Exposed> {
  await using undo = new AsyncDisposableStack();
  const pod = `s3-csi-test-relay-${randomBytes(3).toString("hex")}`;
  undo.defer(async () => void (await cluster.kubectl(["delete", "pod", pod, "--ignore-not-found", "--wait=false"])));
  await cluster.kubectl(["run", pod, `--image=${cluster.images.node}`, "--restart=Never", "--command", "--", "node", "-e", podScript], { signal });
  await cluster.kubectl(["wait", `pod/${pod}`, "--for=condition=Ready", "--timeout=120s"], { signal });
  const address = await cluster.kubectl(["get", "pod", pod, "-o", "jsonpath={.status.podIP}"], { signal });
  const localPort = await freePort();
  const forward = undo.use(await keepForwarding(cluster, pod, localPort));
  const tunnels = undo.use(new Tunnels(localPort, port));
  signal.addEventListener("abort", () => void forward[Symbol.asyncDispose](), { once: true });
  tunnels.fill();
  const kept = undo.move();
  const stop = () => kept.disposeAsync();
  return { address: `${address}:${clientPort}`, stop, [Symbol.asyncDispose]: stop };
}

/** kubectl ends when one connection of many breaks: it is started again. */
async function keepForwarding(cluster: OpenCluster, pod: string, localPort: number): Promise<AsyncDisposable> {
  const kubectl = await ensureTool("kubectl");
  let ended = false;
  let child: ChildProcess;
  const start = async () => {
    child = spawn(kubectl, ["port-forward", `pod/${pod}`, `${localPort}:${tunnelPort}`, "--address=127.0.0.1"], {
      env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.once("exit", () => {
      void delay(200).then(() => (ended ? undefined : start()));
    });
    child.stdout?.on("data", () => {});
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), once(child, "exit")]);
  };
  await start();
  return {
    [Symbol.asyncDispose]: async () => {
      if (ended) return;
      ended = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}

class Tunnels implements Disposable {
  readonly #from: number;
  readonly #to: number;
  readonly #open = new Set<Socket>();
  #idle = 0;
  #ended = false;

  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  fill(): void {
    while (this.#idle < spare && !this.#ended) this.#add();
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    for (const socket of this.#open) socket.destroy();
  }

  #add(): void {
    this.#idle++;
    const tunnel = this.#keep(connect(this.#from, "127.0.0.1"));
    let used = false;
    tunnel.once("data", (first: Buffer) => {
      used = true;
      this.#idle--;
      tunnel.pause();
      const server = this.#keep(connect(this.#to, "127.0.0.1"));
      server.write(first.subarray(1));
      tunnel.pipe(server);
      server.pipe(tunnel);
      tunnel.once("close", () => server.destroy());
      server.once("close", () => tunnel.end());
      this.fill();
    });
    tunnel.once("close", () => {
      if (used) return;
      this.#idle--;
      // The way to the pod is broken, perhaps for a moment.
      void delay(200).then(() => this.fill());
    });
  }

  #keep(socket: Socket): Socket {
    this.#open.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  }
}

/** Runs in the pod, on whatever node its image has. */
const podScript = `
const { createServer } = require("node:net");
const idle = [], waiting = [];
const join = (client, tunnel) => {
  tunnel.write("!");
  client.pipe(tunnel);
  tunnel.pipe(client);
  client.once("close", () => tunnel.end());
  tunnel.once("close", () => client.end());
};
createServer((client) => {
  client.on("error", () => {}).setNoDelay(true);
  const tunnel = idle.shift();
  if (tunnel) join(client, tunnel);
  else waiting.push(client);
}).listen(${clientPort});
createServer((tunnel) => {
  tunnel.on("error", () => {}).setNoDelay(true);
  tunnel.once("close", () => { const at = idle.indexOf(tunnel); if (at >= 0) idle.splice(at, 1); });
  for (let client; (client = waiting.shift()); ) if (!client.destroyed) return join(client, tunnel);
  idle.push(tunnel);
}).listen(${tunnelPort});
process.on("SIGTERM", () => process.exit(0));
`;
