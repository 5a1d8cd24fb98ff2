import { test } from "uvu";
import * as assert from "uvu/assert";
import { faultyStore } from "../../../src/s3/faulty-store.ts";
import { MemoryStore } from "../../../src/s3/memory-store.ts";
import { maxUploadSize, partSize } from "../../../src/filesystem/writes/parts.ts";
import { bench, caller, errnoOfAction, O } from "../client.ts";

const MiB = 1 << 20;
const bodyOf = (store: MemoryStore, key: string) => store.peek(key) && Buffer.from(store.peek(key)?.body ?? []).toString();

test("S-WRITE-1 writes go from front to back", async () => {
  for (const offset of [1, 2, 4]) {
    const { store, client } = bench();
    const file = await client.create("f");
    await client.write(file, 0, "abc");
    assert.is(await errnoOfAction(() => client.write(file, offset, "x")), "EINVAL");
    assert.is(await errnoOfAction(() => client.write(file, 3, "x")), "EINVAL");
    assert.is(await errnoOfAction(() => client.fsync(file)), "EINVAL");
    assert.is(await errnoOfAction(() => client.flush(file)), "EINVAL");
    await client.release(file);
    assert.equal(store.keys, []);
    assert.is(await errnoOfAction(() => client.stat("f")), "ENOENT");
  }
});

test("S-WRITE-2 the object appears whole, at close", async () => {
  const { store, client } = bench();
  const file = await client.create("f");
  await client.write(file, 0, Buffer.alloc(9 * MiB, 1));
  assert.equal(store.keys, []);
  await client.close(file);
  assert.is(store.peek("f")?.size, 9 * MiB);
});

test("S-WRITE-3 one PutObject up to the part size, parts beyond it", async () => {
  for (const [size, puts, parts] of [
    [0, 1, 0],
    [1, 1, 0],
    [8 * MiB - 1, 1, 0],
    [8 * MiB, 1, 0],
    [8 * MiB + 1, 0, 2],
    [17 * MiB, 0, 3],
  ] as const) {
    const { store, client } = bench();
    await client.writeFile("f", Buffer.alloc(size, 7));
    assert.equal(
      [store.calls.put, store.calls.uploadPart, store.calls.createUpload, store.calls.completeUpload],
      [puts, parts, parts ? 1 : 0, parts ? 1 : 0],
      `${size} bytes`,
    );
    assert.ok(Buffer.alloc(size, 7).equals(store.peek("f")?.body ?? Buffer.from("?")));
    assert.is(store.pendingUploads, 0);
  }
});

test("S-WRITE-3 parts grow to 5 TiB", () => {
  const largest = 1024 * MiB;
  assert.is(maxUploadSize(8 * MiB, largest), 5 * 1024 ** 4);
  assert.is(partSize(1, 8 * MiB, largest), 8 * MiB);
  assert.is(partSize(500, 8 * MiB, largest), 8 * MiB);
  assert.is(partSize(501, 8 * MiB, largest), 16 * MiB);
  assert.ok(maxUploadSize(8 * MiB, 32 * MiB) > 100 * 1024 ** 3, "100 GiB at the default budget");
});

test("S-WRITE-3 nothing stays of an upload that failed", async () => {
  for (const operation of ["createUpload", "uploadPart", "completeUpload"] as const) {
    for (const fault of ["server-error", "lost-answer"] as const) {
      const inner = new MemoryStore();
      const { client } = bench({ store: faultyStore(inner, [{ operation, nth: 1, fault }]) }, inner);
      const file = await client.create("f");
      const outcome = await errnoOfAction(async () => {
        for (let i = 0; i < 20; i++) await client.write(file, i * MiB, Buffer.alloc(MiB));
        await client.flush(file);
      });
      await client.release(file);
      // A completion that was carried out is a success even if its answer was lost.
      assert.is(outcome, operation === "completeUpload" && fault === "lost-answer" ? "OK" : "EIO", `${operation} ${fault}`);
      assert.is(inner.keys.length, outcome === "OK" ? 1 : 0);
      for (let i = 0; i < 100 && inner.pendingUploads > 0; i++) await new Promise((resolve) => setTimeout(resolve, 10));
      assert.is(inner.pendingUploads, 0);
    }
  }
});

test("S-WRITE-4 too large is EFBIG, then ENOSPC", async () => {
  const store = new MemoryStore({ keepBodies: false, minPartSize: 1 });
  const { client } = bench({ store, writePartSize: 16, memoryBudget: 8 * MiB }, store);
  const limit = maxUploadSize(16, 4 * MiB);
  assert.ok(limit > 1e7);
  const { client: tiny } = bench({ store, writePartSize: 1, memoryBudget: 8 * MiB }, store);
  const most = maxUploadSize(1, 4 * MiB);
  const file = await tiny.create("f");
  assert.is(await errnoOfAction(() => tiny.write(file, 0, Buffer.alloc(most + 1))), "EFBIG");
  assert.is(await errnoOfAction(() => tiny.fsync(file)), "ENOSPC");
  await tiny.release(file);
  await client.writeFile("g", Buffer.alloc(64));
});

