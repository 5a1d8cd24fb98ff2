// The record of what is open: found again by whoever comes next, whatever was cut off in the middle.
import { closeSync, fstatSync, writeSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { OpenEntry } from "../../src/filesystem/open-record.ts";
import { memoryFile } from "../../src/linux/descriptor.ts";
import { OpenFilesMemory } from "../../src/mountpoint/open-files-memory.ts";

const slotBytes = 1536;
const entry = (handle: number, key = `dir/file-${handle}`): OpenEntry => ({ handle, node: handle + 100, key, version: { etag: `"${handle}"`, size: handle, lastModifiedMs: 1, storageClass: undefined, restored: undefined } });
const handles = (entries: readonly OpenEntry[]) => entries.map(({ handle }) => handle).sort((a, b) => a - b);

function withMemory(use: (fd: number) => void): void {
  const fd = memoryFile("test");
  try {
    use(fd);
  } finally {
    closeSync(fd);
  }
}

test("what was put and not removed is found, its place used again", () =>
  withMemory((fd) => {
    const record = new OpenFilesMemory(fd);
    for (let handle = 1; handle <= 10; handle++) record.put(entry(handle));
    for (const handle of [2, 5, 10, 11]) record.remove(handle);
    const slots = () => Math.ceil(fstatSync(fd).size / slotBytes);
    assert.is(slots(), 10);
    for (const handle of [20, 21, 22]) record.put(entry(handle));
    record.put({ ...entry(20), readByKernel: true });
    assert.is(slots(), 10, "no more memory than before");
    const next = new OpenFilesMemory(fd);
    const found = next.load();
    assert.equal(handles(found), [1, 3, 4, 6, 7, 8, 9, 20, 21, 22]);
    assert.equal(found.find(({ handle }) => handle === 3), JSON.parse(JSON.stringify(entry(3))));
    assert.is(found.find(({ handle }) => handle === 20)?.readByKernel, true);
    next.remove(3);
    next.put(entry(30));
    assert.equal(handles(new OpenFilesMemory(fd).load()), [1, 4, 6, 7, 8, 9, 20, 21, 22, 30]);
  }));

test("an entry that was cut off, overwritten or that does not fit is left out, and no other", () =>
  withMemory((fd) => {
    const record = new OpenFilesMemory(fd);
    const long = "ü".repeat(512);
    for (const [handle, key] of [[1, "a"], [2, "b"], [3, long], [4, "c"], [5, "x".repeat(3000)]] as const) record.put(entry(handle, key));
    writeSync(fd, "garbage", slotBytes + 20);
    assert.equal(handles(new OpenFilesMemory(fd).load()), [1, 3, 4]);
    assert.is(new OpenFilesMemory(fd).load().find(({ handle }) => handle === 3)?.key, long, "the longest key there can be");
    writeSync(fd, Buffer.alloc(8, 0xff), 0, 8, 0);
    assert.equal(handles(new OpenFilesMemory(fd).load()), [3, 4]);
  }));

test("memory of many files is given back when all are closed", () =>
  withMemory((fd) => {
    const record = new OpenFilesMemory(fd);
    for (let handle = 1; handle <= 10_000; handle++) record.put(entry(handle));
    assert.is(new OpenFilesMemory(fd).load().length, 10_000);
    for (let handle = 1; handle <= 10_000; handle++) record.remove(handle);
    assert.is(fstatSync(fd).size, 0);
    record.put(entry(1));
    assert.equal(handles(new OpenFilesMemory(fd).load()), [1]);
    record.clear();
    assert.equal(new OpenFilesMemory(fd).load(), []);
  }));

test.run();
