import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { withFileLock } from "../../scripts/tools/file-lock.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";

const limit = () => AbortSignal.timeout(20_000);

test("one holder at a time", async () => {
  await using folder = await temporaryFolder("lock");
  const file = path.join(folder.path, "lock");
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 5 }, () =>
      withFileLock(file, { signal: limit() }, async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
      }),
    ),
  );
  assert.is(most, 1);
});

test("a holder that is killed frees it", async () => {
  await using folder = await temporaryFolder("lock");
  const file = path.join(folder.path, "lock");
  const script = `
    const { withFileLock } = await import(${JSON.stringify(path.resolve(import.meta.dirname, "../../scripts/tools/file-lock.ts"))});
    await withFileLock(${JSON.stringify(file)}, {}, () => { console.log("held"); return new Promise((r) => setTimeout(r, 60_000)); });`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data", { signal: limit() });
  holder.kill("SIGKILL");
  assert.is(await withFileLock(file, { signal: limit() }, async () => "mine"), "mine");
});

test("an abort ends the wait", async () => {
  await using folder = await temporaryFolder("lock");
  const file = path.join(folder.path, "lock");
  await withFileLock(file, { signal: limit() }, async () => {
    const outcome = await withFileLock(file, { signal: AbortSignal.timeout(100) }, async () => "mine").catch((error: Error) => error.name);
    assert.is(outcome, "TimeoutError");
  });
});

test.run();
