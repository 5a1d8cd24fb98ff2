// How many requests an operation costs, counted at the server, through the kernel and at default settings.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { setReadAhead } from "../../../src/linux/read-ahead.ts";
import { shell } from "../../fuse/run-child.ts";
import { put, storeOf, withBucket, withEmbedded } from "../mounted-bucket.ts";

const countOf = (counters: { requests: number; byOperation: object }) => `${counters.requests}: ${JSON.stringify(counters.byOperation)}`;

/** A machine that is busy for a second must not change the count. */
const frozen = () => {
  const now = Date.now();
  return { now: () => now };
};

test("cold open and read of a/b/c: at most 4 requests", async () => {
  await withEmbedded(async (server) => {
    const store = storeOf(server, "bucket");
    await put(store, "a/b/c", "small");
    await store.close();
    await withBucket(server, "bucket", {}, async ({ path }) => {
      server.s3.counters.reset();
      assert.is(await shell(`cat a/b/c`, { cwd: path }), "small");
      assert.ok(server.s3.counters.requests <= 4, countOf(server.s3.counters));
    });
  });
});

test("ls -l of 2,000 files: 2 LIST, nothing else", async () => {
  await withEmbedded(async (server) => {
    const store = storeOf(server, "bucket");
    for (let i = 0; i < 2000; i++) await put(store, `d/file-${String(i).padStart(5, "0")}`, "x");
    await store.close();
    await withBucket(server, "bucket", frozen(), async ({ path }) => {
      await shell("stat d", { cwd: path });
      server.s3.counters.reset();
      assert.is(await shell("ls -l d | wc -l", { cwd: path }), "2001");
      assert.is(server.s3.counters.requests, 2, countOf(server.s3.counters));
      assert.is(server.s3.counters.of("ListObjectsV2"), 2);
    });
  });
});

test("stat of 1,000 siblings: at most 5 requests", async () => {
  await withEmbedded(async (server) => {
    const store = storeOf(server, "bucket");
    for (let i = 0; i < 1000; i++) await put(store, `d/file-${String(i).padStart(5, "0")}`, "x");
    await store.close();
    await withBucket(server, "bucket", frozen(), async ({ path }) => {
      server.s3.counters.reset();
      assert.is(await shell(`stat -c %s $(seq -f 'd/file-%05g' 0 999) | grep -c '^1$'`, { cwd: path }), "1000");
      assert.ok(server.s3.counters.requests <= 5, countOf(server.s3.counters));
    });
  });
});

test("creating a one-byte file: at most 3 requests", async () => {
  await withEmbedded(async (server) => {
    await withBucket(server, "bucket", {}, async ({ path }) => {
      server.s3.counters.reset();
      await shell("printf x > new", { cwd: path });
      assert.ok(server.s3.counters.requests <= 3, countOf(server.s3.counters));
      assert.is(server.s3.counters.of("PutObject"), 1);
    });
  });
});

test("reading an unchanged file again: nothing within the time to live, one request later", async () => {
  await withEmbedded(async (server) => {
    let now = Date.now();
    await withBucket(server, "bucket", { now: () => now }, async ({ path, store }) => {
      await put(store, "small", "content");
      await put(store, "large", Buffer.alloc(3 << 20, 1));
      for (const name of ["small", "large"]) {
        const first = await shell(`cksum ${name}`, { cwd: path });
        server.s3.counters.reset();
        assert.is(await shell(`cksum ${name}`, { cwd: path }), first);
        assert.is(server.s3.counters.requests, 0, countOf(server.s3.counters));
        // The kernel's second has to pass too; the file system's clock is ours.
        await new Promise((resolve) => setTimeout(resolve, 1100));
        now += 1100;
        assert.is(await shell(`cksum ${name}`, { cwd: path }), first);
        assert.ok(server.s3.counters.requests <= 1, countOf(server.s3.counters));
      }
    });
  });
});

for (const [how, readAheadKiB, flags] of [
  ["buffered, with the read-ahead that mounts are given", 1024, "os.O_RDONLY"],
  ["direct", 128, "os.O_RDONLY | os.O_DIRECT"],
] as const) {
  test(`random reads of 256 KiB, ${how}: at most 1.3 times what is asked is fetched`, async () => {
    await withEmbedded(async (server) => {
      await withBucket(server, "bucket", {}, async ({ path, store, device }) => {
        setReadAhead(device, readAheadKiB);
        await put(store, "large", Buffer.alloc(64 << 20, 1));
        server.s3.counters.reset();
        const reads = 60;
        // Scattered so that no two are neighbours.
        const script = `import os, mmap
fd = os.open("large", ${flags})
into = mmap.mmap(-1, 262144)
print(sum(os.preadv(fd, [into], ((i * 37 + 11) % 128) * 524288) for i in range(${reads})))`;
        assert.is(await shell(`python3 -c '${script}'`, { cwd: path }), String(reads * 262144));
        const ratio = server.s3.counters.bodyBytesOut / (reads * 262144);
        assert.ok(ratio <= 1.3, `${ratio.toFixed(2)} times, ${countOf(server.s3.counters)}`);
      });
    });
  });
}

test.run();
