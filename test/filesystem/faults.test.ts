// With one request in twenty failing: no wrong byte, no file lost that close() reported as written, no upload left behind.
import { createHash } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createS3FileSystem } from "../../src/filesystem/file-system.ts";
import type { FileSystemOptions } from "../../src/filesystem/options.ts";
import { faultyStore } from "../../src/s3/faulty-store.ts";
import { MemoryStore } from "../../src/s3/memory-store.ts";
import type { ObjectStore } from "../../src/s3/object-store.ts";
import { Client } from "./client.ts";
import { storeOf, withEmbedded } from "./mounted-bucket.ts";

const files = Number(process.env["S3CSI_FAULT_FILES"] ?? 10_000);
const MiB = 1 << 20;
const workers = 48;
const directories = 97;

/** Most are small; some go in parts. */
function contentOf(i: number): Buffer {
  const size = i % 500 === 0 ? 11 * MiB + i : (i * 7919) % 20_000;
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 61) bytes[at] = (at * 31 + i) & 0xff;
  bytes.write(`file ${i}`);
  return bytes;
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const nameOf = (i: number) => `d${i % directories}/f${i}`;

interface Tally {
  readonly written: Map<string, string>;
  failed: number;
  wrong: number;
  unread: number;
}

async function writeAndReadBack(client: Client, count: number): Promise<Tally> {
  const tally: Tally = { written: new Map(), failed: 0, wrong: 0, unread: 0 };
  for (let d = 0; d < directories; d++) await insistently(() => client.mkdir(`d${d}`));
  await inParallel(count, async (i) => {
    const content = contentOf(i);
    try {
      await client.writeFile(nameOf(i), content);
      tally.written.set(nameOf(i), digest(content));
    } catch {
      tally.failed++;
    }
  });
  client.forgetAll();
  await inParallel(count, async (i) => {
    const expected = tally.written.get(nameOf(i));
    if (!expected) return;
    // A program that gets an error tries again; it must never get wrong bytes.
    for (let attempt = 0; ; attempt++) {
      try {
        if (digest(await client.readFile(nameOf(i))) !== expected) tally.wrong++;
        return;
      } catch {
        if (attempt === 20) {
          tally.unread++;
          return;
        }
      }
    }
  });
  return tally;
}

async function insistently(task: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await task();
    } catch {}
  }
}

async function inParallel(count: number, task: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < count) await task(next++);
    }),
  );
}

const mount = (store: ObjectStore, options: Partial<FileSystemOptions> = {}) =>
  new Client(createS3FileSystem({ store, allowOverwrite: true, writePartSize: 5 * MiB, ...options }));

test(`${files} files over a server that fails one request in twenty`, async () => {
  await withEmbedded(async (server) => {
    const { faults } = server.s3;
    for (const kind of ["reset", "lost-reply", "reset-mid-body", "truncated"] as const) faults.add({ ratio: 0.008, fault: { kind } });
    faults.add({ ratio: 0.01, fault: { kind: "status", status: 503, code: "SlowDown" } });
    faults.add({ ratio: 0.01, fault: { kind: "slow", ms: 100 } });
    const store = storeOf(server, "bucket");
    const tally = await writeAndReadBack(mount(store), files);
    const hits = faults.hits;
    assert.ok(hits > files / 20, `${hits} faults`);
    faults.clear();
    assert.is(tally.wrong, 0, "wrong bytes");
    assert.is(tally.unread, 0, "lost files");
    assert.is(tally.failed, 0, "the client's retries carry all of it");
    for (let i = 0; i < 200 && server.s3.bucket("bucket").uploads.size > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.is(server.s3.bucket("bucket").uploads.size, 0, "uploads left behind");
    await store.close();
  });
});

for (const kind of ["lost-reply", "reset-mid-body", "truncated"] as const) {
  test(`the answer to the start of an upload is lost (${kind}): the file is whole, nothing stays, and the upload of another client is not touched`, async () => {
    await withEmbedded(async (server) => {
      const store = storeOf(server, "bucket");
      const other = await store.createUpload("big", {});
      await store.uploadPart(other, 1, [Buffer.alloc(5 * MiB)]);
      server.s3.faults.add({ operation: "CreateMultipartUpload", nth: 1, fault: { kind } });
      const client = mount(store);
      await client.writeFile("big", contentOf(500));
      assert.is(server.s3.faults.hits, 1);
      assert.is(digest(await client.readFile("big")), digest(contentOf(500)));
      const { uploads } = server.s3.bucket("bucket");
      for (let i = 0; i < 200 && uploads.size > 1; i++) await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal((await store.listUploads("")).map(({ uploadId }) => uploadId), [other.uploadId]);
      await store.close();
    });
  });
}

test("without the client's retries: errors, but nothing wrong, lost or left", async () => {
  const inner = new MemoryStore();
  let seed = 42;
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  const faults = (["reset", "truncated", "checksum", "throttled", "server-error", "lost-answer"] as const).map((fault) => ({
    fault,
    share: 0.009,
  }));
  const store = faultyStore(inner, faults, random);
  const tally = await writeAndReadBack(mount(store), Math.min(files, 3000));
  assert.ok(tally.failed > 0, "some were told to have failed");
  assert.ok(store.injected > 100);
  assert.is(tally.wrong, 0, "wrong bytes");
  assert.is(tally.unread, 0, "lost files");
  for (const [name, sum] of tally.written) assert.is(digest(inner.peek(name)?.body ?? Buffer.alloc(0)), sum, name);
  store.rules = [];
  for (let i = 0; i < 200 && inner.pendingUploads > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.is(inner.pendingUploads, 0, "uploads left behind");
});

test.run();
