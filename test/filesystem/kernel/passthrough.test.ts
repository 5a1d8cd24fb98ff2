// Whole objects of the cache on disk, read by the kernel itself: no READ request, no EIO in whatever way the file is opened, and the
// cache's own file safe from whoever opens it.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { constants, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open, readFile, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { nothingRecorded } from "../../../src/filesystem/crash-record.ts";
import { createS3FileSystem, type S3FileSystem } from "../../../src/filesystem/file-system.ts";
import type { FileSystemOptions } from "../../../src/filesystem/options.ts";
import { unregisterBackingFile } from "../../../src/fuse/broker/backing-file.ts";
import { mountFuse } from "../../../src/fuse/mount.ts";
import { FuseSession } from "../../../src/fuse/session.ts";
import { duplicate, memoryFile } from "../../../src/linux/descriptor.ts";
import { BackingFiles, ownRegistrar, type Registrar } from "../../../src/mountpoint/backing-files.ts";
import { CrashRecordMemory } from "../../../src/mountpoint/crash-record-memory.ts";
import { testLog, withMountPoint } from "../../fuse/mounted.ts";
import { type MountedBucket, put, storeOf, withBucket, withEmbedded } from "../mounted-bucket.ts";

const run = promisify(execFile);
const MiB = 1 << 20;

interface Bed extends MountedBucket {
  readonly cache: string;
  /** READ requests so far. */
  reads(): number;
  /** What was registered with the kernel, in order. */
  readonly ids: number[];
  /** The cache's file of an object that is the only one there. */
  cachedFile(): string;
}

function content(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i + 4 <= size; i += 4) bytes.writeUInt32LE(Math.imul(i + seed, 2654435761) >>> 0, i);
  return bytes;
}

async function withCache(
  { maxBytes, refuse, ...options }: Partial<FileSystemOptions> & { readonly maxBytes?: number; readonly refuse?: boolean },
  use: (bed: Bed) => Promise<void>,
): Promise<void> {
  const cache = mkdtempSync(path.join(os.tmpdir(), "s3csi-passthrough-"));
  const backingFiles = new BackingFiles(testLog);
  const ids: number[] = [];
  try {
    await withEmbedded((server) =>
      withBucket(server, "bucket", { cache: { directory: cache, ...(maxBytes ? { maxBytes } : {}) }, passthrough: backingFiles, ...options }, async (mounted) => {
        const own = ownRegistrar(mounted.fd);
        const noted: Registrar = {
          ...own,
          register: async (fd) => {
            if (refuse) throw new Error("the kernel refuses");
            const id = await own.register(fd);
            ids.push(id);
            return id;
          },
        };
        backingFiles.use(noted);
        await use({ ...mounted, cache, ids, reads: countReads(mounted.fileSystem), cachedFile: () => dataFiles(cache)[0] as string });
      }),
    );
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

function countReads(fileSystem: S3FileSystem): () => number {
  let reads = 0;
  const read = fileSystem.read.bind(fileSystem);
  fileSystem.read = (...request) => {
    reads++;
    return read(...request);
  };
  return () => reads;
}

const dataFiles = (cache: string) =>
  readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".data")).map((name) => path.join(cache, name));

/** Has the object in the cache, whole, and the kernel without pages of it. */
async function warm({ path: at, fileSystem, session }: Bed, name: string): Promise<void> {
  await readFile(path.join(at, name));
  for (let i = 0; i < 1000 && fileSystem.status().cacheWritesPending > 0; i++) await delay(2);
  await session.notifier.invalidateNode((await stat(path.join(at, name))).ino);
}

test("the second read of a whole cached object makes no READ request, and is the same", async () => {
  const bytes = content(5 * MiB + 123);
  await withCache({}, async (bed) => {
    await put(bed.store, "f", bytes);
    const file = path.join(bed.path, "f");
    await warm(bed, "f");
    const before = bed.reads();
    assert.ok(before > 0, "the first read came through us");
    assert.ok(bytes.equals(await readFile(file)));
    assert.is(bed.reads(), before);
    assert.is(bed.ids.length, 1);
    // It is the cache's file that is read, not pages of the kernel's.
    const other = Buffer.from(bytes);
    other.write("seen");
    writeFileSync(bed.cachedFile(), other);
    assert.ok(other.equals(await readFile(file)));
    await delay(50);
    assert.throws(() => unregisterBackingFile(bed.fd, bed.ids[0] as number), /ENOENT/, "it was unregistered with the last close");
    assert.is(bed.fileSystem.status().filesReadByKernel, 0);
  });
});

