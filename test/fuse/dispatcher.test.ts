// The decoder without a kernel: everything that the kernel would never send, and what happens when it takes no answer.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Opcode, requestShapes } from "../../generated/fuse/kernel.ts";
import { Errno } from "../../src/core/errno.ts";
import { DriverError } from "../../src/core/errors.ts";
import { createLogger } from "../../src/core/log.ts";
import type { ReplyDevice } from "../../src/fuse/device-writer.ts";
import { Dispatcher } from "../../src/fuse/dispatcher.ts";
import type { Entry, FileSystem, Forget, OpenReply, ReadReply } from "../../src/fuse/file-system.ts";
import { type RequestBuffer, RequestBufferPool } from "../../src/fuse/request-buffer.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";

const fuzzInputs = Number(process.env["FUZZ_INPUTS"] ?? 1_000_000);

/** Takes replies like the kernel does, or refuses them with an errno. */
class Recorder implements ReplyDevice {
  readonly replies: { error: number; unique: number; length: number }[] = [];
  count = 0;
  keep = true;
  errno = 0;

  write(bytes: Buffer, length: number): number {
    if (bytes.readUInt32LE(0) !== length) throw new Error("a reply's length is wrong");
    return this.#took(bytes, length);
  }

  writeChunks(chunks: readonly Uint8Array[]): number {
    const length = chunks.reduce((sum, c) => sum + c.length, 0);
    if ((chunks[0] as Buffer).readUInt32LE(0) !== length) throw new Error("a reply's length is wrong");
    return this.#took(chunks[0] as Buffer, length);
  }

  writeChunksLater(chunks: readonly Uint8Array[], done: (errno: number) => void): void {
    const errno = this.writeChunks(chunks);
    setImmediate(() => done(errno));
  }

  #took(header: Buffer, length: number): number {
    this.count++;
    if (this.keep) this.replies.push({ error: -header.readInt32LE(4), unique: header.readUInt32LE(8), length });
    return this.errno;
  }
}

interface Bench {
  readonly device: Recorder;
  readonly dispatcher: Dispatcher;
  readonly logged: string[];
  send(opcode: number, body: Buffer, unique?: number): RequestBuffer;
}

function bench(fileSystem: FileSystem, options: { requestTimeoutMs?: number } = {}): Bench {
  const device = new Recorder();
  const logged: string[] = [];
  const log = createLogger({ level: "error", component: "test", write: (line) => (logged.length < 1000 || line.includes("unexpectedly")) && logged.push(JSON.parse(line).msg) });
  const ignore = (r: { answered: boolean }) => {
    r.answered = true;
  };
  const dispatcher = new Dispatcher({ fileSystem, device, log, ...options, session: { init: ignore, destroy: ignore, retrieved: ignore } });
  const pool = new RequestBufferPool(8192);
  return {
    device,
    dispatcher,
    logged,
    send(opcode, body, unique = 2) {
      const buffer = pool.take();
      const header = Buffer.alloc(40);
      header.writeUInt32LE(40 + body.length, 0);
      header.writeUInt32LE(opcode, 4);
      header.writeUInt32LE(unique, 8);
      header.writeUInt32LE(1, 16);
      Buffer.concat([header, body]).copy(buffer.bytes);
      dispatcher.request(buffer, 40 + body.length);
      return buffer;
    },
  };
}

