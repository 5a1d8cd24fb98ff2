// The memory budget is a hard limit: read and write more than it holds, and look at the process.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Content } from "../../bed/embedded-s3/content.ts";
import { shell } from "../../fuse/run-child.ts";
import { type Embedded, put, storeOf, withEmbedded } from "../mounted-bucket.ts";
import { withServed } from "../served.ts";

const MiB = 1 << 20;

/** An object of many times the same 8 MiB, cheap to hold. */
async function largeObject(server: Embedded, key: string, size: number): Promise<void> {
  const store = storeOf(server, "bucket");
  const segment = Buffer.alloc(8 * MiB, "0123456789abcdef");
  await put(store, key, "placeholder");
  await store.close();
  const objects = server.s3.bucket("bucket").objects;
  const stored = objects.get(key);
  assert.ok(stored);
  const { checksum: _, ...rest } = stored;
  objects.set(key, {
    ...rest,
    etag: `large-${size}-${key}`,
    content: new Content([...Array(Math.floor(size / segment.length)).fill(segment), segment.subarray(0, size % segment.length)]),
  });
}

test("1 GiB read once, and 4 at once: at most 256 MB", async () => {
  await withEmbedded(async (server) => {
    for (let i = 0; i < 4; i++) await largeObject(server, `f${i}`, 1024 * MiB);
    await withServed(server, "bucket", {}, async (served) => {
      const one = Date.now();
      await shell("dd if=f0 of=/dev/null bs=1M status=none", { cwd: served.path, timeLimitMs: 120_000 });
      const seconds = (Date.now() - one) / 1000;
      const single = served.peakMiB();
      assert.ok(single * 1.048576 <= 256, `${single.toFixed(0)} MiB after one reader`);
      await shell("for i in 0 1 2 3; do dd if=f$i of=/dev/null bs=1M status=none iflag=direct & done; wait", {
        cwd: served.path,
        timeLimitMs: 120_000,
      });
      const four = served.peakMiB();
      assert.ok(four * 1.048576 <= 256, `${four.toFixed(0)} MiB after four readers`);
      process.stdout.write(
        `    1 GiB in ${seconds.toFixed(1)} s; peak ${single.toFixed(0)} MiB, four at once ${four.toFixed(0)} MiB; ${served.cpuSeconds().toFixed(1)} CPU s for 5 GiB\n`,
      );
    });
  });
});

test("four writers of 256 MiB each: at most 256 MB, and all bytes arrive", async () => {
  await withEmbedded(async (server) => {
    await withServed(server, "bucket", {}, async (served) => {
      const writing =
        'for i in 0 1 2 3; do head -c 268435456 /dev/zero > w$i & pids="$pids $!"; done; for pid in $pids; do wait $pid; done';
      await shell(`pids=; ${writing}`, { cwd: served.path, timeLimitMs: 120_000 });
      const peak = served.peakMiB();
      assert.ok(peak * 1.048576 <= 256, `${peak.toFixed(0)} MiB`);
      process.stdout.write(`    peak ${peak.toFixed(0)} MiB for 1 GiB written by four\n`);
      const store = storeOf(server, "bucket");
      for (let i = 0; i < 4; i++) assert.is((await store.head(`w${i}`)).size, 268_435_456);
      await store.close();
    });
  });
});

test.run();
