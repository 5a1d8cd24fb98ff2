import { test } from "uvu";
import * as assert from "uvu/assert";
import { MemoryStore } from "../../../src/s3/memory-store.ts";
import { bench, errnoOfAction, O } from "../client.ts";

test("S-OPEN-1 O_RDWR reads or writes, as the file is", async () => {
  const plain = bench();
  plain.store.set("old", "1");
  const old = await plain.client.open("old", O.RDWR);
  assert.is((await plain.client.read(old, 0, 10)).toString(), "1");
  assert.is(await errnoOfAction(() => plain.client.write(old, 0, "x")), "EBADF");
  const fresh = await plain.client.create("new", O.RDWR);
  assert.is(await plain.client.write(fresh, 0, "x"), 1);
  assert.is(await errnoOfAction(() => plain.client.read(fresh, 0, 1)), "EBADF");

  const overwriting = bench({ allowOverwrite: true });
  overwriting.store.set("f", "1");
  const kept = await overwriting.client.open("f", O.RDWR);
  assert.is((await overwriting.client.read(kept, 0, 10)).toString(), "1");
  await overwriting.client.close(kept);
  const replaced = await overwriting.client.open("f", O.RDWR | O.TRUNC);
  assert.is(await overwriting.client.write(replaced, 0, "2"), 1);

  const appending = bench({ incrementalUpload: true, bucketType: "directory" }, new MemoryStore({ directoryBucket: true }));
  appending.store.set("f", "1");
  const appended = await appending.client.open("f", O.RDWR | O.APPEND);
  assert.is(await appending.client.write(appended, 1, "2"), 1);
});

test("S-OPEN-2 the wrong direction is EBADF", async () => {
  const { store, client } = bench();
  store.set("f", "1");
  const reading = await client.open("f");
  const writing = await client.create("g");
  assert.is(await errnoOfAction(() => client.write(reading, 1, "x")), "EBADF");
  assert.is(await errnoOfAction(() => client.read(writing, 0, 1)), "EBADF");
});

test("S-OPEN-3 synchronous writing is refused", async () => {
  const { store, client } = bench();
  store.set("f", "1");
  assert.is(await errnoOfAction(() => client.open("f", O.SYNC)), "EINVAL");
  assert.is(await errnoOfAction(() => client.open("f", O.DSYNC)), "EINVAL");
  assert.is(await errnoOfAction(() => client.create("g", O.WRONLY | O.SYNC)), "EINVAL");
  assert.is(await errnoOfAction(() => client.stat("g")), "ENOENT");
});

test("S-OPEN-4 existing files are only replaced as a whole, and when allowed", async () => {
  const plain = bench();
  plain.store.set("f", "1");
  for (const flags of [O.WRONLY, O.WRONLY | O.TRUNC, O.WRONLY | O.APPEND])
    assert.is(await errnoOfAction(() => plain.client.open("f", flags)), "EPERM");
  const overwriting = bench({ allowOverwrite: true });
  overwriting.store.set("f", "1");
  assert.is(await errnoOfAction(() => overwriting.client.open("f", O.WRONLY)), "EPERM");
  assert.is(await errnoOfAction(() => overwriting.client.open("f", O.WRONLY | O.TRUNC)), "OK");
});

test("S-OPEN-5 many readers or one writer", async () => {
  const { store, client } = bench({ allowOverwrite: true });
  store.set("f", "1");
  const writer = await client.create("new");
  assert.is(await errnoOfAction(() => client.open("new", O.WRONLY | O.TRUNC)), "EPERM");
  assert.is(await errnoOfAction(() => client.open("new")), "EPERM");
  await client.close(writer);
  const readers = [await client.open("f"), await client.open("f")];
  assert.is(await errnoOfAction(() => client.open("f", O.WRONLY | O.TRUNC)), "EPERM");
  for (const reader of readers) await client.close(reader);
  const replacing = await client.open("f", O.WRONLY | O.TRUNC);
  assert.is(await errnoOfAction(() => client.open("f")), "EPERM");
  await client.close(replacing);
});

test("S-OPEN-6 a node that was never written can't be read", async () => {
  const { client } = bench();
  await client.mknod("f");
  assert.is(await errnoOfAction(() => client.open("f")), "EPERM");
  const file = await client.open("f", O.WRONLY);
  await client.close(file);
  assert.is((await client.readFile("f")).length, 0);
});

test("S-OPEN-7 directories are not files", async () => {
  const { store, client } = bench();
  store.set("d/f", "1");
  assert.is(await errnoOfAction(() => client.open("d")), "EISDIR");
  assert.is(await errnoOfAction(() => client.open("d", O.WRONLY)), "EISDIR");
});

test("S-OPEN-8 more writers than memory carries get ENOMEM", async () => {
  const { client } = bench({ maxWriters: 2 });
  const first = await client.create("a");
  await client.create("b");
  assert.is(await errnoOfAction(() => client.create("c")), "ENOMEM");
  assert.is(await errnoOfAction(() => client.open("a", O.WRONLY)), "ENOMEM");
  assert.is(await errnoOfAction(() => client.stat("c")), "ENOENT");
  await client.close(first);
  assert.is(await errnoOfAction(() => client.create("c")), "OK");
});

test("S-OPEN-9 the next open ends a flushed upload, and its duplicates", async () => {
  const { store, client } = bench();
  const file = await client.create("f", O.WRONLY, 7);
  await client.write(file, 0, "abc");
  await client.flush(file, 8);
  assert.not.ok(store.peek("f"));
  assert.is((await client.readFile("f")).toString(), "abc");
  assert.is(await errnoOfAction(() => client.write(file, 3, "d")), "EBADF");
});

test("S-OPEN-9 a flushed duplicate that is used again counts again", async () => {
  const { client } = bench();
  const file = await client.create("f", O.WRONLY, 7);
  await client.write(file, 0, "abc");
  await client.flush(file, 8);
  await client.write(file, 3, "def");
  assert.is(await errnoOfAction(() => client.open("f")), "EPERM");
  await client.close(file, 7);
  assert.is((await client.readFile("f")).toString(), "abcdef");
});

test("S-OPEN-9 a flushed reader does not hold up a writer, which ends it", async () => {
  const { store, client } = bench({ allowOverwrite: true });
  store.set("f", "1");
  const reader = await client.open("f");
  await client.flush(reader);
  const writer = await client.open("f", O.WRONLY | O.TRUNC);
  assert.is(await errnoOfAction(() => client.read(reader, 0, 1)), "EBADF");
  await client.close(writer);
});

test("S-OPEN-10 O_EXCL refuses an existing name", async () => {
  const { store, client } = bench();
  store.set("f", "1");
  assert.is(await errnoOfAction(() => client.create("f", O.WRONLY | O.EXCL)), "EEXIST");
  assert.is(await errnoOfAction(() => client.create("g", O.WRONLY | O.EXCL)), "OK");
});

test.run();
