// Two processes, the leader killed 50 times (S3CSI_LEADER_KILLS changes it): the other leads within the lease's duration, and
// never do both.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { silentLogger } from "../../src/core/log.ts";
import { KubeClient } from "../../src/kube/client.ts";
import { leases } from "../../src/kube/resources.ts";
import { LeaderElection } from "../../src/runtime/leader-election.ts";
import { type ControlPlane, startControlPlane } from "../bed/control-plane.ts";

const kills = Number(process.env.S3CSI_LEADER_KILLS ?? 50);
const durationSeconds = 3;
const limit = AbortSignal.timeout(360_000);
let plane: ControlPlane;
let client: KubeClient;

test.before(async () => {
  plane = await startControlPlane({ signal: limit });
  client = await KubeClient.connect({ kubeconfig: plane.kubeconfig });
});

test.after(async () => {
  client?.close();
  await plane?.stop();
});

interface Message {
  readonly type: "ready" | "leads" | "two leaders";
  readonly identity: string;
}

test(`${kills} kills of the leader: the other follows within ${durationSeconds} s, never two at once`, async () => {
  const witness = `s3csi-leader-${process.pid}`;
  const candidates = new Map<string, ChildProcess>();
  const doubles: Message[] = [];
  let next = 0;
  let announced = Promise.withResolvers<string>();
  const start = async () => {
    const identity = `candidate-${next++}`;
    const file = fileURLToPath(new URL("leader-process.ts", import.meta.url));
    const child = fork(file, [plane.kubeconfig, identity, String(durationSeconds), witness], { execPath: process.execPath });
    const ready = Promise.withResolvers<void>();
    candidates.set(identity, child);
    child.on("message", (message: Message) => {
      if (message.type === "two leaders") doubles.push(message);
      else if (message.type === "leads") announced.resolve(message.identity);
      else ready.resolve();
    });
    // It must be watching before the next kill, or there is nobody to follow.
    await within(ready.promise, 30_000);
  };
  const takeovers: number[] = [];
  try {
    await start();
    await start();
    let leader = await within(announced.promise, 15_000);
    for (let kill = 0; kill < kills; kill += 1) {
      announced = Promise.withResolvers<string>();
      const child = candidates.get(leader) as ChildProcess;
      candidates.delete(leader);
      const gone = once(child, "exit");
      const killedAt = performance.now();
      child.kill("SIGKILL");
      await gone;
      leader = await within(announced.promise, 15_000);
      takeovers.push(performance.now() - killedAt);
      await start();
      // Somewhere between two renewals.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 500));
    }
  } finally {
    for (const child of candidates.values()) child.kill("SIGKILL");
  }
  takeovers.sort((a, b) => a - b);
  console.log(`    ${kills} takeovers: median ${Math.round(takeovers[takeovers.length >> 1] ?? 0)} ms, longest ${Math.round(takeovers.at(-1) ?? 0)} ms`);
  assert.equal(doubles, []);
  assert.ok((takeovers.at(-1) ?? 0) <= durationSeconds * 1_000, `longest takeover ${takeovers.at(-1)} ms`);
});

test("a leader that stops cleanly hands over at once", async () => {
  const first = candidate("first", "clean");
  await first.leads;
  const second = candidate("second", "clean");
  const stoppedAt = performance.now();
  await first.stop();
  await second.leads;
  assert.ok(performance.now() - stoppedAt < 1_500, `${performance.now() - stoppedAt} ms`);
  await second.stop();
});

test("a leader that loses its lease stops work before anybody else starts", async () => {
  const first = candidate("first", "stolen");
  await first.leads;
  const lease = await client.get(leases, { name: "stolen", namespace: "default" });
  await client.replace(leases, { ...lease, spec: { ...lease.spec, holderIdentity: "thief" } });
  await within(first.lost, 5_000);
  assert.is(first.election.leading, false);
  await first.stop();
});

test("without the API server a leader stops within two thirds of the duration", async () => {
  const alone = candidate("alone", "cut");
  await alone.leads;
  const cutAt = performance.now();
  await plane.killApiServer();
  await within(alone.lost, 10_000);
  const stoppedMs = performance.now() - cutAt;
  assert.is(alone.election.leading, false);
  assert.ok(stoppedMs < (10_000 * 5) / 6, `${stoppedMs} ms`);
  await plane.restartApiServer();
  await alone.stop();
});

test.run();

function candidate(identity: string, name: string) {
  const controller = new AbortController();
  const leads = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  const election = new LeaderElection({ client, log: silentLogger, lease: { name, namespace: "default" }, identity, durationSeconds: 10 });
  const running = election.run(async (signal) => {
    leads.resolve();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    lost.resolve();
  }, controller.signal);
  const stop = async () => {
    controller.abort(new Error("stopped"));
    await running;
  };
  return { election, leads: leads.promise, lost: lost.promise, stop };
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`nothing happened within ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
