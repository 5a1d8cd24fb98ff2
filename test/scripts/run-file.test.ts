// The test runner on real test files that pass, fail, hang, skip, say nothing or leave processes behind.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type FileResult, type RunOptions, runFile } from "../../scripts/test/run-file.ts";

const test = suite("run-file", { folder: "" });
test.before.each(async (context) => {
  // Inside the repository, where uvu is found.
  context.folder = await mkdtemp(path.join(import.meta.dirname, ".run-file-"));
});
test.after.each((context) => rm(context.folder, { recursive: true }));

async function run(folder: string, body: string, options: Partial<RunOptions> = {}): Promise<FileResult> {
  const file = path.join(folder, "sample.ts");
  await writeFile(file, `import { test } from "uvu";\nimport * as assert from "uvu/assert";\n${body}`);
  return runFile(file, { limitMs: 120_000, signal: AbortSignal.timeout(150_000), env: {}, onProgress: () => {}, ...options });
}

const counts = ({ passed, failed, trouble }: FileResult) => [passed, failed, trouble];

test("passing tests are counted", async ({ folder }) => {
  assert.equal(counts(await run(folder, 'test("a", () => assert.ok(1)); test("b", () => assert.ok(1)); test.run();')), [2, 0, ""]);
});

test("failing tests are counted, and the output says why", async ({ folder }) => {
  const result = await run(folder, 'test("a", () => assert.ok(1)); test("b", () => assert.is(1, 2, "one is not two")); test.run();');
  assert.equal(counts(result), [1, 1, ""]);
  assert.match(result.output, "one is not two");
});

test("a file without tests fails", async ({ folder }) => {
  assert.equal(counts(await run(folder, "")), [0, 1, "it ended (0) without reporting any test"]);
  assert.equal(counts(await run(folder, 'test("a", () => assert.ok(1));')), [0, 1, "it ended (0) without reporting any test"]);
});

test("a file that throws fails", async ({ folder }) => {
  const result = await run(folder, 'throw new Error("at import");');
  assert.is(result.failed, 1);
  assert.match(result.output, "at import");
});

test("a file that ends badly after its tests passed fails", async ({ folder }) => {
  const result = await run(folder, 'test("a", () => assert.ok(1)); test.run(); process.on("exit", () => { process.exitCode = 3; });');
  assert.equal(counts(result), [1, 1, "it ended with 3 although its tests passed"]);
});

test("a hook that fails is told, and does not hide why the test failed", async ({ folder }) => {
  const hooks = 'test.after.each(() => { throw new Error("no clean-up"); });';
  const hidden = await run(folder, `${hooks} test("a", () => assert.is(1, 2, "one is not two")); test("b", () => {}); test.run();`);
  assert.equal(counts(hidden), [1, 1, ""]);
  assert.match(hidden.output, "one is not two");
  assert.match(hidden.output, "no clean-up");
  assert.equal(counts(await run(folder, `${hooks} test("a", () => {}); test.run();`)), [1, 1, "it ended with 1 although its tests passed"]);
  const before = await run(folder, 'test.before(() => { throw new Error("no set-up"); }); test("a", () => {}); test.run();');
  assert.is(before.failed, 1);
  assert.match(before.output, "no set-up");
});

test("a skipped test is a failure", async ({ folder }) => {
  assert.is((await run(folder, 'test("a", () => assert.ok(1)); test.skip("b", () => {}); test.run();')).failed, 1);
});

test("a test that hangs is ended at the limit", async ({ folder }) => {
  const result = await run(folder, 'test("a", () => new Promise(() => setInterval(() => {}, 1000))); test.run();', { limitMs: 1500 });
  assert.is(result.failed, 1);
  assert.match(result.trouble, "was ended");
});

test("processes that a test leaves behind are ended, also those in a session of their own", async ({ folder }) => {
  const body = `import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
    test("a", () => {
      const children = [spawn("sleep", ["600"]), spawn("sleep", ["601"], { detached: true, stdio: "ignore" })];
      writeFileSync(${JSON.stringify(path.join(folder, "pids"))}, children.map((child) => child.pid).join(" "));
      setTimeout(() => process.exit(0), 300);
    });
    test.run();`;
  const result = await run(folder, body);
  assert.equal(counts(result), [1, 0, ""]);
  assert.match(result.output, "left running, and ended now: sleep");
  const pids = (await readFile(path.join(folder, "pids"), "utf8")).split(" ");
  const alive = await Promise.all(pids.filter((pid) => existsSync(`/proc/${pid}/stat`)).map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  // A zombie that nobody has waited for yet is as dead as can be.
  assert.equal(alive.filter((stat) => stat !== "" && !/\) Z /.test(stat)), []);
});

test.run();