const name = (text: string) => Buffer.from(`${text}\0`);
const noAttributes = new MemoryFileSystem().nodes.get(1)!.attributes();
const entry: Entry = { node: 7, attributes: noAttributes, validMs: 0, entryValidMs: 0 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

for (const [opcode, shape] of Object.entries(requestShapes)) {
  if (["INIT", "DESTROY", "NOTIFY_REPLY"].includes(shape.name)) continue;
  test(`${shape.name}: ${shape.reply ? "ENOSYS when the file system lacks it" : "never answered"}; an error when it is cut short`, () => {
    const { device, send } = bench({});
    const body = Buffer.concat([Buffer.alloc(shape.bodySize), ...Array.from({ length: shape.names }, () => name("n"))]);
    send(Number(opcode), body);
    const answeredAlways = shape.name === "RELEASE" || shape.name === "RELEASEDIR";
    assert.equal(device.replies.map((r) => r.error), shape.reply ? [answeredAlways ? 0 : Errno.ENOSYS] : []);
    if (body.length === 0) return;
    device.replies.length = 0;
    send(Number(opcode), body.subarray(0, body.length - 1));
    assert.ok(device.replies.every((r) => r.error === Errno.EIO || r.error === Errno.ENOSYS));
    assert.is(device.replies.length, shape.reply ? 1 : 0);
  });
}

test("an opcode that nobody knows is answered ENOSYS", () => {
  const { device, send } = bench({});
  for (const opcode of [0, 7, 19, 54, 63, 64, 4096, 0xffffffff]) send(opcode, Buffer.alloc(64));
  assert.ok(device.replies.length === 8 && device.replies.every((r) => r.error === Errno.ENOSYS));
});

test("a message whose length is not what it says is dropped and logged", () => {
  const { device, dispatcher, logged } = bench({});
  const buffer = new RequestBufferPool(4096).take();
  buffer.bytes.fill(0);
  for (const size of [0, 1, 39, 40, 41]) dispatcher.request(buffer, size);
  assert.is(device.count, 0);
  assert.is(logged.length, 5);
});

test("an entry that the kernel did not take is given back, and so is an open file", async () => {
  const forgotten: Forget[] = [];
  const released: number[] = [];
  const fs: FileSystem = {
    lookup: () => entry,
    create: async () => ({ entry, open: { handle: 5 } }),
    open: (): OpenReply => ({ handle: 6 }),
    forget: (list) => void forgotten.push(...list),
    release: (_, handle) => void released.push(handle),
  };
  const { device, dispatcher, send } = bench(fs);
  device.errno = Errno.ENOENT;
  send(Opcode.LOOKUP, name("x"));
  send(Opcode.CREATE, Buffer.concat([Buffer.alloc(16), name("x")]), 4);
  send(Opcode.OPEN, Buffer.alloc(8), 6);
  await turn();
  dispatcher.batchEnd();
  assert.equal(forgotten, [{ node: 7, count: 1 }, { node: 7, count: 1 }]);
  assert.equal(released.sort(), [5, 6]);
});

test("data is released exactly once, whatever way it went", async () => {
  for (const [size, errno] of [[10, 0], [10, Errno.ENOENT], [50_000, 0], [50_000, Errno.ENOENT], [500_000, 0], [500_000, Errno.ENOENT]] as const) {
    let released = 0;
    const { device, send } = bench({ read: (): ReadReply => ({ chunks: [Buffer.alloc(size)], release: () => void released++ }) });
    device.errno = errno;
    send(Opcode.READ, Buffer.alloc(40));
    await turn();
    await turn();
    assert.is(released, 1, `${size} bytes, errno ${errno}`);
  }
});

test("FORGETs are reported together at the end of a batch", () => {
  const calls: (readonly Forget[])[] = [];
  const { dispatcher, device, send } = bench({ forget: (list) => void calls.push(list) });
  const one = Buffer.alloc(8);
  one.writeUInt32LE(3);
  const batch = Buffer.alloc(8 + 32);
  batch.writeUInt32LE(2, 0);
  for (const [i, value] of [10, 1, 11, 2].entries()) batch.writeUInt32LE(value, 8 + i * 8);
  send(Opcode.FORGET, one);
  send(Opcode.BATCH_FORGET, batch);
  assert.is(calls.length, 0);
  dispatcher.batchEnd();
  dispatcher.batchEnd();
  assert.equal(calls, [[{ node: 1, count: 3 }, { node: 10, count: 1 }, { node: 11, count: 2 }]]);
  assert.is(device.count, 0);
});

test("a WRITE's buffer stays untouched until the file system is done with it", async () => {
  const done = Promise.withResolvers<number>();
  let seen: Uint8Array | undefined;
  const { device, send } = bench({
    write: (_n, _h, _o, data) => {
      seen = data;
      return done.promise;
    },
  });
  const body = Buffer.alloc(43, "abc");
  body.fill(0, 0, 40);
  body.writeUInt32LE(3, 16);
  const buffer = send(Opcode.WRITE, body);
  assert.is(buffer.retained, true);
  assert.is(Buffer.from(seen as Uint8Array).toString(), body.toString("utf8", 40));
  done.resolve(3);
  await turn();
  assert.is(buffer.retained, false);
  assert.equal(device.replies.map((r) => r.error), [0]);
});

test("an answer that comes after the time-out is not sent, but what it held is given back", async () => {
  const opened = Promise.withResolvers<OpenReply>();
  const released: number[] = [];
  const { device, send } = bench({ open: () => opened.promise, release: (_, handle) => void released.push(handle) }, { requestTimeoutMs: 20 });
  send(Opcode.OPEN, Buffer.alloc(8));
  while (device.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  opened.resolve({ handle: 9 });
  await turn();
  assert.equal(device.replies.map((r) => r.error), [Errno.ETIMEDOUT]);
  assert.equal(released, [9]);
});

test("whatever is thrown becomes an errno", async () => {
  for (const [thrown, errno] of [[new DriverError("NoSpace", ""), 28], [new TypeError("bug"), 5], ["text", 5], [undefined, 5]] as const) {
    const { device, send } = bench({
      getattr: () => {
        throw thrown;
      },
      statfs: () => Promise.reject(thrown),
    });
    send(Opcode.GETATTR, Buffer.alloc(16));
    send(Opcode.STATFS, Buffer.alloc(0));
    await turn();
    assert.equal(device.replies.map((r) => r.error), [errno, errno]);
  }
});

test(`${fuzzInputs} random, truncated and oversized messages: no crash, no hang, at most one answer each`, async () => {
  const { device, dispatcher, logged } = bench(new MemoryFileSystem());
  device.keep = false;
  const pool = new RequestBufferPool(4096);
  let state = 12345;
  const random = () => {
    // xorshift: the same inputs in every run.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  let buffer = pool.take();
  for (let i = 0; i < fuzzInputs; i++) {
    const { words, bytes } = buffer;
    const size = random() % 5 === 0 ? random() % 4097 : 40 + (random() % 160);
    const filled = Math.min(1024, (size + 3) >> 2);
    const sparse = random() % 2 === 0;
    for (let w = 0; w < filled; w++) words[w] = sparse && random() % 4 !== 0 ? 0 : random();
    // Most inputs have a true length and opcode, or nothing deeper would ever be reached.
    if (random() % 16 !== 0) words[0] = size;
    if (random() % 16 !== 0) words[1] = random() % 56;
    if (random() % 4 !== 0) {
      words[4] = 1 + (random() % 8);
      words[5] = 0;
      words[9] = 0;
    }
    if (random() % 4 === 0 && size > 60) bytes.write("a\0b\0", 56, "latin1");
    const before = device.count;
    dispatcher.request(buffer, size);
    if (device.count > before + 1) throw new Error(`input ${i} was answered twice`);
    if (buffer.retained) buffer = pool.take();
    if (i % 1000 === 999) {
      dispatcher.batchEnd();
      for (const r of dispatcher.inFlight.all()) r.abort(new DriverError("Cancelled", "enough"));
      await turn();
    }
  }
  assert.ok(device.count > fuzzInputs / 2, `${device.count} answers`);
  assert.ok(logged.includes("dropped a malformed FUSE message"));
  assert.ok(logged.includes("a FUSE request is shorter than its kind demands"));
  assert.is(logged.includes("a file system operation failed unexpectedly"), false);
});

test.run();