test("where it is refused, files are read as ever", async () => {
  const bytes = content(3 * MiB);
  await withCache({ refuse: true }, async (bed) => {
    await put(bed.store, "f", bytes);
    await warm(bed, "f");
    const before = bed.reads();
    for (let i = 0; i < 3; i++) assert.ok(bytes.equals(await readFile(path.join(bed.path, "f"))));
    assert.ok(bed.reads() > before);
    assert.is(bed.fileSystem.status().filesReadByKernel, 0);
  });
});

test("every way of opening a file goes well beside a reader that needs no READ", async () => {
  const bytes = content(2 * MiB);
  await withCache({}, async (bed) => {
    await put(bed.store, "f", bytes);
    const file = path.join(bed.path, "f");
    await warm(bed, "f");
    const first = await open(file, "r");
    const second = await open(file, "r");
    assert.is(bed.fileSystem.status().filesReadByKernel, 2);
    assert.is(bed.ids.length, 1, "registered once for both");
    const both = await open(file, "r+");
    assert.ok(bytes.equals(await both.readFile()));
    assert.is(await both.write(Buffer.from("x"), 0, 1, 0).then(() => "written", (error: NodeJS.ErrnoException) => error.code), "EBADF");
    const direct = await open(file, constants.O_RDONLY | constants.O_DIRECT);
    assert.ok(bytes.equals(await direct.readFile()));
    const before = bed.reads();
    for (const reader of [first, second]) {
      assert.ok(bytes.equals(await reader.readFile()));
      assert.is((await reader.stat()).size, bytes.length);
    }
    assert.is(bed.reads(), before);
    for (const handle of [first, second, both, direct]) await handle.close();
    assert.ok(bytes.equals(readFileSync(bed.cachedFile())), "nobody wrote into the cache");
    await delay(20);
    assert.ok(bytes.equals(await readFile(file)));
  });
});

test("a file open in the ordinary way stays so until it is closed", async () => {
  const bytes = content(2 * MiB);
  await withCache({}, async (bed) => {
    await put(bed.store, "f", bytes);
    const file = path.join(bed.path, "f");
    const plain = await open(file, "r");
    await warm(bed, "f");
    const second = await open(file, "r");
    assert.is(bed.fileSystem.status().filesReadByKernel, 0);
    assert.ok(bytes.equals(await second.readFile()));
    await plain.close();
    await second.close();
    await delay(20);
    const third = await open(file, "r");
    assert.is(bed.fileSystem.status().filesReadByKernel, 1);
    await third.close();
  });
});

test("S-OPEN-11 own writes are read that way too; a replaced file stays whole for who has it open", async () => {
  await withCache({ allowOverwrite: true }, async (bed) => {
    const file = path.join(bed.path, "f");
    const old = content(2 * MiB, 1);
    await writeFile(file, old);
    // The first look is answered by the pages that were written, the second is what proves the cache's file.
    for (let i = 0; i < 2; i++) await warm(bed, "f");
    const before = bed.reads();
    assert.ok(old.equals(await readFile(file)));
    assert.is(bed.reads(), before);
    // Descriptor 3 is closed, which is a FLUSH, while 4 keeps the file open: the writer may come, and 4 goes on with what it opened.
    const { stdout, stderr } = await run("sh", ["-c", 'exec 3< "$0"; exec 4<&3; exec 3<&-; printf new > "$0"; sha256sum <&4; cat "$0"', file]);
    assert.is(stderr, "");
    assert.ok(stdout.endsWith("new"), stdout);
    assert.ok(stdout.startsWith(createHash("sha256").update(old).digest("hex")), stdout);
  });
});

