import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { backoffMs, sleep } from "../../src/core/backoff.ts";
import { DriverError } from "../../src/core/errors.ts";
import { KeyedLock } from "../../src/core/keyed-lock.ts";
import { sharedLook } from "../../src/core/shared-look.ts";

const test = suite("waiting");

test("a backoff grows to its ceiling and never passes it", () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.integer({ min: 1, max: 1000 }), fc.nat(100_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, baseMs, maxMs, draw) => {
      const wait = backoffMs(attempt, { baseMs, maxMs, random: () => draw });
      assert.ok(wait >= 0 && wait <= maxMs && wait <= baseMs * 2 ** attempt);
    }),
  );
  assert.is(backoffMs(3, { baseMs: 10, maxMs: 1000, random: () => 1 }), 80);
});

test("a sleep ends with the reason of its signal", async () => {
  const reason = new DriverError("Cancelled", "enough");
  const stop = new AbortController();
  const sleeping = sleep(60_000, stop.signal).catch((error: unknown) => error);
  stop.abort(reason);
  assert.is(await sleeping, reason);
  assert.is(await sleep(60_000, stop.signal).catch((error: unknown) => error), reason);
});

test("tasks of one key run one after the other in order, of two keys together", async () => {
  const lock = new KeyedLock();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lock.run("a", async () => {
    order.push("a1");
    await gate.promise;
    order.push("a1 end");
  });
  const second = lock.run("a", async () => void order.push("a2"));
  await lock.run("b", async () => void order.push("b"));
  gate.resolve();
  await Promise.all([first, second]);
  assert.equal(order, ["a1", "b", "a1 end", "a2"]);
  assert.is(lock.size, 0);
});

test("a failed task lets the next one in", async () => {
  const lock = new KeyedLock();
  const failing = lock.run("a", async () => Promise.reject(new Error("no"))).catch((error: Error) => error.message);
  assert.is(await lock.run("a", async () => "in"), "in");
  assert.is(await failing, "no");
});

test("who gives up waiting does not let the one behind pass the one before", async () => {
  const lock = new KeyedLock();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = lock.run("a", async () => {
    await gate.promise;
    order.push("first");
  });
  const giveUp = new AbortController();
  const second = lock.run("a", async () => void order.push("second"), giveUp.signal).catch(() => order.push("gave up"));
  const third = lock.run("a", async () => void order.push("third"));
  giveUp.abort();
  await second;
  gate.resolve();
  await Promise.all([first, third]);
  assert.equal(order, ["gave up", "first", "third"]);
  assert.is(lock.size, 0);
});

test("never two holders of one key, whatever the order of events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 12 }), async (scheduler, keys) => {
      const lock = new KeyedLock();
      const holders = { a: 0, b: 0 };
      const all = keys.map((key) =>
        lock.run(key, async () => {
          assert.is(++holders[key], 1);
          await scheduler.schedule(Promise.resolve());
          holders[key]--;
        }),
      );
      await scheduler.waitAll();
      while (scheduler.count() > 0 || lock.size > 0) {
        await scheduler.waitAll();
        await Promise.resolve();
      }
      await Promise.all(all);
    }),
    { numRuns: 50 },
  );
});

test("many who look at once share a look, and none is given one that began before they asked", async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  let state = "old";
  const look = sharedLook(async () => {
    const seen = state;
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    if (seen === "broken") throw new Error(seen);
    return seen;
  });
  const first = look();
  state = "broken";
  const second = [look(), look()].map((asked) => asked.catch((error: Error) => `failed: ${error.message}`));
  gates[0]?.resolve();
  assert.is(await first, "old");
  while (gates.length < 2) await Promise.resolve();
  state = "new";
  const third = [look(), look(), look()];
  gates[1]?.resolve();
  assert.equal(await Promise.all(second), ["failed: broken", "failed: broken"]);
  while (gates.length < 3) await Promise.resolve();
  gates[2]?.resolve();
  assert.equal(await Promise.all(third), ["new", "new", "new"]);
  const alone = look();
  gates[3]?.resolve();
  assert.is(await alone, "new");
  assert.is(gates.length, 4);
});

test.run();
