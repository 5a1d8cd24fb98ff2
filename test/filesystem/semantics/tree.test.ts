import { test } from "uvu";
import * as assert from "uvu/assert";
import { faultyStore } from "../../../src/s3/faulty-store.ts";
import { MemoryStore } from "../../../src/s3/memory-store.ts";
import { bench, caller, errnoOfAction, O } from "../client.ts";

const directoryBucket = () => new MemoryStore({ directoryBucket: true });

test("S-RM-1 what can't be deleted", async () => {
  const plain = bench();
  plain.store.set("f", "1");
  assert.is(await errnoOfAction(() => plain.client.unlink("f")), "EPERM");
  const { store, client } = bench({ allowDelete: true });
  store.set("d/f", "1");
  assert.is(await errnoOfAction(() => client.unlink("d")), "EISDIR");
  assert.is(await errnoOfAction(() => client.unlink("missing")), "ENOENT");
  const file = await client.create("new");
  assert.is(await errnoOfAction(() => client.unlink("new")), "EPERM");
  await client.close(file);
  assert.is(await errnoOfAction(() => client.unlink("new")), "OK");
});

test("S-RM-2 unlink deletes at once, also while the file is read", async () => {
  const { store, client } = bench({ allowDelete: true });
  store.set("f", Buffer.alloc(4 << 20));
  const file = await client.open("f");
  await client.unlink("f");
  assert.equal(store.keys, []);
  assert.is(await errnoOfAction(() => client.read(file, 3 << 20, 10)), "EIO");
  assert.equal(await client.names(""), []);
});

test("S-RENAME-1 what can't be renamed", async () => {
  const { store, client } = bench({ bucketType: "directory", allowOverwrite: true }, directoryBucket());
  store.set("f", "1");
  store.set("d/x", "1");
  assert.is(await errnoOfAction(() => client.rename("f", "g", 2)), "EINVAL");
  assert.is(await errnoOfAction(() => client.rename("f", "g", 4)), "EINVAL");
  assert.is(await errnoOfAction(() => client.rename("d", "e")), "EPERM");
  const file = await client.create("new");
  assert.is(await errnoOfAction(() => client.rename("new", "other")), "EPERM");
  assert.is(await errnoOfAction(() => client.rename("f", "new")), "EPERM");
  await client.close(file);
  assert.is(await errnoOfAction(() => client.rename("f", "x".repeat(1025))), "ENAMETOOLONG");
  assert.is(await errnoOfAction(() => client.rename("missing", "g")), "ENOENT");
});

test("S-RENAME-2 an existing target", async () => {
  const plain = bench({ bucketType: "directory" }, directoryBucket());
  plain.store.set("a", "1");
  plain.store.set("b", "2");
  assert.is(await errnoOfAction(() => plain.client.rename("a", "b")), "EEXIST");
  const { store, client } = bench({ bucketType: "directory", allowOverwrite: true }, directoryBucket());
  store.set("a", "1");
  store.set("b", "2");
  assert.is(await errnoOfAction(() => client.rename("a", "b", 1)), "EEXIST");
  await client.rename("a", "b");
  assert.equal(store.keys, ["b"]);
  assert.is((await client.readFile("b")).toString(), "1");
});

test("S-RENAME-3 renames keep number and content, where they exist", async () => {
  const { store, client } = bench({ bucketType: "directory" }, directoryBucket());
  store.set("a/f", "content");
  await client.mkdir("b");
  const before = await client.node("a/f");
  await client.rename("a/f", "b/g");
  assert.is(await client.node("b/g"), before);
  assert.is((await client.readFile("b/g")).toString(), "content");
  assert.is(await errnoOfAction(() => client.stat("a/f")), "ENOENT");
  const general = bench();
  general.store.set("f", "1");
  assert.is(await errnoOfAction(() => general.client.rename("f", "g")), "ENOSYS");
  assert.is(general.store.calls.rename, 0, "a store that does not know RenameObject is not asked");
});

