// The record for whoever goes on after a crash: found again by the next process, whatever was cut off in the middle.
import { closeSync, fstatSync, writeSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { OpenEntry } from "../../src/filesystem/crash-record.ts";
import { memoryFile } from "../../src/linux/descriptor.ts";
import { CrashRecordMemory } from "../../src/mountpoint/crash-record-memory.ts";
import { writtenBytesEnd } from "../../src/mountpoint/written-bytes.ts";

const slotBytes = 256;
const file = (handle: number, key = `dir/file-${handle}`): OpenEntry => ({ handle, request: handle * 2, node: handle + 100, key, version: { etag: `"${handle}"`, size: handle, lastModifiedMs: 1 } });
const directory = (node: number, key = `dir-${node}/`) => ({ node, key, local: false });

function withMemory(use: (fd: number) => void): void {
  const fd = memoryFile("test");
  try {
    use(fd);
  } finally {
    closeSync(fd);
  }
}

/** What it really takes. */
function memoryOf(fd: number): number {
  return fstatSync(fd).blocks * 512;
}

function found(fd: number): { readonly handles: readonly number[]; readonly directories: readonly number[] } {
  const { open, directories } = new CrashRecordMemory(fd).load();
  const sorted = (numbers: number[]) => numbers.sort((a, b) => a - b);
  return { handles: sorted(open.map(({ handle }) => handle)), directories: sorted(directories.map(({ node }) => node)) };
}

test("what was recorded and has not ended is found, its place used again", () =>
  withMemory((fd) => {
    const record = new CrashRecordMemory(fd);
    for (let n = 1; n <= 10; n++) record.opened(file(n));
    for (let n = 1; n <= 10; n++) record.known(directory(n));
    record.known(directory(1, "another/"));
    for (const n of [2, 5, 10, 11]) record.closed(n);
    for (const n of [1, 3, 11]) record.forgotten(n);
    const slots = () => Math.ceil((fstatSync(fd).size - writtenBytesEnd) / slotBytes);
    assert.is(slots(), 20);
    for (const n of [20, 21, 22]) record.opened(file(n));
    for (const n of [20, 21]) record.known(directory(n));
    record.opened({ ...file(20), readByKernel: true });
    assert.is(slots(), 20, "no more memory than before");
    const next = new CrashRecordMemory(fd);
    const { open, directories } = next.load();
    assert.equal(open.find(({ handle }) => handle === 3), file(3));
    assert.is(open.find(({ handle }) => handle === 20)?.readByKernel, true);
    assert.equal(directories.find(({ node }) => node === 20), directory(20));
    next.closed(3);
    next.opened(file(30));
    next.forgotten(20);
    assert.is(slots(), 20);
    assert.equal(found(fd), { handles: [1, 4, 6, 7, 8, 9, 20, 21, 22, 30], directories: [2, 4, 5, 6, 7, 8, 9, 10, 21] });
  }));

test("an entry that was cut off, overwritten or that does not fit is left out, and no other", () =>
  withMemory((fd) => {
    const record = new CrashRecordMemory(fd);
    const long = "ü".repeat(512);
    for (const [n, key] of [[1, "a"], [2, "b"], [3, long], [4, "c"], [5, "x".repeat(3000)]] as const) record.opened(file(n, key));
    record.known(directory(1));
    writeSync(fd, "garbage", writtenBytesEnd + slotBytes + 20);
    assert.equal(found(fd), { handles: [1, 3, 4], directories: [1] });
    assert.is(new CrashRecordMemory(fd).load().open.find(({ handle }) => handle === 3)?.key, long, "the longest key there can be");
    writeSync(fd, Buffer.alloc(8, 0xff), 0, 8, writtenBytesEnd);
    assert.equal(found(fd).handles, [3, 4]);
    // The place of a long entry that ended, or was spoilt, is used for short ones, and found so.
    const next = new CrashRecordMemory(fd);
    next.load();
    next.closed(3);
    for (let n = 10; n < 20; n++) next.opened(file(n));
    const third = new CrashRecordMemory(fd);
    third.load();
    for (let n = 20; n < 30; n++) third.opened(file(n, n % 2 === 0 ? long : "short"));
    assert.equal(found(fd).handles, [4, ...Array.from({ length: 20 }, (_, i) => 10 + i)]);
  }));

test("memory of many files is given back when all are closed; directories beyond the limit are left out", () =>
  withMemory((fd) => {
    const record = new CrashRecordMemory(fd);
    for (let n = 1; n <= 10_000; n++) record.opened(file(n));
    for (let n = 1; n <= 66_000; n++) record.known(directory(n));
    assert.is(new CrashRecordMemory(fd).load().open.length, 10_000);
    assert.is(new CrashRecordMemory(fd).load().directories.length, 65_536);
    assert.ok(memoryOf(fd) < 20 << 20);
    for (let n = 1; n <= 10_000; n++) record.closed(n);
    for (let n = 1; n <= 66_000; n++) record.forgotten(n);
    assert.is(memoryOf(fd), 0);
    record.opened(file(1));
    assert.equal(found(fd), { handles: [1], directories: [] });
    record.clear();
    assert.equal(found(fd), { handles: [], directories: [] });
  }));

test("bytes of files that are being written, up to what an area holds, for as many as there are areas", () =>
  withMemory((fd) => {
    const record = new CrashRecordMemory(fd);
    const writing = (handle: number) => ({ handle, request: handle * 2, node: handle + 100, key: `w-${handle}`, opener: 7 });
    const most = Buffer.alloc(256 * 1024 - 4, 5);
    for (let n = 1; n <= 66; n++) record.writing(writing(n));
    record.wrote(1, 0, Buffer.from("one "));
    record.wrote(1, 4, Buffer.from("two"));
    record.wrote(1, 0, Buffer.from("one "));
    record.wrote(2, 0, most);
    record.wrote(3, 0, most);
    record.wrote(3, most.length, Buffer.from("x"));
    record.completed(4, { etag: "e", size: 0, lastModifiedMs: 1 });
    record.closed(5);
    for (const handle of [3, 5, 66, 99]) record.wrote(handle, 0, most);
    const next = new CrashRecordMemory(fd);
    const { writing: found } = next.load();
    const of = (handle: number) => found.find((entry) => entry.handle === handle);
    assert.is(found.length, 62, "64 areas, less one that was too large and one that was closed");
    assert.equal(of(1), { ...writing(1), content: Buffer.from("one two") });
    assert.ok(most.equals(of(2)?.content ?? Buffer.alloc(0)));
    assert.is(of(4)?.version?.etag, "e");
    // Areas that were given back are empty for who gets them, and what was found goes on.
    next.wrote(1, 7, Buffer.from(" three"));
    next.writing(writing(70));
    next.writing(writing(71));
    next.writing(writing(72));
    next.closed(2);
    next.writing(writing(73));
    const last = new CrashRecordMemory(fd).load().writing;
    assert.equal(Buffer.from(last.find(({ handle }) => handle === 1)?.content ?? []).toString(), "one two three");
    for (const handle of [70, 71, 73]) assert.is(last.find((entry) => entry.handle === handle)?.content.length, 0, String(handle));
    assert.is(last.find(({ handle }) => handle === 72), undefined);
  }));

test.run();
