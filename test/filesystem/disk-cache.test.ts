// The cache on disk: warm after a restart, hole by hole, checked, bounded, and never of another version.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../src/core/log.ts";
import type { FileSystemOptions } from "../../src/filesystem/options.ts";
import { MemoryStore } from "../../src/s3/memory-store.ts";
import { smallDisk } from "../bed/small-disk.ts";
import { bench, type Bench } from "./client.ts";

const MiB = 1 << 20;

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "s3csi-cache-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const cached = (folder: string, store: MemoryStore, more: Partial<FileSystemOptions> = {}): Bench =>
  bench({ cache: { directory: folder }, allowOverwrite: true, ...more }, store);

function pattern(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i + 4 <= size; i += 4) bytes.writeUInt32LE(Math.imul(i + seed, 2654435761) >>> 0, i);
  return bytes;
}

const dataFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".data"))
    .map((name) => path.join(folder, name));

/** Bytes of the disk that the cache takes, whatever the file is called. */
function onDisk(folder: string): number {
  let sum = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(path.join(folder, name), { throwIfNoEntry: false });
    if (stat?.isFile()) sum += stat.blocks * 512;
  }
  return sum;
}

/** Reads, and waits until the cache has taken what was read. */
async function readAndKeep({ client, fs }: Bench, name: string): Promise<Buffer> {
  const content = await client.readFile(name);
  await kept(fs);
  return content;
}

async function kept(fs: Bench["fs"]): Promise<void> {
  for (let i = 0; i < 1000 && fs.status().cacheWritesPending > 0; i++) await new Promise((resolve) => setTimeout(resolve, 2));
}

test("a second process reads without a GET", async () => {
  await withFolder(async (folder) => {
    const store = new MemoryStore();
    const content = pattern(5 * MiB + 123, 1);
    store.set("f", content);
    assert.ok(content.equals(await readAndKeep(cached(folder, store), "f")));
    store.resetCounters();
    assert.ok(content.equals(await cached(folder, store).client.readFile("f")));
    assert.is(store.calls.get, 0);
  });
});

test("holes are filled, what is there is not fetched again", async () => {
  await withFolder(async (folder) => {
    const store = new MemoryStore();
    const content = pattern(16 * MiB, 2);
    store.set("f", content);
    const first = cached(folder, store);
    const file = await first.client.open("f");
    await first.client.read(file, 8 * MiB, MiB);
    await kept(first.fs);
    await first.client.close(file);
    store.resetCounters();
    assert.ok(content.equals(await cached(folder, store).client.readFile("f")));
    assert.ok(store.bytesFetched <= 15 * MiB, `${store.bytesFetched} bytes fetched`);
  });
});

test("own writes fill it, in one piece and in parts", async () => {
  await withFolder(async (folder) => {
    const store = new MemoryStore();
    const { client } = cached(folder, store);
    const contents = { small: pattern(100, 3), large: pattern(20 * MiB + 7, 4) };
    for (const [name, content] of Object.entries(contents)) await client.writeFile(name, content);
    store.resetCounters();
    const next = cached(folder, store);
    for (const [name, content] of Object.entries(contents)) {
      assert.ok(content.equals(await client.readFile(name)));
      assert.ok(content.equals(await next.client.readFile(name)));
    }
    assert.is(store.calls.get, 0);
  });
});

test("another version is never taken for this one", async () => {
  await withFolder(async (folder) => {
    const store = new MemoryStore();
    for (let version = 0; version < 3; version++) {
      const content = pattern(3 * MiB, version);
      store.set("f", content);
      assert.ok(content.equals(await cached(folder, store).client.readFile("f")));
    }
  });
});

test("damage is found and mended: wrong bytes, a cut file, a cut map, rubbish in the folder", async () => {
  await withFolder(async (folder) => {
    const store = new MemoryStore();
    const content = pattern(3 * MiB, 5);
    store.set("f", content);
    const damages: ((file: string) => void)[] = [
      (file) => {
        const bytes = readFileSync(file);
        bytes[MiB] = (bytes[MiB] ?? 0) ^ 0xff;
        writeFileSync(file, bytes);
      },
      (file) => truncateSync(file, MiB + 5),
      (file) => rmSync(file),
      (file) => truncateSync(file.replace(/data$/, "map"), 40),
      (file) => writeFileSync(file.replace(/data$/, "map"), "rubbish"),
      (file) => writeFileSync(path.join(path.dirname(file), "stray.map"), ""),
    ];
    for (const damage of damages) {
      assert.ok(content.equals(await readAndKeep(cached(folder, store), "f")));
      damage(dataFiles(folder)[0] as string);
      assert.ok(content.equals(await readAndKeep(cached(folder, store), "f")));
    }
  });
});