test("S-WRITE-5 close() tells of failure, and ends what the opener wrote", async () => {
  const inner = new MemoryStore();
  const { client } = bench({ store: faultyStore(inner, [{ operation: "put", nth: 1, fault: "server-error" }]) }, inner);
  const file = await client.create("f", O.WRONLY, 7);
  await client.write(file, 0, "abc");
  assert.is(await errnoOfAction(() => client.flush(file, 7)), "EIO");
  await client.release(file);
  assert.equal(inner.keys, []);
});

test("S-WRITE-5 a fork's close, and a close before the first write, end nothing", async () => {
  const { store, client } = bench();
  const file = await client.create("f", O.WRONLY, 7);
  await client.flush(file, 7);
  await client.write(file, 0, "abc");
  await client.flush(file, 8);
  assert.not.ok(store.peek("f"));
  await client.write(file, 3, "def");
  await client.release(file);
  assert.is(bodyOf(store, "f"), "abcdef");
});

test("S-WRITE-6 fsync ends the upload", async () => {
  const { store, client } = bench();
  const file = await client.create("f");
  await client.write(file, 0, "abc");
  await client.fsync(file);
  assert.is(bodyOf(store, "f"), "abc");
  assert.is(await errnoOfAction(() => client.write(file, 3, "d")), "EIO");
  await client.close(file);
  const reader = await client.open("f");
  assert.is(await errnoOfAction(() => client.fsync(reader)), "OK");
});

test("S-WRITE-7 nothing written is an empty object", async () => {
  const { store, client } = bench({ allowOverwrite: true });
  await client.writeFile("f", "");
  assert.is(store.peek("f")?.size, 0);
  store.set("g", "old");
  await client.close(await client.open("g", O.WRONLY | O.TRUNC));
  assert.is(store.peek("g")?.size, 0);
});

test("S-WRITE-8 after a failure the name is as before", async () => {
  const inner = new MemoryStore();
  inner.set("old", "old");
  const { client, advance } = bench({ allowOverwrite: true, store: faultyStore(inner, [{ operation: "put", fault: "forbidden" }]) }, inner);
  assert.is(await errnoOfAction(() => client.writeFile("new", "x")), "EIO");
  assert.is(await errnoOfAction(() => client.writeFile("old", "x")), "EIO");
  advance(1);
  assert.is(await errnoOfAction(() => client.stat("new")), "ENOENT");
  assert.is((await client.readFile("old")).toString(), "old");
});

test("S-WRITE-9 a new file does not replace what somebody else wrote meanwhile", async () => {
  const { store, client } = bench();
  const file = await client.create("f");
  await client.write(file, 0, "mine");
  store.set("f", "theirs");
  assert.is(await errnoOfAction(() => client.flush(file)), "EEXIST");
  await client.release(file);
  assert.is((await client.readFile("f")).toString(), "theirs");
});

test("S-WRITE-9 stores without conditional writes are written to all the same", async () => {
  for (const conditionalWrites of ["refused", "ignored"] as const) {
    const store = new MemoryStore({ conditionalWrites });
    const { client } = bench({}, store);
    await client.writeFile("a", "1");
    await client.writeFile("b", "2");
    await client.writeFile("c", Buffer.alloc(9 * MiB));
    assert.equal(store.keys, ["a", "b", "c"]);
    assert.is(store.calls.put, conditionalWrites === "refused" ? 3 : 2, "asked once");
  }
});

test("S-WRITE-9 a lost answer is not mistaken for another writer", async () => {
  const inner = new MemoryStore();
  const { client } = bench({ store: faultyStore(inner, [{ operation: "put", nth: 1, fault: "lost-answer" }]) }, inner);
  await client.writeFile("f", "mine");
  assert.is(bodyOf(inner, "f"), "mine");
});

test("S-WRITE-10 attributes can't be changed, except the times of a file being written", async () => {
  const { store, client, fs } = bench();
  store.set("f", "1");
  store.set("d/x", "1");
  for (const changes of [{ size: 0 }, { mode: 0o600 }, { uid: 1 }, { mtimeMs: 5 }]) {
    assert.is(await errnoOfAction(async () => fs.setattr(await client.node("f"), changes, caller())), "EPERM");
    assert.is(await errnoOfAction(async () => fs.setattr(await client.node("d"), changes, caller())), "EPERM");
  }
  const file = await client.create("new");
  await client.write(file, 0, "abc");
  const reply = fs.setattr(file.node, { size: 1, mode: 0o600, uid: 9, mtimeMs: 5000, atimeMs: 6000 }, caller());
  assert.equal(
    [reply.attributes.size, reply.attributes.mode, reply.attributes.uid, reply.attributes.mtimeMs, reply.attributes.atimeMs],
    [3, 0o100644, 1000, 5000, 6000],
  );
  await client.close(file);
  assert.is(store.peek("new")?.size, 3);
});

