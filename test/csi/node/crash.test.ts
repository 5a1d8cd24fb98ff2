// kill -9 of the node service at every step of publish and unpublish. The steps are the system calls by which it changes
// something outside of itself: strace delivers SIGKILL with the n-th of them, for every n there is. Kills at random moments
// fill up the number (200 in all; S3CSI_CRASH_RUNS sets another). Afterwards a new node service gets the same call, as kubelet would send it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ensureAptPackages } from "../../../scripts/tools/apt.ts";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { eventually, type NodeProcess, publishRequest, startNode } from "../bed/node-process.ts";

const runs = Number(process.env["S3CSI_CRASH_RUNS"] ?? 200);
const calls = ["mount", "umount2", "mkdir", "rmdir", "rename", "unlink", "sendmsg", "connect", "vfork,clone,clone3", "fchown", "fchmod", "write,pwrite64", "writev"];
const limit = () => ({ signal: AbortSignal.timeout(90_000) });

/** Where to kill: with the n-th of these calls, or after a while. */
type Point = { readonly call: string; readonly n: number } | { readonly afterMs: number };

async function killed(node: NodeProcess, point: Point, call: () => Promise<unknown>): Promise<boolean> {
  const { pid, ended } = node.process();
  let dead = false;
  void ended.then(() => {
    dead = true;
  });
  if ("afterMs" in point) {
    const finished = call().then(() => {}, () => {});
    await delay(point.afterMs);
    process.kill(pid, "SIGKILL");
    await Promise.all([ended, finished]);
    return true;
  }
  // Every thread by its id, and no children: the daemon has a life of its own.
  const threads = readdirSync(`/proc/${pid}/task`).flatMap((thread) => ["-p", thread]);
  const tracer = spawn("strace", ["-qq", "-o", "/dev/null", ...threads, "-e", `trace=${point.call}`, "-e", `inject=${point.call}:signal=SIGKILL:when=${point.n}`], { stdio: "ignore" });
  const gone = once(tracer, "exit");
  await eventually("strace is attached", () => isTraced(pid) || tracer.exitCode !== null, 10_000);
  const outcome = await call().then(
    () => "success",
    () => "failure",
  );
  // The killed process may be a moment late to end.
  if (outcome === "failure") await ended;
  tracer.kill("SIGINT");
  await gone;
  if (!dead && outcome === "failure") throw new Error("the call failed without a kill");
  return dead;
}

function isTraced(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((thread) => !/TracerPid:\s*0\b/.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")));
  } catch {
    return true;
  }
}

function fuseDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === "/dev/fuse";
    } catch {
      return false;
    }
  }).length;
}

test(`${runs} kills: the same call succeeds after a restart, no mount, daemon or descriptor is leaked`, async () => {
  await ensureAptPackages(["strace"]);
  const s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data"] });
  const node = await startNode({ endpoint: s3.endpoint, region: "us-east-1", ...testAccount }, { logLevel: "warn" });
  const sprung = new Map<string, number>();
  let kills = 0;
  let pods = 0;

  /** One pod's life, with a kill in its publish or in its unpublish. False when the point was never reached. */
  const life = async (phase: "publish" | "unpublish", point: Point): Promise<boolean> => {
    const at = node.target(`pod-${++pods}`);
    const publish = () => node.call.nodePublishVolume(publishRequest("data", at), limit());
    const unpublish = () => node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: at }, limit());
    if (phase === "unpublish") await publish();
    const reached = await killed(node, point, phase === "publish" ? publish : unpublish);
    if (reached) {
      kills += 1;
      const key = `${phase} ${"call" in point ? `${point.call} ${point.n}` : "at random"}`;
      sprung.set(key, (sprung.get(key) ?? 0) + 1);
      await node.start();
    }
    if (phase === "publish") {
      await publish();
      assert.ok(Array.isArray(await readdir(at)), "the volume is there");
      assert.is(node.mounts().filter((mount) => mount.mountPoint === at).length, 1, "bound once");
      assert.is(fuseDescriptors(node.process().pid), 1, "one descriptor is held");
    }
    await unpublish();
    await eventually(`nothing is left after ${phase} ${JSON.stringify(point)}: ${JSON.stringify(node.mounts().map((mount) => mount.mountPoint))}`, () => node.mounts().length === 0 && node.daemons().length === 0 && readdirSync(node.comm).length === 0, 60_000);
    assert.is(fuseDescriptors(node.process().pid), 0, "no descriptor is left");
    return reached;
  };

  try {
    for (const phase of ["publish", "unpublish"] as const) {
      for (const call of calls) {
        for (let n = 1; n <= 6 && kills < runs && (await life(phase, { call, n })); n++);
      }
    }
    const systematic = kills;
    while (kills < runs) await life(kills % 2 === 0 ? "publish" : "unpublish", { afterMs: Math.random() * (kills % 2 === 0 ? 600 : 60) });
    process.stdout.write(`${kills} kills: ${systematic} at ${sprung.size} steps, the rest at random moments\n`);
    if (runs >= 200) assert.ok(sprung.size >= 20, `only ${sprung.size} different steps were reached`);
  } catch (error) {
    process.stdout.write(node.log().slice(-6000));
    throw error;
  } finally {
    await node.stop();
    await s3.stop();
  }
});

test.run();
