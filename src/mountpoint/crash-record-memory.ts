// The record for whoever goes on after a crash, in a file of memory that the node service holds too: it is there when this process is
// not any more.
//
// Slots of one size, and an entry has as many in a row as it needs: to remove one is a single small write, and nothing ever has to be
// moved. A process can be killed in the middle of a write, hence the checksum. Before the slots lie the bytes of small files.
import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { CrashRecord, DirectoryEntry, OpenEntry, Recorded, WritingEntry } from "../filesystem/crash-record.ts";
import type { Handle, NodeId } from "../fuse/file-system.ts";
import type { Version } from "../filesystem/state.ts";
import { WrittenBytes, writtenBytesEnd } from "./written-bytes.ts";

const slotBytes = 256;
/** Checksum and length of what follows. */
const headerBytes = 8;
/** Enough for any key, 1024 bytes, with what else an entry has, unless it is full of characters that JSON escapes. */
const maxRun = 8;
/** Directories beyond this are not recorded: 16 MiB, if names are not very long. */
const maxDirectories = 65_536;
/** An empty record that once was larger gives its memory back. */
const keepSlots = 1024;

interface Run {
  readonly slot: number;
  readonly length: number;
}

interface AreaEntry extends WritingEntry {
  readonly area: number;
}

type AnyEntry = OpenEntry | AreaEntry | DirectoryEntry;

export class CrashRecordMemory implements CrashRecord {
  readonly #fd: number;
  readonly #bytes: WrittenBytes;
  readonly #handles = new Map<Handle, Run>();
  readonly #writing = new Map<Handle, AreaEntry>();
  readonly #directories = new Map<NodeId, Run>();
  /** Runs that can be used again, by their length. */
  readonly #free: number[][] = Array.from({ length: maxRun + 1 }, () => []);
  #end = 0;
  readonly #scratch = Buffer.alloc(maxRun * slotBytes);
  readonly #nothing = Buffer.alloc(headerBytes);

  /** The descriptor stays the caller's. */
  constructor(fd: number) {
    this.#fd = fd;
    this.#bytes = new WrittenBytes(fd);
  }

  /** What a predecessor left that died. This or clear() comes before anything else. */
  load(): Recorded {
    const slots = Buffer.alloc(Math.max(0, fstatSync(this.#fd).size - writtenBytesEnd));
    readSync(this.#fd, slots, 0, slots.length, writtenBytesEnd);
    const entries: AnyEntry[] = [];
    this.#end = Math.ceil(slots.length / slotBytes);
    for (let slot = 0, length = 1; slot < this.#end; slot += length) {
      const text = textAt(slots, slot * slotBytes);
      length = text ? slotsFor(text.length) : 1;
      if (!text) {
        this.#free[1]?.push(slot);
        continue;
      }
      const entry = JSON.parse(text.toString()) as AnyEntry;
      entries.push(entry);
      if ("handle" in entry) this.#handles.set(entry.handle, { slot, length });
      else this.#directories.set(entry.node, { slot, length });
    }
    const writing = entries.filter((entry) => "area" in entry);
    for (const entry of writing) this.#writing.set(entry.handle, entry);
    return {
      open: entries.filter((entry) => "handle" in entry && !("area" in entry)) as OpenEntry[],
      writing: writing.map(({ area, ...entry }) => ({ ...entry, content: this.#bytes.load(area) })),
      directories: entries.filter((entry) => !("handle" in entry)) as DirectoryEntry[],
    };
  }

  clear(): void {
    ftruncateSync(this.#fd, 0);
    this.#bytes.reset();
    this.#handles.clear();
    this.#writing.clear();
    this.#directories.clear();
    for (const runs of this.#free) runs.length = 0;
    this.#end = 0;
  }

  opened(entry: OpenEntry): void {
    this.#put(this.#handles, entry.handle, entry);
  }

  writing(entry: WritingEntry): void {
    const area = this.#bytes.take();
    if (area !== undefined) this.#putWriting({ ...entry, area });
  }

  wrote(handle: Handle, offset: number, data: Uint8Array): void {
    const entry = this.#writing.get(handle);
    if (entry && !this.#bytes.write(entry.area, offset, data)) this.closed(handle);
  }

  completed(handle: Handle, version: Version | undefined): void {
    const entry = this.#writing.get(handle);
    if (entry) this.#putWriting({ ...entry, version });
  }

  closed(handle: Handle): void {
    this.#remove(this.#handles, handle);
    const entry = this.#writing.get(handle);
    if (!entry) return;
    this.#writing.delete(handle);
    this.#bytes.give(entry.area);
  }

  known(entry: DirectoryEntry): void {
    if (this.#directories.has(entry.node) || this.#directories.size >= maxDirectories) return;
    this.#put(this.#directories, entry.node, entry);
  }

  forgotten(node: NodeId): void {
    this.#remove(this.#directories, node);
  }

  #putWriting(entry: AreaEntry): void {
    this.#writing.set(entry.handle, entry);
    this.#put(this.#handles, entry.handle, entry);
  }

  #put(runs: Map<number, Run>, key: number, entry: AnyEntry): void {
    const text = JSON.stringify(entry);
    const size = Buffer.byteLength(text);
    const length = slotsFor(size);
    if (runs.get(key)?.length !== length) this.#remove(runs, key);
    if (length > maxRun) return;
    const slot = runs.get(key)?.slot ?? this.#free[length]?.pop() ?? this.#append(length);
    this.#scratch.write(text, headerBytes);
    this.#scratch.writeUInt32LE(crc32(this.#scratch.subarray(headerBytes, headerBytes + size)), 0);
    this.#scratch.writeUInt32LE(size, 4);
    writeSync(this.#fd, this.#scratch, 0, headerBytes + size, writtenBytesEnd + slot * slotBytes);
    runs.set(key, { slot, length });
  }

  #append(length: number): number {
    const slot = this.#end;
    this.#end += length;
    return slot;
  }

  #remove(runs: Map<number, Run>, key: number): void {
    const run = runs.get(key);
    if (!run) return;
    runs.delete(key);
    writeSync(this.#fd, this.#nothing, 0, headerBytes, writtenBytesEnd + run.slot * slotBytes);
    this.#free[run.length]?.push(run.slot);
    if (this.#handles.size === 0 && this.#directories.size === 0 && this.#end > keepSlots) this.#shrink();
  }

  #shrink(): void {
    ftruncateSync(this.#fd, writtenBytesEnd);
    for (const runs of this.#free) runs.length = 0;
    this.#end = 0;
  }
}

function slotsFor(size: number): number {
  return Math.ceil((headerBytes + size) / slotBytes);
}

function textAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + headerBytes > bytes.length) return undefined;
  const start = at + headerBytes;
  const length = bytes.readUInt32LE(at + 4);
  if (length === 0 || start + length > bytes.length) return undefined;
  const text = bytes.subarray(start, start + length);
  return crc32(text) === bytes.readUInt32LE(at) ? text : undefined;
}
