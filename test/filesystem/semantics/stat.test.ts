import { test } from "uvu";
import * as assert from "uvu/assert";
import { bench, caller, errnoOfAction, O } from "../client.ts";

test("S-STAT-1 files show what the listing says of the object", async () => {
  const { store, client } = bench({ fileMode: 0o640 });
  store.set("f", "x".repeat(1025));
  const stat = await client.stat("f");
  assert.is(stat.mode, 0o100640);
  assert.is(stat.nlink, 1);
  assert.is(stat.size, 1025);
  assert.is(stat.blocks, 3);
  assert.is(stat.blksize, 4096);
  assert.equal([stat.atimeMs, stat.mtimeMs, stat.ctimeMs], [1_800_000_000_000, 1_800_000_000_000, 1_800_000_000_000]);
});

test("S-STAT-2 directories show when the mount began", async () => {
  const { store, client, advance } = bench({ directoryMode: 0o750 });
  advance(5000);
  store.set("d/f", "x");
  for (const path of ["", "d"]) {
    const stat = await client.stat(path);
    assert.equal(
      [stat.mode, stat.nlink, stat.size, stat.blocks, stat.mtimeMs, stat.ctimeMs],
      [0o040750, 2, 0, 0, 1_800_000_000_000, 1_800_000_000_000],
    );
  }
});

test("S-STAT-3 owner and group are the mount's", async () => {
  const { store, client } = bench({ uid: 12, gid: 34 });
  store.set("d/f", "x");
  for (const path of ["", "d", "d/f"]) assert.equal([(await client.stat(path)).uid, (await client.stat(path)).gid], [12, 34]);
});

test("S-STAT-4 archived objects can't be read", async () => {
  const { store, client } = bench();
  store.set("cold", "x", { storageClass: "GLACIER" });
  store.set("deep", "x", { storageClass: "DEEP_ARCHIVE" });
  store.set("back", "x", { storageClass: "GLACIER", restored: true });
  store.set("rare", "x", { storageClass: "STANDARD_IA" });
  for (const name of ["cold", "deep"]) {
    assert.is((await client.stat(name)).mode, 0o100000);
    assert.is(await errnoOfAction(() => client.open(name)), "EACCES");
  }
  for (const name of ["back", "rare"]) {
    assert.is((await client.stat(name)).mode, 0o100644);
    assert.is((await client.readFile(name)).toString(), "x");
  }
});

test("S-STAT-5 the size grows with each write", async () => {
  const { client } = bench();
  const file = await client.create("f");
  for (let i = 0; i < 5; i++) {
    assert.is((await client.stat("f")).size, i * 3);
    await client.write(file, i * 3, "abc");
  }
  await client.close(file);
  assert.is((await client.stat("f")).size, 15);
});

test("S-STAT-6 statfs shows plenty", async () => {
  const { fs } = bench();
  const plenty = 18_014_398_509_481_983n;
  assert.equal(fs.statfs(), {
    blocks: plenty,
    bfree: plenty,
    bavail: plenty,
    files: plenty,
    ffree: plenty,
    bsize: 512,
    frsize: 0,
    namelen: 255,
  });
});

test("S-FRESH-1 new objects are visible at once", async () => {
  const { store, client } = bench();
  for (const path of ["f", "d/f"]) {
    assert.is(await errnoOfAction(() => client.stat(path)), "ENOENT");
    store.set(path, "1");
    assert.is((await client.stat(path)).size, 1);
  }
});

test("S-FRESH-2 changes and deletions are seen after a second", async () => {
  const { store, client, advance } = bench();
  store.set("f", "1");
  store.set("g", "1");
  assert.is((await client.stat("f")).size, 1);
  assert.is((await client.stat("g")).size, 1);
  store.set("f", "22");
  store.remove("g");
  advance(1001);
  assert.is((await client.stat("f")).size, 2);
  assert.is(await errnoOfAction(() => client.stat("g")), "ENOENT");
});

test("S-FRESH-3 the time to live can be chosen", async () => {
  const { store, client, advance } = bench({ metadataTtl: { seconds: 60 } });
  store.set("f", "1");
  await client.stat("f");
  assert.is(await errnoOfAction(() => client.stat("no")), "ENOENT");
  store.resetCounters();
  store.set("f", "22");
  store.set("no", "1");
  advance(59_000);
  assert.is((await client.stat("f")).size, 1);
  assert.is(await errnoOfAction(() => client.stat("no")), "ENOENT");
  assert.is(store.requests, 0);
  advance(1001);
  assert.is((await client.stat("f")).size, 2);
  assert.is((await client.stat("no")).size, 1);
});

test("S-FRESH-3 nothing that is missing is kept when the negative time to live is minimal", async () => {
  const { store, client } = bench({ metadataTtl: "indefinite", negativeMetadataTtl: "minimal" });
  assert.is(await errnoOfAction(() => client.stat("f")), "ENOENT");
  store.set("f", "1");
  assert.is((await client.stat("f")).size, 1);
});

test("S-FRESH-3 own changes count at once whatever the time to live", async () => {
  const { client } = bench({ metadataTtl: "indefinite", allowDelete: true });
  assert.is(await errnoOfAction(() => client.stat("f")), "ENOENT");
  await client.writeFile("f", "1");
  assert.is((await client.stat("f")).size, 1);
  await client.unlink("f");
  assert.is(await errnoOfAction(() => client.stat("f")), "ENOENT");
  await client.writeFile("f", "12");
  assert.is((await client.readFile("f")).toString(), "12");
});

test("S-FRESH-4 listings are never cached", async () => {
  const { store, client } = bench({ metadataTtl: "indefinite" });
  store.set("a", "1");
  assert.equal(await client.names(""), ["a"]);
  store.set("b", "1");
  assert.equal(await client.names(""), ["a", "b"]);
  store.remove("a");
  assert.equal(await client.names(""), ["b"]);
});

test("S-FRESH-5 O_DIRECT asks the bucket", async () => {
  const { store, client, fs } = bench({ metadataTtl: "indefinite" });
  store.set("f", "1");
  const node = await client.node("f");
  const plain = await fs.open(node, O.RDONLY, caller());
  assert.not.ok(plain.directIo);
  store.set("f", "22");
  assert.is(await errnoOfAction(() => fs.open(node, O.RDONLY | O.DIRECT, caller())), "ESTALE");
  const again = await fs.open(await client.node("f"), O.RDONLY | O.DIRECT, caller());
  assert.ok(again.directIo);
});

test("S-FRESH-6 two versions are never mixed", async () => {
  const { store, client } = bench();
  const MiB = 1 << 20;
  store.set("f", Buffer.alloc(40 * MiB, 1));
  const file = await client.open("f");
  assert.ok((await client.read(file, 0, 4096)).every((byte) => byte === 1));
  store.set("f", Buffer.alloc(40 * MiB, 2));
  for (let offset = 0; offset < 40 * MiB; offset += MiB) {
    try {
      assert.ok((await client.read(file, offset, 4096)).every((byte) => byte === 1));
    } catch (error) {
      assert.is((error as { code?: string }).code, "Stale");
    }
  }
});

test("S-FRESH-7 the kernel keeps its pages while the ETag stays", async () => {
  const { store, client, fs, advance } = bench();
  store.set("f", "1");
  const node = await client.node("f");
  assert.ok((await fs.open(node, O.RDONLY, caller())).keepCache);
  advance(1001);
  assert.is(await client.node("f"), node);
  assert.ok((await fs.open(node, O.RDONLY, caller())).keepCache);
});

test.run();
