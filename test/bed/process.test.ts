import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startProcess } from "./process.ts";

const limit = () => AbortSignal.timeout(20_000);

test("keeps the output, waits for readiness, and stops", async () => {
  let asked = 0;
  const started = await startProcess({
    name: "shell",
    file: "sh",
    args: ["-c", "echo up; exec sleep 60"],
    ready: async () => ++asked === 3,
    signal: limit(),
  });
  assert.is(asked, 3);
  assert.is(started.log(), "up\n");
  assert.ok(isAlive(started.pid));
  await started.stop();
  assert.not(isAlive(started.pid));
});

test("a process that ends before it is ready is told with its output", async () => {
  const failure = await startProcess({
    name: "broken",
    file: "sh",
    args: ["-c", "echo no such thing >&2; exit 3"],
    ready: async () => false,
    signal: limit(),
  }).then(
    () => undefined,
    (error: Error) => error,
  );
  assert.match(failure?.message ?? "", /broken did not start: it ended with 3\nno such thing/);
});

test("a process that ignores SIGTERM is killed", async () => {
  const stubborn = await startProcess({
    name: "stubborn",
    file: "sh",
    args: ["-c", "trap '' TERM; while :; do sleep 0.05; done"],
    stopTimeoutMs: 100,
    signal: limit(),
  });
  await stubborn.stop();
  assert.not(isAlive(stubborn.pid));
});

test("an abort stops it", async () => {
  const abort = new AbortController();
  const sleeper = await startProcess({ name: "sleeper", file: "sleep", args: ["60"], signal: abort.signal });
  abort.abort();
  await sleeper.ended;
  assert.not(isAlive(sleeper.pid));
});

test("a test process killed with SIGKILL takes its processes along", async () => {
  const script = `
    const { startProcess } = await import(${JSON.stringify(path.join(import.meta.dirname, "process.ts"))});
    const child = await startProcess({ name: "sleeper", file: "sleep", args: ["60"] });
    console.log(child.pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [chunk] = await once(parent.stdout, "data", { signal: limit() });
  const pid = Number(String(chunk));
  assert.ok(isAlive(pid));
  parent.kill("SIGKILL");
  await once(parent, "exit");
  // The kernel sends the signal at the parent's end; the orphan is gone once its new parent has reaped it.
  const end = performance.now() + 5000;
  while (isAlive(pid) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.not(isAlive(pid));
});

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

test.run();
