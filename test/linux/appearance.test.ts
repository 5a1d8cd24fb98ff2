import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { appeared } from "../../src/linux/appearance.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";

const limit = () => AbortSignal.timeout(10_000);

test("a file that is there has appeared", async () => {
  await using folder = await temporaryFolder("appearance");
  writeFileSync(path.join(folder.path, "file"), "");
  await appeared(path.join(folder.path, "file"), limit());
});

test("a file in directories that come one by one, with others beside them, is seen within milliseconds", async () => {
  await using folder = await temporaryFolder("appearance");
  const file = path.join(folder.path, "a/b/c/file");
  let seen = false;
  const waiting = appeared(file, limit()).then(() => {
    seen = true;
  });
  for (const directory of ["a", "other", "a/b", "a/b/other", "a/b/c"]) {
    mkdirSync(path.join(folder.path, directory));
    await delay(20);
  }
  writeFileSync(path.join(folder.path, "a/b/c/neighbour"), "");
  await delay(20);
  assert.not.ok(seen);
  const began = performance.now();
  writeFileSync(file, "");
  await waiting;
  assert.ok(performance.now() - began < 1_000);
});

test("a directory that goes and comes again is followed", async () => {
  await using folder = await temporaryFolder("appearance");
  const directory = path.join(folder.path, "a");
  mkdirSync(directory);
  const waiting = appeared(path.join(directory, "file"), limit());
  await delay(20);
  rmSync(directory, { recursive: true });
  await delay(20);
  mkdirSync(directory);
  await delay(20);
  writeFileSync(path.join(directory, "file"), "");
  await waiting;
});

test("the wait ends with its signal", async () => {
  await using folder = await temporaryFolder("appearance");
  const controller = new AbortController();
  const waiting = appeared(path.join(folder.path, "never"), controller.signal);
  await delay(20);
  controller.abort(new Error("enough"));
  const error = await waiting.catch((thrown: Error) => thrown);
  assert.is((error as Error).message, "enough");
});

test.run();
