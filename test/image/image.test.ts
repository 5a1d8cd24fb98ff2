// The image's contents, its size, and that every program in it starts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildRootfs } from "../../scripts/image/build-image.ts";
import { writeOciArchive } from "../../scripts/image/oci-archive.ts";
import { programs } from "../../scripts/image/rootfs.ts";
import { runTool } from "../../scripts/tools/run-tool.ts";

const test = suite("image");
let folder: string;
let rootfs: string;

test.before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "s3csi-image-"));
  rootfs = path.join(folder, "rootfs");
  await mkdir(rootfs);
  await buildRootfs(rootfs, AbortSignal.timeout(120_000));
});
test.after(async () => rm(folder, { recursive: true, force: true }));

test("at most 200 MB", async () => {
  const { size } = await writeOciArchive({ name: "x:1", rootfs, out: path.join(folder, "image.tar") });
  console.error(`    the image: ${(size / 1e6).toFixed(1)} MB`);
  assert.ok(size <= 200e6, `${size} bytes`);
});

test("no shell, no package manager, nothing but programs, libraries, bundles and a few files of etc", async () => {
  assert.equal((await readdir(rootfs)).sort(), ["app", "bin", "comm", "csi", "dev", "etc", "lib", "lib64", "proc", "registration", "sys", "tmp", "usr"].filter((name) => name !== "lib64" || process.arch === "x64"));
  assert.equal((await readdir(path.join(rootfs, "bin"))).sort(), ["launcher", ...programs].sort());
  assert.equal(await readdir(path.join(rootfs, "usr/bin")), ["node"]);
});

test("every file can be read by a user who is not root, and none is setuid", async () => {
  for (const file of await readdir(rootfs, { recursive: true })) {
    const found = await stat(path.join(rootfs, file));
    assert.is(found.mode & 0o6000, 0, file);
    assert.ok(found.isDirectory() ? found.mode & 0o001 : found.mode & 0o004, file);
  }
});

for (const program of programs) {
  test(`${program} starts as a user`, async () => {
    const said = await run(["--userspec=1000:1000", rootfs, `/bin/${program}`, "--help"]);
    assert.match(said, /[a-z]/);
    assert.not.match(said, /Cannot find|SyntaxError|Error: /);
  });
}

test("the daemon is ready for options within 300 ms", async () => {
  const runs: { wallMs: number; cpuMs: number }[] = [];
  for (let attempt = 0; attempt < 5; attempt++) runs.push(await startDaemon(`/tmp/comm-${attempt}`));
  console.error(`    exec to ready: ${runs.map(({ wallMs, cpuMs }) => `${Math.round(wallMs)} ms (${cpuMs} ms of CPU)`).join(", ")}`);
  // On a busy machine the wall clock measures the others; what the start itself costs is its CPU time.
  const best = Math.min(...runs.map(({ wallMs, cpuMs }) => (os.loadavg()[0] ?? 0) > os.cpus().length ? cpuMs : wallMs));
  assert.ok(best <= 300, `${best} ms`);
});

test("a name that is no program of the image is refused by the launcher", async () => {
  await runTool("ln", ["-s", "launcher", path.join(rootfs, "bin/other")]);
  assert.match(await run([rootfs, "/bin/other"]), /no program of this image/);
});

test.run();

/** What it prints, both outputs; it may end with any status. */
async function run(args: readonly string[]): Promise<string> {
  const child = spawn("chroot", args, { stdio: ["ignore", "pipe", "pipe"], timeout: 20_000, env: { PATH: process.env["PATH"] } });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  await once(child, "close");
  return said;
}

async function startDaemon(comm: string): Promise<{ wallMs: number; cpuMs: number }> {
  await mkdir(path.join(rootfs, comm), { mode: 0o777 });
  const start = performance.now();
  const child = spawn("chroot", [rootfs, "/bin/scality-s3-csi-mounter"], { stdio: ["ignore", "ignore", "inherit"], env: { PATH: process.env["PATH"], COMM_DIR: comm, METRICS_PORT: "0", LOG_LEVEL: "error" } });
  try {
    while (!(await stat(path.join(rootfs, comm, "mount.sock")).catch(() => undefined))) {
      if (child.exitCode !== null || performance.now() - start > 20_000) throw new Error(`the daemon does not listen; it ended with ${child.exitCode}`);
      await delay(2);
    }
    const wallMs = performance.now() - start;
    // Fields 14 and 15 of /proc/<pid>/stat: user and system time, in hundredths of a second.
    const [user, system] = (await readFile(`/proc/${child.pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ").slice(11, 13).map(Number);
    return { wallMs, cpuMs: 10 * ((user ?? 0) + (system ?? 0)) };
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}
