// Sizes and numbers at the edges again, with a kernel and a server in between: 5 GiB + 1, a directory of 100,000, keys that are no paths.
import { type FileHandle, open, readdir, stat, statfs, unlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { shell } from "../../fuse/run-child.ts";
import { fill } from "../filled.ts";
import { type Server, storeOf, withBucket, withEmbedded } from "../mounted-bucket.ts";
import { type Served, withServed } from "../served.ts";
import { withVersityGw } from "../versity-bucket.ts";

const MiB = 1 << 20;
const GiB = 1024 * MiB;
const huge = 5 * GiB + 1;

test("5 GiB + 1 written, and read by another mount: every byte in its place, at most 256 MB", async () => {
  // The server puts a second copy together from the parts before it deletes them.
  const { bavail, bsize } = await statfs(os.tmpdir());
  assert.ok(bavail * bsize >= 12 * GiB, `12 GiB of disk are needed in ${os.tmpdir()}, ${((bavail * bsize) / GiB).toFixed(1)} are free`);
  await withVersityGw(
    async (server) => {
      await withServed(server, "bucket", {}, async (served) => {
        const seconds = await timed(() => writeFilled(path.join(served.path, "huge"), huge));
        assert.is((await stat(path.join(served.path, "huge"))).size, huge);
        tell("written", seconds, served);
        assertPeak(served);
      });
      await assertWhole(server, "huge", huge);
      // Nothing of it is in the kernel's cache here.
      await withServed(server, "bucket", { allowDelete: true }, async (served) => {
        const file = path.join(served.path, "huge");
        assert.is((await stat(file)).size, huge);
        const seconds = await timed(() => assertFilled(file, huge));
        tell("read", seconds, served);
        assertPeak(served);
        await unlink(file);
      });
    },
    { place: "disk", signal: AbortSignal.timeout(300_000) },
  );
});

test("100,000 entries in one directory: each once for 100 LIST, and what is known of them for nothing", async () => {
  await withEmbedded(async (server) => {
    const bucket = server.s3.bucket("bucket");
    const names = Array.from({ length: 100_000 }, (_, i) => `file-${String(i).padStart(6, "0")}`);
    for (const [i, name] of names.entries()) bucket.put(`d/${name}`, "x".repeat(i % 7));
    await withServed(server, "bucket", { metadataTtl: { seconds: 300 } }, async (served) => {
      await stat(path.join(served.path, "d"));
      const { counters } = server.s3;
      counters.reset();
      let listed: string[] = [];
      const seconds = await timed(async () => {
        listed = await readdir(path.join(served.path, "d"));
      });
      assert.equal(listed.sort(), names, "none missing, none twice");
      assert.equal(counters.byOperation, { ListObjectsV2: 100 });
      const sizes = `import os; print(all(os.stat(f"${served.path}/d/file-{i:06}").st_size == i % 7 for i in range(100000)))`;
      assert.is(await shell(`python3 -c '${sizes}'`), "True");
      assert.equal(counters.byOperation, { ListObjectsV2: 100 });
      tell("100,000 entries listed", seconds, served);
    });
  });
});

test("S-NAME-2 S-NAME-3 keys that are no paths: what lies beneath is invisible, its directory is not", async () => {
  // Not of versitygw, which makes paths of them.
  await withEmbedded(async (server) => {
    const bucket = server.s3.bucket("bucket");
    const hidden = ["a//b", "c/./d", "e/../f", "/g", "h/.", "i/..", ".", "..", "//"];
    for (const key of [...hidden, "ok", "a/seen"]) bucket.put(key, key);
    for (const key of ["empty/", "j/with bytes/"]) bucket.put(key, key === "empty/" ? "" : "bytes");
    await withBucket(server, "bucket", { allowDelete: true }, async ({ path: mount }) => {
      const tree = () => shell("find . -mindepth 1 -printf '%y %P\\n' | LC_ALL=C sort", { cwd: mount });
      const directories = ["d a", "d c", "d e", "d empty", "d h", "d i", "d j", "d j/with bytes"];
      assert.is(await tree(), [...directories, "f a/seen", "f ok"].join("\n"));
      await shell("rm ok a/seen; ! rmdir empty; ! rmdir a", { cwd: mount });
      assert.is(await tree(), directories.join("\n"));
    });
    for (const key of hidden) assert.is(bucket.object(key).content.size, key.length, key);
  });
});

async function writeFilled(file: string, size: number): Promise<void> {
  const chunk = Buffer.alloc(MiB);
  await using handle = await open(file, "wx");
  for (let offset = 0; offset < size; offset += MiB) {
    const part = chunk.subarray(0, Math.min(MiB, size - offset));
    fill(part, offset);
    assert.is((await handle.write(part)).bytesWritten, part.length);
  }
}

async function assertFilled(file: string, size: number): Promise<void> {
  const want = Buffer.alloc(MiB);
  const got = Buffer.alloc(MiB);
  await using handle = await open(file, "r");
  for (let offset = 0; offset < size; offset += MiB) {
    const part = want.subarray(0, Math.min(MiB, size - offset));
    fill(part, offset);
    assert.is(await readUpTo(handle, got), part.length, `bytes at ${offset}`);
    assert.ok(part.equals(got.subarray(0, part.length)), `wrong bytes at ${offset}`);
  }
  assert.is(await readUpTo(handle, got), 0, "the end");
}

/** As many bytes as there are; read(2) may give fewer. */
async function readUpTo(handle: FileHandle, into: Buffer): Promise<number> {
  for (let filled = 0; ; ) {
    const { bytesRead } = await handle.read(into, filled, into.length - filled, null);
    filled += bytesRead;
    if (bytesRead === 0 || filled === into.length) return filled;
  }
}

async function assertWhole(server: Server, key: string, size: number): Promise<void> {
  const store = storeOf(server, "bucket");
  assert.is((await store.head(key)).size, size);
  assert.equal(await store.listUploads(""), []);
  await store.close();
}

async function timed(action: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await action();
  return (performance.now() - started) / 1000;
}

function tell(what: string, seconds: number, served: Served): void {
  const [peak, cpu] = [served.peakMiB().toFixed(0), served.cpuSeconds().toFixed(1)];
  process.stdout.write(`    ${what} in ${seconds.toFixed(1)} s, peak ${peak} MiB, ${cpu} CPU s\n`);
}

function assertPeak(served: Served): void {
  const peak = served.peakMiB();
  assert.ok(peak * 1.048576 <= 256, `${peak.toFixed(0)} MiB`);
}

test.run();