test("what the kernel reads by itself is neither evicted nor forgotten in the sum", async () => {
  await withCache({ maxBytes: 5 * MiB }, async (bed) => {
    for (let i = 0; i < 9; i++) await put(bed.store, `f${i}`, content(2 * MiB, i));
    await warm(bed, "f0");
    const held = await open(path.join(bed.path, "f0"), "r");
    assert.is(bed.fileSystem.status().filesReadByKernel, 1);
    const name = bed.cachedFile();
    for (let i = 1; i < 6; i++) {
      await warm(bed, `f${i}`);
      assert.ok(bed.fileSystem.status().cacheBytes <= 5 * MiB);
    }
    assert.ok(dataFiles(bed.cache).includes(name), "its file is still there");
    assert.ok(content(2 * MiB, 0).equals(await held.readFile()));
    await held.close();
    await delay(20);
    for (let i = 6; i < 9; i++) await warm(bed, `f${i}`);
    assert.not(dataFiles(bed.cache).includes(name), "once closed it goes like any other");
  });
});

test("openers of all kinds at once: no error, no wrong byte", async () => {
  const bytes = content(MiB + 5);
  await withCache({ allowOverwrite: true }, async (bed) => {
    await put(bed.store, "f", bytes);
    const file = path.join(bed.path, "f");
    await warm(bed, "f");
    const flags = [constants.O_RDONLY, constants.O_RDONLY, constants.O_RDONLY, constants.O_RDONLY | constants.O_DIRECT, constants.O_RDWR];
    let passed = 0;
    const worker = async (seed: number) => {
      for (let i = 0; i < 60; i++) {
        const handle = await open(file, flags[(seed * 7 + i * 3 + (i >> 2)) % flags.length] as number);
        passed += bed.fileSystem.status().filesReadByKernel > 0 ? 1 : 0;
        try {
          assert.ok(bytes.equals(await handle.readFile()));
        } finally {
          await handle.close();
        }
      }
    };
    // Three: the server is in this process too, and has to open the cache's file with what is left of its four threads.
    await Promise.all([0, 1, 2].map(worker));
    assert.ok(passed > 0);
    assert.is(bed.fileSystem.status().openFiles, 0);
  });
});

test("a successor goes on while the kernel reads by itself, with a record and without one", async () => {
  const bytes = content(3 * MiB);
  const cache = mkdtempSync(path.join(os.tmpdir(), "s3csi-passthrough-"));
  try {
    await withEmbedded(async (server) => {
      const store = storeOf(server, "bucket");
      await put(store, "f", bytes);
      await withMountPoint(async (mountPoint, guard) => {
        const { fd, connection } = mountFuse({ mountPoint, allowOther: true, defaultPermissions: true });
        guard(connection);
        const file = path.join(mountPoint, "f");
        const serve = async (more: Partial<FileSystemOptions>, resume?: ReturnType<FuseSession["exportState"]>) => {
          const backingFiles = new BackingFiles(testLog);
          backingFiles.use(ownRegistrar(fd));
          const fileSystem = createS3FileSystem({ store, cache: { directory: cache }, passthrough: backingFiles, ...more });
          const session = await FuseSession.start({ fd: duplicate(fd), fileSystem, log: testLog, ...(resume ? { resume } : {}) });
          fileSystem.attachNotifier(session.notifier);
          return { fileSystem, session };
        };
        const crashRecord = new CrashRecordMemory(memoryFile("test"));
        let served = await serve({ crashRecord });
        for (const end of ["handed over", "died", "died without a record"]) {
          await readFile(file);
          while (served.fileSystem.status().cacheWritesPending > 0) await delay(2);
          const held = await open(file, "r");
          assert.is(served.fileSystem.status().filesReadByKernel, 1, end);
          const state = served.session.exportState();
          await served.session.stop({ handOver: true });
          const more =
            end === "handed over" ? { resume: await served.fileSystem.exportState() } : { predecessorDied: end === "died" ? crashRecord.load() : nothingRecorded };
          served = await serve({ ...more, crashRecord }, state);
          const again = Buffer.alloc(bytes.length);
          assert.is((await held.read(again, 0, again.length, 0)).bytesRead, bytes.length);
          assert.ok(bytes.equals(again), "the reader goes on");
          const reads = countReads(served.fileSystem);
          assert.ok(bytes.equals(await readFile(file)), "and others may come");
          assert.ok(reads() > 0, "through us at first: the new process has proven nothing yet");
          await held.close();
          await delay(20);
        }
        await served.session.stop({ graceMs: 100 });
      });
      await store.close();
    });
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
});

test.run();
