// The bundles run from a directory that holds nothing else.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import manifest from "../../package.json" with { type: "json" };

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const test = suite("build", { folder: "" });

test.before(async (context) => {
  context.folder = await mkdtemp(path.join(os.tmpdir(), "build-test-"));
  await run(process.execPath, [path.join(root, "scripts/build.ts"), `--out=${context.folder}`], { timeout: 300_000 });
});
test.after((context) => rm(context.folder, { recursive: true, force: true }));

test("there is one bundle a process, and the addon for this machine only", async ({ folder }) => {
  const files = await readdir(folder, { recursive: true });
  for (const name of ["controller.js", "reconciler.js", "node.js", "mountpoint.js", "s3-csi.js"]) assert.ok(files.includes(name), name);
  const addons = files.filter((file) => file.endsWith(".node"));
  assert.equal(addons, [`node_modules/@koromix/koffi-linux-${process.arch}/linux_${process.arch}/koffi.node`]);
});

for (const name of ["controller", "reconciler", "node", "mountpoint", "s3-csi"]) {
  test(`${name}.js starts there`, async ({ folder }) => {
    const { stdout } = await run(process.execPath, [`${name}.js`, "--version"], { cwd: folder, env: {}, timeout: 120_000 });
    assert.match(stdout, manifest.version);
  });
}

for (const name of ["controller", "reconciler", "node"]) {
  test(`${name}.js without settings ends with 2 and says what it needs`, async ({ folder }) => {
    const error = await run(process.execPath, [`${name}.js`], { cwd: folder, env: {}, timeout: 120_000 }).catch((thrown: unknown) => thrown as { code: number; stderr: string });
    assert.is((error as { code: number }).code, 2);
    assert.match(error.stderr, "is required");
  });
}

test("the native code is found: the node service loads libc through koffi", async ({ folder }) => {
  const script = 'const { createRequire } = require("node:module"); console.log(createRequire(process.cwd() + "/node.js")("koffi").version);';
  const { stdout } = await run(process.execPath, ["-e", script], { cwd: folder, env: {}, timeout: 120_000 });
  assert.match(stdout, /^\d+\.\d+\.\d+/);
});

test.run();
