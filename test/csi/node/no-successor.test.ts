// A daemon dies and no other can be started in its place: whoever uses the volume gets EIO within the limit, nobody sleeps on, and
// when a daemon can be started again the volume works as before.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { abortConnection } from "../../../src/fuse/connection.ts";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { temporaryFolder } from "../../bed/temporary-folder.ts";
import { eventually, type NodeProcess, publishRequest, startNode } from "../bed/node-process.ts";

const limitMs = 2_000;
/** Of a busy machine, beyond the limit. */
const slackMs = 8_000;
const program = path.join(import.meta.dirname, "../../../src/bin/mountpoint.ts");

interface Bed {
  s3: Awaited<ReturnType<typeof startEmbeddedS3>>;
  folder: Awaited<ReturnType<typeof temporaryFolder>>;
  node: NodeProcess;
  /** The daemon's program, as the administrator might break and mend it. */
  breakProgram(): void;
  mendProgram(): void;
}

const test = suite<Bed>("no successor");
test.before(async (bed) => {
  bed.s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data"] });
  for (const key of ["one", "two", "three"]) bed.s3.bucket("data").put(key, key);
  bed.folder = await temporaryFolder("daemon-program");
  const script = path.join(bed.folder.path, "daemon");
  const write = (text: string) => {
    writeFileSync(script, `#!/bin/sh\n${text}\n`);
    chmodSync(script, 0o755);
  };
  bed.breakProgram = () => write("exit 1");
  bed.mendProgram = () => write(`exec ${process.execPath} ${program}`);
  bed.mendProgram();
  bed.node = await startNode(
    { endpoint: bed.s3.endpoint, region: "us-east-1", ...testAccount },
    { env: { MOUNT_PROCESS_COMMAND: script, TAKE_OVER_TIMEOUT: `${limitMs}ms` } },
  );
});
test.after(async ({ node, s3, folder }) => {
  await node.stop();
  await s3.stop();
  await folder.remove();
});

/** A process of its own, so that its sleep can be seen and would not be ours. */
function reader(file: string) {
  const child = spawn("cat", [file], { stdio: ["ignore", "ignore", "pipe"], env: { PATH: process.env["PATH"], LC_ALL: "C" } });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words += chunk));
  const ended = once(child, "close", { signal: AbortSignal.timeout(limitMs + slackMs) }).then(([code]) => ({ code: code as number | null, words }));
  return { pid: child.pid as number, ended };
}

const sleepsInKernel = (pid: number) => /\) D /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

async function killDaemon({ node }: Bed): Promise<void> {
  process.kill(node.daemons()[0] as number, "SIGKILL");
  await eventually("the daemon is dead", () => node.daemons().length === 0);
}

let pods = 0;
async function publish({ node }: Bed): Promise<string> {
  const at = node.target(`pod-${++pods}`);
  await node.call.nodePublishVolume(publishRequest("data", at), { signal: AbortSignal.timeout(60_000) });
  return at;
}

test("readers get EIO within the limit: one the daemon had heard, and one that came later", async (bed) => {
  const at = await publish(bed);
  const remove = bed.s3.faults.add({ operation: "GetObject", fault: { kind: "hang" } });
  const heard = reader(path.join(at, "one"));
  await eventually("the daemon asks S3 for it", () => bed.s3.faults.hits > 0);
  bed.breakProgram();
  await killDaemon(bed);
  const before = performance.now();
  const unheard = reader(path.join(at, "two"));
  for (const { ended } of [heard, unheard]) {
    const { code, words } = await ended;
    assert.is(code, 1);
    assert.match(words, /Input\/output error/);
  }
  const waitedMs = performance.now() - before;
  process.stdout.write(`${JSON.stringify({ limitMs, waitedMs: Math.round(waitedMs) })}\n`);
  // The daemon was found dead a moment before we looked.
  assert.ok(waitedMs > limitMs / 2 && waitedMs < limitMs + slackMs, `${waitedMs} ms`);

  // From now on nobody waits at all.
  const late = performance.now();
  assert.match((await reader(path.join(at, "three")).ended).words, /Input\/output error/);
  assert.ok(performance.now() - late < limitMs, "answered at once");
  for (const { pid } of [heard, unheard]) assert.throws(() => sleepsInKernel(pid), /ENOENT/, "it has ended, and does not sleep");
  assert.match(bed.node.log(), /nobody serves the mount; its callers get EIO until a server comes/);
  remove();
});

test("a successor that can be started later takes the mount over, unasked", async (bed) => {
  const [at] = bed.node.mounts().map((mount) => mount.mountPoint).filter((point) => point.includes("/pods/")) as [string];
  const source = bed.node.mounts().length;
  bed.mendProgram();
  await eventually("a daemon serves again", () => bed.node.daemons().length === 1 && bed.node.log().includes("a new daemon took the mount over"), 30_000);
  assert.is(await readFile(path.join(at, "one"), "utf8"), "one");
  assert.is(bed.node.mounts().length, source, "the same mount");
});

test("the next publish works again, and so does what was published before", async (bed) => {
  const [at] = bed.node.mounts().map((mount) => mount.mountPoint).filter((point) => point.includes("/pods/")) as [string];
  bed.breakProgram();
  await killDaemon(bed);
  assert.is((await reader(path.join(at, "two")).ended).code, 1);
  bed.mendProgram();
  const next = await publish(bed);
  assert.is(await readFile(path.join(next, "two"), "utf8"), "two");
  assert.is(await readFile(path.join(at, "three"), "utf8"), "three");
});

test("a volume that nobody serves can be unpublished, and published anew", async (bed) => {
  bed.breakProgram();
  await killDaemon(bed);
  for (const { mountPoint } of bed.node.mounts().filter((mount) => mount.mountPoint.includes("/pods/")))
    await bed.node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: mountPoint }, { signal: AbortSignal.timeout(60_000) });
  await eventually("nothing is left", () => bed.node.mounts().length === 0);
  bed.mendProgram();
  assert.is(await readFile(path.join(await publish(bed), "one"), "utf8"), "one");
});

test("a connection that was aborted is given to no daemon again: the next publish makes a new one", async (bed) => {
  const [at] = bed.node.mounts().map((mount) => mount.mountPoint).filter((point) => point.includes("/pods/")) as [string];
  const [source] = bed.node.mounts().filter((mount) => !mount.mountPoint.includes("/pods/"));
  abortConnection(source?.minor as number);
  await eventually("the mount is given up", () => bed.node.log().includes("the mount has ended; its users get errors"), 30_000);
  await readFile(path.join(at, "one")).then(() => assert.unreachable(), ({ code }) => assert.is(code, "ENOTCONN"));
  assert.is(await readFile(path.join(await publish(bed), "one"), "utf8"), "one");
  assert.is(await readFile(path.join(at, "two"), "utf8"), "two");
});

test.run();
