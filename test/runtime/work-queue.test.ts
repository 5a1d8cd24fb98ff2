import { test } from "uvu";
import * as assert from "uvu/assert";
import { DriverError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import { runWorkers } from "../../src/runtime/runner.ts";
import { WorkQueue } from "../../src/runtime/work-queue.ts";

const never = new AbortController().signal;

test("keys come in order, each once", async () => {
  const queue = new WorkQueue();
  for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
  assert.equal([await queue.next(never), await queue.next(never), await queue.next(never)], ["a", "b", "c"]);
  assert.is(queue.counts.ready, 0);
});

test("added during its own work a key comes again afterwards, and not before", async () => {
  const queue = new WorkQueue();
  queue.add("a");
  await queue.next(never);
  queue.add("a");
  queue.add("a");
  assert.is(queue.counts.ready, 0);
  queue.done("a");
  assert.is(await queue.next(never), "a");
  queue.done("a");
  assert.is(queue.counts.ready, 0);
});

test("of two delays the earlier wins", async () => {
  const queue = new WorkQueue();
  queue.addAfter("a", 5_000);
  queue.addAfter("a", 10);
  queue.addAfter("a", 3_000);
  const began = performance.now();
  assert.is(await queue.next(AbortSignal.timeout(2_000)), "a");
  assert.ok(performance.now() - began < 1_000);
  queue.clear();
});

test("retries wait longer each time, up to the limit, until forgotten", () => {
  const queue = new WorkQueue({ baseMs: 100, maxMs: 1_000, random: () => 1 });
  assert.equal(Array.from({ length: 6 }, () => queue.retry("a")), [100, 200, 400, 800, 1_000, 1_000]);
  queue.forget("a");
  assert.is(queue.retry("a"), 100);
  queue.clear();
});

test("a wait ends with its signal, and the key goes to the next one who asks", async () => {
  const queue = new WorkQueue();
  const controller = new AbortController();
  const waiting = queue.next(controller.signal);
  controller.abort(new DriverError("Cancelled", "enough"));
  let thrown: unknown;
  await waiting.catch((error) => {
    thrown = error;
  });
  assert.instance(thrown, DriverError);
  queue.add("a");
  assert.is(await queue.next(never), "a");
});

test("eight workers: no key twice at the same time, every key at last, failures again", async () => {
  const queue = new WorkQueue({ baseMs: 2, maxMs: 20 });
  const controller = new AbortController();
  const busy = new Set<string>();
  const done = new Map<string, number>();
  let overlaps = 0;
  let failures = 0;
  const settled = Promise.withResolvers<void>();
  const reconcile = async (key: string) => {
    if (busy.has(key)) overlaps += 1;
    busy.add(key);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    busy.delete(key);
    if (Math.random() < 0.2) {
      failures += 1;
      throw new Error("again");
    }
    done.set(key, (done.get(key) ?? 0) + 1);
    if (done.size === 100) settled.resolve();
    return {};
  };
  const running = runWorkers({ queue, concurrency: 8, reconcile, log: silentLogger }, controller.signal);
  for (let round = 0; round < 10; round += 1) {
    for (let index = 0; index < 100; index += 1) queue.add(`key-${index}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await settled.promise;
  controller.abort(new Error("over"));
  await running;
  queue.clear();
  assert.is(overlaps, 0);
  assert.ok(failures > 0);
});

test("a reconcile may ask to be called again", async () => {
  const queue = new WorkQueue();
  const controller = new AbortController();
  let calls = 0;
  const reconcile = async () => {
    calls += 1;
    if (calls === 3) controller.abort(new Error("over"));
    return { againMs: 5 };
  };
  queue.add("a");
  await runWorkers({ queue, concurrency: 1, reconcile, log: silentLogger }, AbortSignal.any([controller.signal, AbortSignal.timeout(5_000)]));
  queue.clear();
  assert.is(calls, 3);
});

test.run();
