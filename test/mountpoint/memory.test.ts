// The memory of the daemon as it is shipped, bundled, while it reads 1 GiB in sequence, and four times that at once, at default
// settings.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";
import { keysMessage, startDaemon } from "./daemon-bed.ts";

const MiB = 1024 * 1024;
const limitMiB = 256;
const s3 = await startEmbeddedS3({ buckets: ["data"] });
const piece = Buffer.alloc(8 * MiB, "0123456789abcdef");
for (const name of ["a", "b", "c", "d"]) s3.bucket("data").put(name, ...Array.from({ length: 128 }, () => piece));
const bundle = await temporaryFolder("bundle");
chmodSync(bundle.path, 0o755);
execFileSync(process.execPath, [path.join(import.meta.dirname, "../../scripts/build.ts"), `--out=${bundle.path}`], { stdio: "ignore" });
const daemon = await startDaemon({ command: [process.execPath, path.join(bundle.path, "mountpoint.js")] });
const env = { AWS_ENDPOINT_URL: s3.endpoint };
await daemon.mount({ bucketName: "data", args: ["--allow-other", "--force-path-style"], env, credentials: keysMessage(s3.key) });

test("1 GiB in sequence", async () => {
  assert.is(await read("a"), 1024 * MiB);
  assert.ok(peakMiB() <= limitMiB, `${peakMiB()} MiB`);
});

test("4 × 1 GiB at once", async () => {
  assert.equal(await Promise.all(["a", "b", "c", "d"].map(read)), Array(4).fill(1024 * MiB));
  assert.ok(peakMiB() <= limitMiB, `${peakMiB()} MiB`);
});

test.after(async () => {
  console.log(`peak ${peakMiB()} MiB`);
  await daemon[Symbol.asyncDispose]();
  await s3.stop();
  await bundle.remove();
});
test.run();

/** In a process of its own: the S3 server runs in this one. */
async function read(name: string): Promise<number> {
  const child = spawn("/bin/sh", ["-c", 'dd if="$0" bs=1M 2>/dev/null | wc -c', path.join(daemon.mountPoint, name)], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk));
  await once(child, "close", { signal: AbortSignal.timeout(240_000) });
  return Number(out);
}

/** The most the kernel has ever seen of it. */
function peakMiB(): number {
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${daemon.process.pid}/status`, "utf8"))?.[1]) / 1024);
}