test("S-MKDIR-1 directories are made here only", async () => {
  const { store, client } = bench();
  store.set("f", "1");
  await client.mkdir("d");
  await client.mkdir("d/e");
  assert.equal(store.keys, ["f"]);
  for (const taken of ["d", "f", "d/e"]) assert.is(await errnoOfAction(() => client.mkdir(taken)), "EEXIST");
  await client.writeFile("d/e/f", "1");
  assert.is(await errnoOfAction(() => client.rmdir("d/e")), "EPERM");
  assert.is(await errnoOfAction(() => client.rmdir("d")), "EPERM");
});

test("S-RMDIR-1 only empty local directories are removed", async () => {
  const { store, client, fs } = bench();
  store.set("remote/f", "1");
  store.set("marker/", "");
  store.set("f", "1");
  assert.is(await errnoOfAction(() => client.rmdir("remote")), "EPERM");
  assert.is(await errnoOfAction(() => client.rmdir("marker")), "EPERM");
  assert.is(await errnoOfAction(() => client.rmdir("f")), "ENOTDIR");
  assert.is(await errnoOfAction(() => client.rmdir("missing")), "ENOENT");
  await client.mkdir("d");
  const file = await client.create("d/f");
  assert.is(await errnoOfAction(() => client.rmdir("d")), "ENOTEMPTY");
  await client.mkdir("e");
  const e = await client.node("e");
  await client.rmdir("e");
  assert.is(await errnoOfAction(() => client.stat("e")), "ENOENT");
  assert.is(await errnoOfAction(() => fs.create(e, "x", 0o644, O.WRONLY, 0, caller())), "ENOENT");
  await client.close(file);
});

test("S-DIR-1 dots first, then names by their bytes, local ones among them", async () => {
  const { store, client } = bench();
  for (const key of ["b", "a/x", "a-b", "z"]) store.set(key, "1");
  await client.mkdir("c");
  await client.create("aa");
  for (const plus of [false, true])
    assert.equal(
      (await client.readdir("", plus)).map((e) => e.name),
      [".", "..", "a", "a-b", "aa", "b", "c", "z"],
    );
  const numbers = (entries: { name: string; ino: number }[]) => entries.map((e) => [e.name, e.ino]);
  assert.equal(numbers(await client.readdir("")), numbers(await client.readdir("", true)), "the same numbers either way");
});

test("S-DIR-1 directory buckets: as listed, then local ones", async () => {
  const { store, client } = bench({ bucketType: "directory" }, directoryBucket());
  for (const key of ["a", "b", "c/x"]) store.set(key, "1");
  await client.mkdir("0");
  const names = await client.names("");
  assert.is(names.at(-1), "0");
  assert.equal([...names].sort(), ["0", "a", "b", "c"]);
});

test("S-DIR-2 offsets go on, repeat, or start again", async () => {
  const { store, client, fs } = bench();
  for (let i = 0; i < 20; i++) store.set(`f${String(i).padStart(2, "0")}`, "1");
  const { handle } = fs.opendir(1, 0, caller());
  const first = await client.readdirAt(1, handle, 0, true, 5);
  const second = await client.readdirAt(1, handle, 5, true, 5);
  assert.equal(await client.readdirAt(1, handle, 5, true, 5), second);
  assert.is(await errnoOfAction(() => client.readdirAt(1, handle, 5000, true, 5)), "EBADF");
  store.set("f00a", "new");
  assert.equal(
    (await client.readdirAt(1, handle, 0, true, 5)).map((e) => e.name),
    [...first.slice(0, 3).map((e) => e.name), "f00a", "f01"],
  );
  fs.releasedir(1, handle, caller());
  assert.is(await errnoOfAction(() => client.readdirAt(1, handle, 0, true, 5)), "EINVAL");
});

test("S-DIR-3 a shadowed file on another page than its directory is not given", async () => {
  const { store, client } = bench();
  store.set("a", "file");
  for (let i = 0; i < 2500; i++) store.set(`a-${String(i).padStart(4, "0")}`, "x");
  store.set("a/x", "1");
  store.set("b", "1");
  await client.create("a.local");
  const entries = (await client.readdir("", true)).slice(2);
  const names = entries.map((e) => e.name);
  assert.is(new Set(names).size, names.length);
  assert.is(names.length, 2500 + 3);
  assert.is(entries.find((e) => e.name === "a")?.type, 0o040000);
});