test("S-WRITE-11 the old object stays until the new one is complete", async () => {
  const { store, client } = bench({ allowOverwrite: true });
  store.set("f", "old");
  const file = await client.open("f", O.WRONLY | O.TRUNC);
  await client.write(file, 0, "brand new");
  assert.is(bodyOf(store, "f"), "old");
  await client.close(file);
  assert.is(bodyOf(store, "f"), "brand new");
  assert.is((await client.readFile("f")).toString(), "brand new");
});

test("S-WRITE-12 incremental uploads append", async () => {
  const store = new MemoryStore({ directoryBucket: true });
  const { client } = bench({ incrementalUpload: true, bucketType: "directory", writePartSize: 4 }, store);
  store.set("log", "one ");
  const file = await client.open("log", O.WRONLY | O.APPEND);
  await client.write(file, 4, "two ");
  await client.fsync(file);
  assert.is(bodyOf(store, "log"), "one two ");
  await client.write(file, 8, "three and more");
  await client.close(file);
  assert.is(bodyOf(store, "log"), "one two three and more");
  const other = await client.open("log", O.WRONLY | O.APPEND);
  store.set("log", "somebody else");
  assert.is(
    await errnoOfAction(async () => {
      await client.write(other, 22, "lost");
      await client.flush(other);
    }),
    "EIO",
  );
  await client.release(other);
  await client.writeFile("empty", "");
  assert.is(store.peek("empty")?.size, 0);
});

test("S-WRITE-13 what was asked for goes with the object", async () => {
  const { store, client } = bench({
    storageClass: "STANDARD_IA",
    sse: "aws:kms",
    sseKmsKeyId: "arn:key",
    checksum: "crc64nvme",
    inferContentType: true,
  });
  await client.writeFile("page.HTML", "x");
  await client.writeFile("big.json", Buffer.alloc(9 * MiB));
  await client.writeFile("unknown.xyz", "x");
  const { contentType, storageClass, sse, sseKmsKeyId, checksum } = store.peek("page.HTML")?.options ?? {};
  assert.equal([contentType, storageClass, sse, sseKmsKeyId, checksum], ["text/html", "STANDARD_IA", "aws:kms", "arn:key", "crc64nvme"]);
  assert.is(store.peek("big.json")?.options.contentType, "application/json");
  assert.is(store.peek("unknown.xyz")?.options.contentType, undefined);
});

test("S-READ-1 a handle reads the version it was opened with", async () => {
  const { store, client } = bench();
  store.set("f", Buffer.alloc(4 * MiB, 1));
  store.set("g", Buffer.alloc(4 * MiB, 1));
  const f = await client.open("f");
  const g = await client.open("g");
  store.set("f", Buffer.alloc(4 * MiB, 2));
  store.remove("g");
  assert.is(await errnoOfAction(() => client.read(f, 3 * MiB, 4096)), "ESTALE");
  assert.is(await errnoOfAction(() => client.read(g, 3 * MiB, 4096)), "EIO");
});

test("S-READ-1 an outdated version that is found at open is never seen", async () => {
  const { store, client, fs } = bench();
  store.set("f", "1");
  const node = await client.node("f");
  store.set("f", "22");
  assert.is(await errnoOfAction(() => fs.open(node, O.RDONLY, caller())), "ESTALE");
  assert.is((await client.readFile("f")).toString(), "22");
});

test("S-READ-2 there is nothing behind the end", async () => {
  const { store, client } = bench();
  store.set("f", "abc");
  store.set("empty", "");
  const file = await client.open("f");
  assert.is((await client.read(file, 3, 10)).length, 0);
  assert.is((await client.read(file, 1000, 10)).length, 0);
  assert.is((await client.read(file, 2, 10)).toString(), "c");
  assert.is((await client.read(await client.open("empty"), 0, 10)).length, 0);
});

test("S-READ-3 failing requests are EIO, never a wrong byte", async () => {
  for (const fault of ["forbidden", "server-error", "throttled", "reset", "truncated", "checksum"] as const) {
    const inner = new MemoryStore();
    inner.set("small", "content");
    inner.set("large", Buffer.alloc(4 * MiB, 1));
    const store = faultyStore(inner, [{ operation: "get", fault }]);
    const { client } = bench({ store }, inner);
    assert.is(await errnoOfAction(() => client.readFile("small")), "EIO", fault);
    const file = await client.open("large");
    assert.is(await errnoOfAction(() => client.read(file, 3 * MiB, 128 * 1024)), "EIO", fault);
    store.rules = [];
    assert.ok((await client.read(file, 3 * MiB, 128 * 1024)).every((byte) => byte === 1));
    assert.is((await client.readFile("small")).toString(), "content");
  }
});

test.run();
