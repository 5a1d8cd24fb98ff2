// The kernel reads cached objects by itself, of a daemon that runs as uid 1000 without capabilities: the node service registers the
// cache's files for it. The daemon is stopped (SIGSTOP) while they are read, so nothing can come from it.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { temporaryFolder } from "../../bed/temporary-folder.ts";
import { eventually, type NodeProcess, publishRequest, startNode } from "../bed/node-process.ts";

const program = path.join(import.meta.dirname, "../../../src/bin/mountpoint.ts");
const content = Buffer.alloc(3 << 20, "the object's content, ");

interface Bed {
  s3: Awaited<ReturnType<typeof startEmbeddedS3>>;
  folder: Awaited<ReturnType<typeof temporaryFolder>>;
  node: NodeProcess;
  file: string;
}

const test = suite<Bed>("passthrough");
test.before(async (bed) => {
  bed.s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data"] });
  bed.s3.bucket("data").put("f", content);
  bed.folder = await temporaryFolder("daemon-1000");
  chmodSync(bed.folder.path, 0o755);
  // As a Mountpoint Pod has it: a user of its own, who owns the comm directory and the cache and may do nothing else.
  const script = path.join(bed.folder.path, "daemon");
  const lines = [
    "#!/bin/sh",
    'chmod 711 "$(dirname "$COMM_DIR")" && chown -R 1000:1000 "$COMM_DIR"',
    'mkdir -p "$MOUNTPOINT_CACHE_DIR" && chown 1000:1000 "$MOUNTPOINT_CACHE_DIR"',
    `exec setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs ${process.execPath} ${program}`,
  ];
  writeFileSync(script, `${lines.join("\n")}\n`);
  chmodSync(script, 0o755);
  bed.node = await startNode({ endpoint: bed.s3.endpoint, region: "us-east-1", ...testAccount }, { env: { MOUNT_PROCESS_COMMAND: script } });
  chmodSync(bed.node.root, 0o711);
  for (const directory of ["kubelet", "kubelet/plugins", "kubelet/plugins/s3.csi.scality.com"]) chmodSync(path.join(bed.node.root, directory), 0o711);
  const at = bed.node.target("pod");
  await bed.node.call.nodePublishVolume(publishRequest("data", at, { flags: ["cache /ignored", "allow-other"] }), { signal: AbortSignal.timeout(60_000) });
  bed.file = path.join(at, "f");
});
test.after(async ({ node, s3, folder }) => {
  for (const pid of node.daemons()) process.kill(pid, "SIGCONT");
  await node.stop();
  await s3.stop();
  await folder.remove();
});

const daemon = ({ node }: Bed) => node.daemons()[0] as number;

function cachedFile({ node }: Bed): string {
  const cache = path.join(node.kubelet, "plugins/s3.csi.scality.com/cache");
  const [name] = readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((entry) => entry.endsWith(".data"));
  return path.join(cache, name as string);
}

/** Reads it while the daemon cannot answer anything. */
async function readWithoutDaemon(bed: Bed): Promise<Buffer> {
  const handle = await open(bed.file, "r");
  try {
    process.kill(daemon(bed), "SIGSTOP");
    const bytes = Buffer.alloc(content.length);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    process.kill(daemon(bed), "SIGCONT");
    await handle.close();
  }
}

/** What the cache's file says is what is read: neither the kernel's pages nor the daemon's memory know of it. */
async function provePassthrough(bed: Bed, mark: string): Promise<void> {
  assert.ok(content.equals(await readFile(bed.file)));
  await eventually("the cache has it", () => readFileSync(cachedFile(bed)).equals(content));
  // The daemon offers it with the first open after it has proven the whole of it.
  const offers = () => bed.node.log().split("registered a backing file").length;
  const before = offers();
  for (const until = performance.now() + 10_000; offers() === before; await delay(20)) {
    assert.ok(performance.now() < until, `${mark}: never offered`);
    await (await open(bed.file, "r")).close();
  }
  const changed = Buffer.from(content);
  changed.write(mark);
  writeFileSync(cachedFile(bed), changed);
  assert.ok(changed.equals(await readWithoutDaemon(bed)), `${mark}: ${bed.node.log().slice(-3000)}`);
  writeFileSync(cachedFile(bed), content);
}

test("a daemon without privileges has its cached objects read by the kernel itself", async (bed) => {
  const status = readFileSync(`/proc/${daemon(bed)}/status`, "utf8");
  assert.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m);
  for (const set of ["CapEff", "CapPrm", "CapBnd"]) assert.match(status, new RegExp(`^${set}:\t0{16}$`, "m"));
  await provePassthrough(bed, "first");
});

test("again after the daemon died, and meanwhile who has it open reads on", async (bed) => {
  await using held = await open(bed.file, "r");
  const dead = daemon(bed);
  process.kill(dead, "SIGKILL");
  const bytes = Buffer.alloc(content.length);
  assert.is((await held.read(bytes, 0, bytes.length, 0)).bytesRead, content.length);
  assert.ok(content.equals(bytes));
  await eventually("a successor serves", () => bed.node.daemons().length === 1 && daemon(bed) !== dead, 30_000);
  await provePassthrough(bed, "second");
});

test("again after the node service was killed; what it had registered goes on", async (bed) => {
  await using held = await open(bed.file, "r");
  await bed.node.restart();
  // It takes the mount up at its first look around, and offers its help again.
  await eventually("the mount is taken up again", () => bed.node.log().includes("taken up again"), 30_000);
  assert.ok(content.equals(await readFile(bed.file)), "beside a reader of before");
  await held.close();
  await provePassthrough(bed, "third");
});

test.run();