test("S-OTHER-1 what S3 has no word for", async () => {
  const { store, client, fs } = bench();
  store.set("f", "1");
  assert.is(await errnoOfAction(() => fs.symlink()), "EPERM");
  assert.is(await errnoOfAction(() => fs.link()), "EPERM");
  for (const type of [0o010000, 0o020000, 0o060000, 0o140000])
    assert.is(await errnoOfAction(() => client.mknod("x", type | 0o644)), "EINVAL");
  for (const left of ["getxattr", "setxattr", "listxattr", "removexattr", "fallocate", "lseek", "getlk", "setlk", "fsyncdir", "access"]) {
    assert.not.ok(left in fs, `${left} is answered ENOSYS by the transport`);
  }
});

test("S-OTHER-2 a read-only mount is left as it is", async () => {
  const { store, client, fs } = bench({ readOnly: true, allowDelete: true, allowOverwrite: true });
  store.set("f", "1");
  const node = await client.node("f");
  const actions = [
    () => client.create("new"),
    () => client.mknod("new"),
    () => client.mkdir("new"),
    () => client.unlink("f"),
    () => client.rmdir("f"),
    () => client.rename("f", "g"),
    () => client.open("f", O.WRONLY | O.TRUNC),
    () => fs.setattr(node, { mode: 0 }, caller()),
  ];
  for (const action of actions) assert.is(await errnoOfAction(action), "EROFS");
  assert.is((await client.readFile("f")).toString(), "1");
});

test("S-OTHER-3 failures are EIO, missing is missing", async () => {
  const inner = new MemoryStore();
  inner.set("d/f", "1");
  const store = faultyStore(inner, []);
  const { client, advance } = bench({ store, allowDelete: true }, inner);
  assert.is(await errnoOfAction(() => client.stat("no")), "ENOENT");
  for (const fault of ["forbidden", "server-error", "throttled"] as const) {
    store.rules = [{ fault }];
    assert.is(await errnoOfAction(() => client.stat("d")), "EIO");
    assert.is(await errnoOfAction(() => client.names("")), "EIO");
    assert.is(await errnoOfAction(() => client.create("d2")), "EIO");
  }
  store.rules = [{ operation: "delete", fault: "forbidden" }];
  assert.is(await errnoOfAction(() => client.unlink("d/f")), "EIO");
  advance(1001);
  assert.is((await client.stat("d/f")).size, 1);
});

test("S-OTHER-4 who is interrupted waits no longer", async () => {
  const inner = new MemoryStore({ latencyMs: 200 });
  inner.set("f", Buffer.alloc(4 << 20));
  const { client, fs } = bench({}, inner);
  const file = await client.open("f");
  const actions = [
    (signal: AbortSignal) => fs.lookup(1, "g", { ...caller(), signal }),
    (signal: AbortSignal) => fs.read(file.node, file.handle, 3 << 20, 4096, { ...caller(), signal }),
  ];
  for (const action of actions) {
    const controller = new AbortController();
    const started = performance.now();
    const outcome = errnoOfAction(() => action(controller.signal));
    controller.abort();
    assert.is(await outcome, "EINTR");
    assert.ok(performance.now() - started < 150);
  }
  assert.is((await client.read(file, 3 << 20, 4096)).length, 4096);
  await client.close(file);
});

test("S-EXT-1 forbidden is EACCES", async () => {
  const inner = new MemoryStore();
  const { client } = bench({ profile: "extended", store: faultyStore(inner, [{ fault: "forbidden" }]) }, inner);
  assert.is(await errnoOfAction(() => client.stat("d")), "EACCES");
  assert.is(await errnoOfAction(() => client.names("")), "EACCES");
});

test("S-EXT-2 files are renamed by copy and delete", async () => {
  const { store, client } = bench({ profile: "extended", allowDelete: true });
  store.set("a", "content");
  store.set("b", "taken");
  assert.is(await errnoOfAction(() => client.rename("a", "b")), "EEXIST");
  await client.rename("a", "d");
  assert.equal(store.keys, ["b", "d"]);
  assert.is((await client.readFile("d")).toString(), "content");
  const kept = bench({ profile: "extended" });
  kept.store.set("a", "1");
  assert.is(await errnoOfAction(() => kept.client.rename("a", "b")), "EPERM");
});

test.run();
