// Sizes and numbers at the edges: whole files of every awkward size, an object beyond 5 GiB both ways, a directory of 100,000.
import { createHash } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { MemoryStore } from "../../src/s3/memory-store.ts";
import { bench } from "./client.ts";
import { fill } from "./filled.ts";

const MiB = 1 << 20;
const part = 8 * MiB;
const huge = 5 * 1024 * MiB + 1;

function content(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  fill(bytes, 0);
  return bytes;
}

for (const size of [0, 1, 4095, 4096, 4097, part - 1, part, part + 1, 2 * part, 2 * part + 1]) {
  test(`a file of ${size} bytes`, async () => {
    const { store, client } = bench({ writePartSize: part });
    const expected = content(size);
    await client.writeFile("f", expected);
    assert.ok(expected.equals(store.peek("f")?.body ?? Buffer.from("missing")));
    assert.ok(expected.equals(await client.readFile("f")));
    assert.is((await client.stat("f")).size, size);
  });
}

test("reading 5 GiB + 1: every byte in its place, within the budget", async () => {
  const store = new MemoryStore();
  store.set("huge", { size: huge, fill });
  const { client, fs } = bench({}, store);
  const file = await client.open("huge");
  const want = Buffer.alloc(MiB);
  let wrong = 0;
  for (let offset = 0; offset < huge; offset += MiB) {
    const got = await client.read(file, offset, MiB);
    fill(want.subarray(0, got.length), offset);
    if (!want.subarray(0, got.length).equals(got) || got.length !== Math.min(MiB, huge - offset)) wrong++;
    assert.ok(fs.status().memoryUsed <= fs.status().memoryBudget);
  }
  assert.is(wrong, 0);
  assert.is((await client.read(file, huge - 1, 10)).length, 1);
  assert.ok(store.bytesFetched <= huge * 1.01, "nothing is fetched twice");
  await client.close(file);
});

test("writing 5 GiB + 1: in parts that S3 takes, all bytes", async () => {
  const store = new MemoryStore({ keepBodies: false });
  const { client, fs } = bench({}, store);
  const file = await client.create("huge");
  const chunk = Buffer.alloc(MiB);
  for (let offset = 0; offset < huge; offset += MiB) await client.write(file, offset, chunk.subarray(0, Math.min(MiB, huge - offset)));
  await client.close(file);
  assert.is(store.peek("huge")?.size, huge);
  assert.is(store.bytesWritten, huge);
  assert.is(store.pendingUploads, 0);
  assert.is(fs.status().memoryUsed, 0);
});

test("100,000 entries in one directory: each once, 100 listings", async () => {
  const { store, client } = bench();
  const hash = createHash("sha256");
  for (let i = 0; i < 100_000; i++) {
    const name = `file-${String(i).padStart(6, "0")}`;
    hash.update(name);
    store.set(`d/${name}`, new Uint8Array(0), { etag: '"e"' });
  }
  await client.node("d");
  store.resetCounters();
  const started = performance.now();
  const names = await client.names("d", true);
  const ms = performance.now() - started;
  assert.is(names.length, 100_000);
  const seen = createHash("sha256");
  for (const name of names) seen.update(name);
  assert.is(seen.digest("hex"), hash.digest("hex"), "in order, none missing, none twice");
  assert.is(store.calls.list, 100);
  process.stdout.write(`    100,000 entries in ${ms.toFixed(0)} ms\n`);
  client.forgetAll();
});

test.run();
