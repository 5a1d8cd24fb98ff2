// Writers that want more memory than there is: they wait, send early or are told; what arrives is what was written.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { MemoryStore } from "../../src/s3/memory-store.ts";
import { bench, errnoOfAction } from "./client.ts";

const MiB = 1 << 20;

function pattern(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i + 4 <= size; i += 4) bytes.writeUInt32LE(Math.imul(i + seed, 2654435761) >>> 0, i);
  return bytes;
}

for (const [writers, budget, step] of [
  [4, 32, 128 * 1024],
  [7, 64, 100_003],
  [2, 16, MiB],
] as const) {
  test(`${writers} writers in ${budget} MiB, ${step} bytes at a time`, async () => {
    const store = new MemoryStore({ latencyMs: 2 });
    const { client, fs } = bench({ store, memoryBudget: budget * MiB, maxWriters: 100 }, store);
    const contents = Array.from({ length: writers }, (_, i) => pattern(20 * MiB + i * 1001, i));
    await Promise.all(
      contents.map(async (content, i) => {
        const file = await client.create(`f${i}`);
        for (let at = 0; at < content.length; at += step) await client.write(file, at, content.subarray(at, at + step));
        await client.close(file);
      }),
    );
    for (const [i, content] of contents.entries()) assert.ok(content.equals(store.peek(`f${i}`)?.body ?? Buffer.alloc(0)), `f${i}`);
    assert.is(fs.status().memoryUsed, 0);
    assert.is(store.pendingUploads, 0);
  });
}

test("one program that writes many files in turn is told when memory can't carry them", async () => {
  const store = new MemoryStore();
  const { client, fs } = bench({ memoryBudget: 16 * MiB, maxWriters: 100 }, store);
  const files = [];
  for (let i = 0; i < 20; i++) files.push(await client.create(`f${i}`));
  const outcomes = new Set<string>();
  for (let round = 0; round < 3; round++)
    for (const file of files) outcomes.add(await errnoOfAction(() => client.write(file, round * MiB, Buffer.alloc(MiB))));
  assert.ok(outcomes.has("OK") && outcomes.has("ENOMEM"), [...outcomes].join());
  for (const file of files) await client.release(file);
  assert.is(fs.status().memoryUsed, 0);
});

test("readers and writers share one budget", async () => {
  const store = new MemoryStore({ latencyMs: 1 });
  const { client, fs } = bench({ store, memoryBudget: 24 * MiB }, store);
  const content = pattern(30 * MiB, 1);
  store.set("read", content);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, fs.status().memoryUsed);
  }, 1);
  await Promise.all([
    client.readFile("read").then((read) => assert.ok(read.equals(content))),
    client.readFile("read").then((read) => assert.ok(read.equals(content))),
    client.writeFile("written", content),
  ]);
  clearInterval(watch);
  assert.ok(content.equals(store.peek("written")?.body ?? Buffer.alloc(0)));
  assert.ok(peak > 0 && peak <= 24 * MiB, `${peak}`);
});

test.run();
