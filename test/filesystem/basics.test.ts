// The first things a file system must do, without the kernel.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { bench, errnoOfAction, O } from "./client.ts";

test("files and directories of a bucket are seen", async () => {
  const { store, client } = bench();
  store.set("a/b/c.txt", "hello");
  store.set("top", "x");
  assert.equal(await client.names(""), ["a", "top"]);
  assert.equal(await client.names("a/b", true), ["c.txt"]);
  assert.is((await client.readFile("a/b/c.txt")).toString(), "hello");
  assert.is((await client.stat("a/b/c.txt")).size, 5);
  assert.is(await errnoOfAction(() => client.stat("a/missing")), "ENOENT");
});

test("a written file is in the bucket after close", async () => {
  const { store, client } = bench();
  await client.writeFile("new/../x", "").catch(() => {});
  await client.writeFile("file", "content");
  assert.is(Buffer.from(store.peek("file")?.body ?? []).toString(), "content");
  assert.is((await client.readFile("file")).toString(), "content");
});

test("a large file goes in parts and comes back the same", async () => {
  const { store, client, fs } = bench();
  const content = Buffer.alloc(20 * 1024 * 1024 + 17);
  for (let i = 0; i < content.length; i += 4) content.writeUInt32LE((i * 2654435761) >>> 0, Math.min(i, content.length - 4));
  await client.writeFile("big", content);
  assert.is(store.calls.uploadPart, 3);
  assert.is(store.pendingUploads, 0);
  assert.ok(content.equals(await client.readFile("big")));
  assert.ok(fs.status().memoryUsed <= fs.status().memoryBudget);
});

test("directories made here become real with their first file", async () => {
  const { store, client } = bench();
  await client.mkdir("d");
  assert.equal(await client.names(""), ["d"]);
  assert.equal(store.keys, []);
  await client.writeFile("d/f", "1");
  assert.equal(store.keys, ["d/f"]);
  assert.is(await errnoOfAction(() => client.rmdir("d")), "EPERM");
});

test("unlink deletes when it may", async () => {
  const { store, client } = bench({ allowDelete: true });
  store.set("f", "1");
  await client.unlink("f");
  assert.equal(store.keys, []);
  assert.is(await errnoOfAction(() => client.open("f", O.RDONLY)), "ENOENT");
});

test.run();
