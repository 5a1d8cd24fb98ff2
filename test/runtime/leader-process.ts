// A candidate for the leader election test. While it leads it holds an abstract socket that only one process can hold: the
// kernel itself is the witness that there is one leader. Says over IPC when it starts and stops to lead.
import { createServer } from "node:net";
import { silentLogger } from "../../src/core/log.ts";
import { KubeClient } from "../../src/kube/client.ts";
import { LeaderElection } from "../../src/runtime/leader-election.ts";

const [, , kubeconfig = "", identity = "", duration = "2", witness = ""] = process.argv;
const client = await KubeClient.connect({ kubeconfig });
const controller = new AbortController();
const lease = { name: "test", namespace: "default" };
const election = new LeaderElection({ client, log: silentLogger, lease, identity, durationSeconds: Number(duration) });

process.on("message", () => controller.abort());
process.on("disconnect", () => process.exit(0));
void election.ready.then(() => process.send?.({ type: "ready", identity }));
await election.run(lead, controller.signal);
client.close();
process.disconnect?.();

async function lead(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = createServer();
  server.on("error", (error) => process.send?.({ type: "two leaders", identity, error: error.message }));
  server.listen(`\0${witness}`, () => process.send?.({ type: "leads", identity, at: process.hrtime.bigint().toString() }));
  signal.addEventListener("abort", () => server.close(() => resolve()), { once: true });
  await promise;
}
