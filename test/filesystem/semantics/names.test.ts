import { test } from "uvu";
import * as assert from "uvu/assert";
import { caller, bench, errnoOfAction, O } from "../client.ts";

test("S-NAME-1 keys are paths below the prefix", async () => {
  const { store, client } = bench({ prefix: "p/q/" });
  store.set("p/q/a/b/c", "1");
  store.set("p/other", "2");
  assert.equal(await client.names(""), ["a"]);
  assert.is((await client.readFile("a/b/c")).toString(), "1");
  await client.writeFile("a/new", "3");
  assert.ok(store.peek("p/q/a/new"));
});

test("S-NAME-2 components that can't be names are invisible, their directory is not", async () => {
  const { store, client, fs } = bench();
  for (const key of ["a//b", "c/./d", "e/../f", "/g", "h/.", "ok"]) store.set(key, "x");
  assert.equal(await client.names(""), ["a", "c", "e", "h", "ok"]);
  for (const directory of ["a", "c", "e", "h"]) assert.equal(await client.names(directory), []);
  for (const name of ["", ".", "..", "x/y", "x\0"]) assert.is(await errnoOfAction(() => fs.lookup(1, name, caller())), "EINVAL");
});

test("S-NAME-3 a key that ends in a slash is a directory", async () => {
  const { store, client } = bench();
  store.set("d/", "");
  store.set("e/f/", "some bytes");
  assert.equal(await client.names(""), ["d", "e"]);
  assert.equal(await client.names("d"), []);
  assert.equal(await client.names("e"), ["f"]);
  assert.equal(await client.names("e/f"), []);
  assert.is((await client.stat("d")).mode & 0o170000, 0o040000);
});

test("S-NAME-4 a directory shadows the file of its name until it is gone", async () => {
  const { store, client, advance } = bench();
  store.set("blue", "file");
  store.set("blue/x", "1");
  assert.equal((await client.readdir("")).map((e) => [e.name, e.type]).slice(2), [["blue", 0o040000]]);
  assert.is((await client.stat("blue")).nlink, 2);
  store.remove("blue/x");
  advance(1001);
  assert.is((await client.readFile("blue")).toString(), "file");
});

test("S-NAME-4 a file that is being written hides the remote file of its name", async () => {
  const { store, client, advance } = bench({ allowOverwrite: true });
  const file = await client.create("f");
  await client.write(file, 0, "mine");
  store.set("f", "another client's");
  advance(1001);
  assert.is((await client.stat("f")).size, 4);
  assert.equal(await client.names(""), ["f"]);
  await client.close(file);
  assert.is((await client.readFile("f")).toString(), "mine");
});

test("S-NAME-4 the directory is found behind names that sort before it", async () => {
  const { store, client } = bench();
  for (const key of ["a", "a!", "a-1", "a-2", "a.b", "a/x"]) store.set(key, key);
  assert.is((await client.stat("a")).nlink, 2);
  store.set("b", "1");
  for (const key of ["b-1", "b.2", "b+"]) store.set(key, key);
  assert.is((await client.stat("b")).nlink, 1);
});

test("S-NAME-5 a remote directory takes the place of local state", async () => {
  const { store, client, advance } = bench();
  const file = await client.create("x");
  const before = await client.node("x");
  await client.mkdir("d");
  store.set("x/y", "1");
  store.set("d/z", "2");
  advance(1001);
  assert.is((await client.stat("x")).nlink, 2);
  assert.is.not(await client.node("x"), before);
  assert.equal(await client.names("d"), ["z"]);
  assert.is(await errnoOfAction(() => client.rmdir("d")), "EPERM");
  await client.write(file, 0, "1");
  await client.close(file);
  assert.is(Buffer.from(store.peek("x")?.body ?? []).toString(), "1");
});

test("S-NAME-6 other characters are ordinary", async () => {
  const { store, client } = bench();
  const names = [
    "with space",
    "quote'\"",
    "new\nline",
    "back\\slash",
    "ünïcødé",
    "日本語",
    "😀",
    "\u{10ffff}",
    "\ue000",
    "-",
    "~",
    "\x01",
    "a".repeat(255),
  ];
  for (const name of names) await client.writeFile(name, name);
  assert.equal(new Set(await client.names("")), new Set(names));
  assert.equal(
    await client.names(""),
    [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
  for (const name of names) assert.is((await client.readFile(name)).toString(), name);
  assert.is(store.keys.length, names.length);
});

test("S-NAME-6 nothing is made under a name of more than 255 bytes; what is there is seen", async () => {
  const { store, client } = bench({ bucketType: "directory" });
  const long = "é".repeat(128);
  store.set("f", "1");
  for (const make of [() => client.writeFile(long, "x"), () => client.mkdir(long), () => client.mknod(long), () => client.rename("f", long)])
    assert.is(await errnoOfAction(make), "ENAMETOOLONG");
  assert.equal(store.keys, ["f"]);
  store.set(long, "another client's");
  assert.is((await client.readFile(long)).toString(), "another client's");
});

test("S-NODE-1 the root is 1, and no number comes twice", async () => {
  const { store, client, advance } = bench();
  store.set("f", "1");
  const seen = new Set<number>();
  for (let i = 0; i < 5; i++) {
    store.set("f", `version ${i}`);
    advance(1001);
    const { node } = await client.lookup("f");
    assert.not.ok(seen.has(node));
    seen.add(node);
    client.forgetAll();
  }
  assert.is((await client.stat("")).ino, 1);
});

test("S-NODE-2 a number is one version", async () => {
  const { store, client, advance } = bench();
  store.set("f", "1");
  const first = await client.node("f");
  advance(1001);
  assert.is(await client.node("f"), first);
  store.set("f", "2");
  advance(1001);
  assert.is.not(await client.node("f"), first);
});

test("S-NODE-3 numbers of replaced files are stale, of deleted ones unknown", async () => {
  const { store, client, fs, advance } = bench();
  store.set("f", "1");
  store.set("g", "1");
  const f = await client.node("f");
  const g = await client.node("g");
  store.set("f", "22");
  store.remove("g");
  advance(1001);
  assert.is(await errnoOfAction(() => fs.getattr(f, undefined, caller())), "ESTALE");
  assert.is(await errnoOfAction(() => fs.open(f, O.RDONLY, caller())), "ESTALE");
  assert.is(await errnoOfAction(() => fs.getattr(g, undefined, caller())), "ENOENT");
  assert.is(await errnoOfAction(() => fs.getattr(99, undefined, caller())), "ENOENT");
});

test("S-NODE-4 FORGET before RELEASE loses nothing", async () => {
  const { store, client } = bench();
  const file = await client.create("d1");
  await client.mkdir("dir");
  const below = await client.create("dir/f");
  await client.write(file, 0, "abc");
  await client.write(below, 0, "def");
  client.forgetAll();
  await client.write(file, 3, "abc");
  await client.release(file);
  await client.release(below);
  assert.is(Buffer.from(store.peek("d1")?.body ?? []).toString(), "abcabc");
  assert.is(Buffer.from(store.peek("dir/f")?.body ?? []).toString(), "def");
});

test.run();
