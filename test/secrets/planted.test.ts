// A key that is planted is found, wherever it is; so a run without findings says something.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Report } from "../../scripts/test/secrets/report.ts";
import { formsOf, secretMark } from "../../scripts/test/secrets/mark.ts";
import { SecretScan } from "../../scripts/test/secrets/scan.ts";
import { faultsOf } from "../../scripts/test/secrets/verdict.ts";
import { watchProcesses } from "../../scripts/test/secrets/watch.ts";
import { startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { testAccount } from "../bed/s3-server.ts";

/** Another one than the keys have: what is planted here is no leak of the run. */
const mark = "PLANTEDMARK";

const test = suite<{ folder: string; report: Report; scan: SecretScan; leaks: () => string[] }>("planted keys");
test.before.each((context) => {
  context.folder = mkdtempSync(path.join(os.tmpdir(), "planted-"));
  context.report = new Report(path.join(context.folder, "report"));
  context.scan = new SecretScan(context.report, mark);
  context.leaks = () => context.report.read().flatMap((seen) => (seen.saw === "leak" ? [seen.where] : []));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true }));

const idle = ["-e", "setInterval(() => {}, 1000)"];
const planted: readonly [where: string, args: readonly string[], env: Record<string, string>][] = [
  ["the arguments of the process node", [...idle, mark], {}],
  ["the environment of the process node", idle, { AWS_SECRET_ACCESS_KEY: `x${mark}y` }],
  ["the arguments of the process mountpoint", [...idle, "/app/mountpoint.js", `--secret=${mark}`], {}],
];
for (const [where, args, env] of planted) {
  test(`in ${where}`, async ({ scan, report, leaks }) => {
    const stop = new AbortController();
    report.add({ saw: "part", name: "planted" });
    const watching = watchProcesses(scan, report, stop.signal);
    await delay(200);
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    try {
      for (let round = 0; round < 100 && leaks().length === 0; round++) await delay(50);
      assert.ok(leaks().includes(where), leaks().join());
      assert.not(report.read().some((seen) => JSON.stringify(seen).includes(mark)), "the report does not repeat it");
      assert.is(report.read().some((seen) => seen.saw === "driver" && seen.name === "mountpoint"), where.endsWith("mountpoint"));
    } finally {
      stop.abort();
      child.kill("SIGKILL");
      await Promise.all([watching, once(child, "exit")]);
    }
  });
}

test("in a log, also across two pieces of it", ({ scan, leaks, report }) => {
  report.add({ saw: "part", name: "planted" });
  scan.log("a clean log")(`{"msg":"nothing here"}\n`);
  assert.equal(leaks(), []);
  scan.log("a log")(`{"key":"${mark}"}\n`);
  const write = scan.log("a log in pieces");
  for (const letter of `before ${mark} after ${mark}`) write(letter);
  assert.equal(leaks(), ["a log", "a log in pieces"]);
});

test("in a file, also in base64 and across two blocks; not below another file system", ({ scan, leaks, folder }) => {
  const inside = (name: string, text: string) => writeFileSync(path.join(folder, "disk", name), text);
  mkdirSync(path.join(folder, "disk/deep"), { recursive: true });
  const large = 1 << 20;
  inside("clean", "x".repeat(3 * large));
  inside("plain", mark);
  inside("deep/across", `${"x".repeat(2 * large - 5)}${mark}`);
  for (const before of ["", "a", "ab"]) inside(`base64-${before}`, Buffer.from(`${before}${mark}secret`).toString("base64"));
  scan.folder(path.join(folder, "disk"));
  const names = ["base64-", "base64-a", "base64-ab", "deep/across", "plain"];
  assert.equal(leaks().sort(), names.map((name) => `the file ${folder}/disk/${name}`));
});

test("a file of keys is in order in memory, and not on disk", ({ scan, leaks, folder, report }) => {
  const place = "comm/hash/credentials";
  const memory = mkdtempSync("/dev/shm/planted-");
  try {
    for (const root of [folder, memory]) {
      mkdirSync(path.join(root, place), { recursive: true });
      writeFileSync(path.join(root, place, "s3-csi-credentials"), mark);
      scan.folder(root);
    }
    assert.equal(leaks(), [`the file ${folder}/${place}/s3-csi-credentials`]);
    assert.ok(report.read().some((seen) => seen.saw === "allowed" && seen.where.includes(memory)));
    appendFileSync(path.join(memory, place, "../node.log"), mark);
    scan.folder(memory);
    assert.is(leaks().length, 2, "a log beside it is not");
  } finally {
    rmSync(memory, { recursive: true });
  }
});

test("a run in which nothing was seen is no proof", ({ report, scan, folder }) => {
  const faults = (...more: Parameters<Report["add"]>) => {
    for (const sighting of more) report.add(sighting);
    return faultsOf(report.read());
  };
  assert.is(faults({ saw: "part", name: "csi" }).length, 5);
  scan.log("a log")("");
  scan.folder(folder);
  assert.is(faults({ saw: "allowed", where: "a place", reason: "it may" }).length, 2);
  assert.equal(faults({ saw: "driver", name: "node" }), []);
  assert.equal(faults({ saw: "part", name: "cluster" }), ["no process of the driver was seen in the part cluster"]);
  assert.is(faults({ saw: "leak", where: "a log" })[0], "a key in a log");
});

test("every key of the test bed can be recognised", async () => {
  assert.is(formsOf(secretMark).length, 4);
  const s3 = await startEmbeddedS3();
  for (const key of [testAccount, s3.key, s3.accounts.create("other").key, s3.accounts.createSession(s3.account)]) {
    const { accessKeyId, secretAccessKey, sessionToken } = { sessionToken: secretMark, ...key };
    for (const value of [accessKeyId, secretAccessKey, sessionToken]) assert.match(value, secretMark);
  }
  await s3.stop();
});

test.run();