test("it stays within its size, and gives up what was not used for longest", async () => {
  await withFolder(async (folder) => {
    const store = new MemoryStore();
    const mount = cached(folder, store, { cache: { directory: folder, maxBytes: 5 * MiB } });
    for (let i = 0; i < 8; i++) {
      store.set(`f${i}`, pattern(2 * MiB, i));
      await readAndKeep(mount, `f${i}`);
      mount.advance(1000);
      assert.ok(onDisk(folder) <= 5 * MiB, `${onDisk(folder)} bytes on disk`);
    }
    store.resetCounters();
    const next = cached(folder, store, { cache: { directory: folder, maxBytes: 5 * MiB } });
    assert.ok(pattern(2 * MiB, 7).equals(await next.client.readFile("f7")));
    assert.is(store.calls.get, 0, "the newest is kept");
  });
});

for (const [what, size] of [["blocks", "size=1m"], ["inodes", "size=64m,nr_inodes=8"]] as const) {
  test(`a disk without ${what} slows nothing but the cache, and is told once`, async () => {
    await withFolder(async (folder) => {
      const disk = smallDisk(path.join(folder, "disk"), size);
      try {
        const store = new MemoryStore();
        const warnings: string[] = [];
        const log = createLogger({ level: "warn", component: "test", write: (line) => warnings.push(line) });
        const { client, fs } = cached(disk.path, store, { cache: { directory: disk.path, maxBytes: 100 * MiB }, log });
        for (let i = 0; i < 10; i++) {
          const content = pattern(6 * MiB, i);
          store.set(`read${i}`, content);
          assert.ok(content.equals(await client.readFile(`read${i}`)));
          await client.writeFile(`written${i}`, content);
          assert.ok(content.equals(await client.readFile(`written${i}`)));
          await kept(fs);
        }
        assert.is(warnings.length, 1, warnings.join(""));
      } finally {
        disk.remove();
      }
    });
  });
}

test("a disk that has room again is used again, a minute later", async () => {
  await withFolder(async (folder) => {
    const disk = smallDisk(path.join(folder, "disk"), "size=8m");
    try {
      const store = new MemoryStore();
      const content = pattern(2 * MiB, 1);
      for (const name of ["f", "g", "h"]) store.set(name, content);
      const mount = cached(disk.path, store, { cache: { directory: disk.path, maxBytes: 100 * MiB } });
      disk.fill();
      assert.ok(content.equals(await readAndKeep(mount, "f")));
      disk.drain();
      assert.ok(content.equals(await readAndKeep(mount, "g")));
      assert.is(mount.fs.status().cacheBytes, 0, "not tried again at once");
      mount.advance(61_000);
      assert.ok(content.equals(await readAndKeep(mount, "h")));
      assert.ok(mount.fs.status().cacheBytes >= 2 * MiB);
    } finally {
      disk.remove();
    }
  });
});

test("without a size of its own it leaves a twentieth of the disk to others", async () => {
  await withFolder(async (folder) => {
    const disk = smallDisk(path.join(folder, "disk"), "size=20m");
    try {
      const store = new MemoryStore();
      const mount = cached(disk.path, store);
      for (let i = 0; i < 12; i++) {
        store.set(`f${i}`, pattern(3 * MiB, i));
        assert.ok(pattern(3 * MiB, i).equals(await readAndKeep(mount, `f${i}`)));
        const { bavail, bsize } = statfsSync(disk.path);
        assert.ok(bavail * bsize >= MiB, `${bavail * bsize} bytes are free`);
      }
      assert.ok(mount.fs.status().cacheBytes > 10 * MiB);
    } finally {
      disk.remove();
    }
  });
});

test("an upload that is larger than the cache is not kept, and pushes nothing out", async () => {
  await withFolder(async (folder) => {
    const store = new MemoryStore();
    store.set("f", pattern(MiB, 1));
    const mount = cached(folder, store, { cache: { directory: folder, maxBytes: 12 * MiB } });
    const file = await mount.client.open("f");
    await mount.client.read(file, 0, MiB);
    await kept(mount.fs);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, onDisk(folder))), 1);
    await mount.client.writeFile("large", pattern(40 * MiB, 2));
    clearInterval(watch);
    assert.ok(most <= 12 * MiB, `${most} bytes on disk`);
    assert.ok(onDisk(folder) < 2 * MiB, "only what was read is left");
    await mount.client.close(file);
  });
});

test("a folder that holds something else is left in peace", async () => {
  await withFolder(async (folder) => {
    mkdirSync(path.join(folder, "mine"));
    writeFileSync(path.join(folder, "mine/file"), "precious");
    const store = new MemoryStore();
    store.set("f", "1");
    await cached(folder, store).client.readFile("f");
    assert.is(readFileSync(path.join(folder, "mine/file"), "utf8"), "precious");
  });
});

test.run();
