// Another process goes on from a record of the mount: same numbers, same handles, uploads continued.
import { closeSync, fstatSync, readSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { nothingRecorded } from "../../src/filesystem/crash-record.ts";
import { createS3FileSystem } from "../../src/filesystem/file-system.ts";
import type { FileSystemOptions } from "../../src/filesystem/options.ts";
import type { MountRecord } from "../../src/filesystem/record.ts";
import { memoryFile } from "../../src/linux/descriptor.ts";
import { CrashRecordMemory } from "../../src/mountpoint/crash-record-memory.ts";
import { MemoryStore } from "../../src/s3/memory-store.ts";
import { bench, type Bench, caller, Client, errnoOfAction, O } from "./client.ts";

const MiB = 1 << 20;

async function successor({ fs, store }: Bench, options: Partial<FileSystemOptions> = {}) {
  const resume = deserialize(serialize(await fs.exportState())) as MountRecord;
  const next = createS3FileSystem({ store, threadGroupOf: (pid) => pid || undefined, ...options, resume });
  return { fs: next, client: new Client(next) };
}

test("numbers stay what they were, and new ones are new", async () => {
  const first = bench();
  first.store.set("d/f", "1");
  first.store.set("gone", "1");
  await first.client.mkdir("local");
  const numbers = [
    await first.client.node("d"),
    await first.client.node("d/f"),
    await first.client.node("local"),
    await first.client.node("gone"),
  ];
  first.store.remove("gone");
  const { client, fs } = await successor(first);
  assert.equal([await client.node("d"), await client.node("d/f"), await client.node("local")], numbers.slice(0, 3));
  assert.is(await errnoOfAction(() => fs.getattr(numbers[3] as number, undefined, caller())), "ENOENT");
  first.store.set("new", "1");
  assert.not.ok(numbers.includes(await client.node("new")));
  assert.is((await client.stat("d")).mtimeMs, (await first.client.stat("d")).mtimeMs);
  fs.forget([{ node: numbers[1] as number, count: 2 }]);
});

test("after a death without a record no number means another file, and the dead one's numbers are stale", async () => {
  const first = bench();
  for (const name of ["a", "b"]) first.store.set(name, name);
  const a = await first.client.node("a");
  const opened = await first.client.open("a");
  const next = createS3FileSystem({ store: first.store, predecessorDied: nothingRecorded });
  const client = new Client(next);
  assert.not.equal(await client.node("b"), a);
  assert.not.equal((await client.open("b")).handle, opened.handle);
  for (const action of [() => next.getattr(a, undefined, caller()), () => next.open(a, O.RDONLY, caller()), () => next.lookup(a, "x", caller())])
    assert.is(await errnoOfAction(async () => await action()), "ESTALE", "the kernel walks the path again");
  assert.is(await errnoOfAction(async () => await next.read(a, opened.handle, 0, 1, caller())), "EBADF");
  // A process that starts later, after that one died too, begins behind it.
  await delay(5);
  const third = createS3FileSystem({ store: first.store, predecessorDied: nothingRecorded });
  assert.ok((await new Client(third).node("a")) > (await client.node("a")));
});

test("open files are read on", async () => {
  const first = bench();
  const content = Buffer.alloc(3 * MiB, 7);
  first.store.set("f", content);
  const file = await first.client.open("f");
  await first.client.read(file, 0, MiB);
  const { client } = await successor(first);
  assert.ok(content.subarray(MiB, 2 * MiB).equals(await client.read(file, MiB, MiB)));
  first.store.set("f", "other");
  await client.close(file);
});

test("S-OPEN-12 after a death what was open is read on, and directories are where they were", async () => {
  const memory = memoryFile("test");
  const first = bench({ prefix: "p/", crashRecord: new CrashRecordMemory(memory) });
  const content = Buffer.alloc(3 * MiB, 7);
  first.store.set("p/d/e/f", content);
  first.store.set("p/d/closed", "1");
  for (let i = 0; i < 30; i++) first.store.set(`p/list/f${String(i).padStart(2, "0")}`, "1");
  const file = await first.client.open("d/e/f");
  const second = await first.client.open("d/e/f");
  const closed = await first.client.open("d/closed");
  await first.client.close(closed);
  const list = await first.client.node("list");
  const { handle } = first.fs.opendir(list, 0, caller());
  const begun = await first.client.readdirAt(list, handle, 0, false, 12);
  const written = await first.client.create("new");
  await first.client.write(written, 0, Buffer.alloc(300_000));
  const d = await first.client.node("d");
  await first.client.mkdir("made");
  await first.client.mkdir("made/removed");
  const [made, removed] = [await first.client.node("made"), await first.client.node("made/removed")];
  await first.fs.rmdir(made, "removed", caller());

  // Twice: the second successor has only what the first one recorded.
  let served = first.fs;
  let client = first.client;
  for (let death = 1; death <= 2; death++) {
    const crashRecord = new CrashRecordMemory(memory);
    served = createS3FileSystem({ store: first.store, prefix: "p/", predecessorDied: crashRecord.load(), crashRecord });
    client = new Client(served);
    assert.is(served.status().openFiles, 2, `death ${death}`);
    for (const one of [file, second]) assert.ok(content.subarray(MiB, 2 * MiB).equals(await client.read(one, MiB, MiB)));
    assert.is((await served.getattr(file.node, undefined, caller())).attributes.size, content.length);
    assert.is(await client.node("d/e/f"), file.node, "who walks the path comes to the same node");
    assert.is(await errnoOfAction(async () => await served.read(closed.node, closed.handle, 0, 1, caller())), "EBADF");
    assert.is(await errnoOfAction(() => client.write(written, 300_000, "more")), "EBADF", "what is too large for the record is lost, and the writer is told");
    assert.is((await served.lookup(d, "e", caller())).node, await client.node("d/e"), "a directory that the kernel knows is where it was");
    assert.is(await client.node("made"), made, "and so is one that is not in S3 yet");
    assert.is(await errnoOfAction(() => client.stat("made/removed")), "ENOENT");
    assert.is(await errnoOfAction(async () => await served.getattr(removed, undefined, caller())), "ESTALE");
  }
  const rest = await client.readdirAt(list, handle, 12, false, 100);
  assert.is(new Set([...begun, ...rest].map((entry) => entry.name)).size, 32);
  served.releasedir(list, handle, caller());
  await client.close(file);
  await client.close(second);
  for (const node of [...new Set([d, list, await client.node("d/e"), file.node])].reverse()) served.forget([{ node, count: 100 }]);
  const left = new CrashRecordMemory(memory).load();
  assert.equal(left.open, [], "what is closed is in no record");
  assert.equal(left.directories.map(({ key }) => key), ["p/made/"], "what the kernel has forgotten neither, unless it exists only here");
  closeSync(memory);
});

/** A successor of one that died and left what it had recorded up to now. */
function afterDeath({ store }: Bench, memory: number, options: Partial<FileSystemOptions> = {}) {
  const crashRecord = new CrashRecordMemory(memory);
  const fs = createS3FileSystem({ store, threadGroupOf: (pid) => pid || undefined, ...options, predecessorDied: crashRecord.load(), crashRecord });
  return { fs, client: new Client(fs) };
}

function recordedBench(options: Partial<FileSystemOptions> = {}) {
  const memory = memoryFile("test");
  return { ...bench({ ...options, crashRecord: new CrashRecordMemory(memory) }), memory };
}

const again = (request: number) => ({ ...caller(), resent: true, request });
const textOf = ({ store }: Bench, key: string) => Buffer.from(store.peek(key)?.body ?? []).toString();

test("S-OPEN-12 a small file that was being written is written on after a death", async () => {
  const first = recordedBench();
  const file = await first.client.create("f", O.WRONLY, 7);
  await first.client.write(file, 0, "one ");
  await first.client.write(file, 4, "two ");
  const empty = await first.client.create("empty", O.WRONLY, 7);
  const wrong = await first.client.create("wrong", O.WRONLY, 7);
  await first.client.write(wrong, 0, "x");
  assert.is(await errnoOfAction(() => first.client.write(wrong, 5, "gap")), "EINVAL");

  const second = afterDeath(first, first.memory);
  assert.is((await second.client.stat("f")).size, 8);
  assert.is(await second.fs.write(file.node, file.handle, 4, Buffer.from("two "), again(9)), 4, "what was taken is not taken twice");
  await second.client.write(file, 8, "three");
  const { client, fs } = afterDeath(first, first.memory);
  assert.is(await errnoOfAction(() => client.open("f")), "EPERM", "as ever, nobody reads what is not complete");
  await client.close(file, 7);
  assert.is(textOf(first, "f"), "one two three");
  await client.close(empty, 7);
  assert.is(first.store.peek("empty")?.body.length, 0);
  assert.is(await errnoOfAction(() => client.flush(wrong, 7)), "EBADF", "what had failed is not finished by its successor");
  assert.is(first.store.peek("wrong"), undefined);
  assert.is(fs.status().openFiles, 0);
  assert.equal(new CrashRecordMemory(first.memory).load(), nothingRecorded);
  closeSync(first.memory);
});

test("a close that was carried out and not answered is carried out once", async () => {
  for (const recorded of [true, false]) {
    const first = recordedBench();
    const file = await first.client.create("f", O.WRONLY, 7);
    await first.client.write(file, 0, "content");
    const before = memoryFile("before");
    copyMemory(first.memory, before);
    await first.client.flush(file, 7);
    const { client, fs } = afterDeath(first, recorded ? first.memory : before);
    await client.flush(file, 7);
    await client.release(file);
    assert.is(textOf(first, "f"), "content");
    assert.is((await client.read(await client.open("f"), 0, 10)).toString(), "content");
    assert.is(fs.status().openUploads, 0);
    closeSync(before);
    closeSync(first.memory);
  }
});

test("what was opened, made or removed by a request that comes again is not there twice, nor missing", async () => {
  const first = recordedBench({ allowDelete: true });
  first.store.set("old", "1");
  first.store.set("gone", "1");
  const asked = (request: number) => ({ ...caller(), request });
  const created = await first.fs.create(1, "new", 0o644, O.WRONLY | O.EXCL, 0, asked(10));
  const opened = await first.fs.open(await first.client.node("old"), O.RDONLY, asked(12));
  await first.fs.mkdir(1, "made", 0o755, 0, asked(14));
  await first.fs.unlink(1, "gone", asked(16));
  const { fs, client } = afterDeath(first, first.memory, { allowDelete: true });
  assert.is(await errnoOfAction(async () => await fs.create(1, "new", 0o644, O.WRONLY | O.EXCL, 0, again(99))), "EEXIST", "another's request is another's");
  const repeated = await fs.create(1, "new", 0o644, O.WRONLY | O.EXCL, 0, again(10));
  assert.equal([repeated.entry.node, repeated.open.handle], [created.entry.node, created.open.handle]);
  await client.write({ node: created.entry.node, handle: created.open.handle }, 0, "x");
  await client.close({ node: created.entry.node, handle: created.open.handle });
  assert.is(textOf(first, "new"), "x");
  const reopened = await fs.open(await client.node("old"), O.RDONLY, again(12));
  assert.not.equal(reopened.handle, opened.handle);
  assert.is(fs.status().openFiles, 1, "the first one is closed");
  await fs.mkdir(1, "made", 0o755, 0, again(14));
  assert.is(await errnoOfAction(() => fs.mkdir(1, "made", 0o755, 0, caller())), "EEXIST");
  await fs.unlink(1, "gone", again(16));
  assert.is(await errnoOfAction(() => fs.unlink(1, "gone", caller())), "ENOENT");
  // Renamed by the one that died: the old name is gone, and the new one there.
  await fs.rename(1, "gone", 1, "old", 0, again(18));
  assert.is(await errnoOfAction(() => fs.rename(1, "gone", 1, "nowhere", 0, again(20))), "ENOENT");
  assert.is(await errnoOfAction(() => fs.rename(1, "gone", 1, "old", 0, caller())), "ENOENT");
  closeSync(first.memory);
});

test("after a death a file that was replaced meanwhile is stale, not another one", async () => {
  const memory = memoryFile("test");
  const first = bench({ crashRecord: new CrashRecordMemory(memory) });
  first.store.set("f", Buffer.alloc(3 * MiB, 1));
  const file = await first.client.open("f");
  first.store.set("f", Buffer.alloc(3 * MiB, 2));
  const crashRecord = new CrashRecordMemory(memory);
  const next = createS3FileSystem({ store: first.store, predecessorDied: crashRecord.load(), crashRecord });
  assert.is(await errnoOfAction(async () => await next.read(file.node, file.handle, 2 * MiB, MiB, caller())), "ESTALE");
  closeSync(memory);
});

test("a cache that can't be used any more does not end the mount", async () => {
  const first = bench();
  first.store.set("f", "content");
  const file = await first.client.open("f");
  const { client } = await successor(first, { cache: { directory: "/proc/nowhere" } });
  assert.is((await client.read(file, 0, 100)).toString(), "content");
  assert.throws(() => bench({ cache: { directory: "/proc/nowhere" } }), /cache directory \/proc\/nowhere cannot be used/);
});

for (const [title, size] of [
  ["small", 1000],
  ["in parts", 19 * MiB],
] as const) {
  test(`an upload goes on: ${title}`, async () => {
    const first = bench();
    const content = Buffer.alloc(2 * size);
    for (let i = 0; i < content.length; i += 997) content[i] = i & 0xff;
    const file = await first.client.create("f", O.WRONLY, 7);
    for (let at = 0; at < size; at += MiB) await first.client.write(file, at, content.subarray(at, Math.min(size, at + MiB)));
    const { client, fs } = await successor(first);
    assert.is((await client.stat("f")).size, size);
    for (let at = size; at < 2 * size; at += MiB) await client.write(file, at, content.subarray(at, at + MiB));
    await client.close(file, 7);
    assert.ok(content.equals(first.store.peek("f")?.body ?? Buffer.alloc(0)));
    assert.is(first.store.pendingUploads, 0);
    assert.is(fs.status().openFiles, 0);
  });
}

test("appending goes on", async () => {
  const first = bench({ incrementalUpload: true, bucketType: "directory", writePartSize: 4 }, new MemoryStore({ directoryBucket: true }));
  first.store.set("log", "one ");
  const file = await first.client.open("log", O.WRONLY | O.APPEND);
  await first.client.write(file, 4, "two th");
  const { client } = await successor(first, { incrementalUpload: true, bucketType: "directory", writePartSize: 4 });
  await client.write(file, 10, "ree");
  await client.close(file);
  assert.is(Buffer.from(first.store.peek("log")?.body ?? []).toString(), "one two three");
});

test("handles that had ended stay ended", async () => {
  const first = bench();
  const done = await first.client.create("done");
  await first.client.write(done, 0, "x");
  await first.client.fsync(done);
  const failed = await first.client.create("failed");
  await errnoOfAction(() => first.client.write(failed, 5, "x"));
  const { client } = await successor(first);
  assert.is(await errnoOfAction(() => client.write(done, 1, "y")), "EIO");
  assert.is(await errnoOfAction(() => client.flush(failed)), "EIO");
  await client.close(done);
  await client.release(failed);
  assert.equal(first.store.keys, ["done"]);
});

test("a directory is read on", async () => {
  const first = bench();
  for (let i = 0; i < 30; i++) first.store.set(`f${String(i).padStart(2, "0")}`, "1");
  const { handle } = first.fs.opendir(1, 0, caller());
  const begun = await first.client.readdirAt(1, handle, 0, true, 12);
  const { client } = await successor(first);
  const rest = await client.readdirAt(1, handle, 12, true, 100);
  assert.is(new Set([...begun, ...rest].map((entry) => entry.name)).size, 32);
});

function copyMemory(from: number, to: number): void {
  const bytes = Buffer.alloc(fstatSync(from).size);
  readSync(from, bytes, 0, bytes.length, 0);
  writeSync(to, bytes, 0, bytes.length, 0);
}

test.run();
