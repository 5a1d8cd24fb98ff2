// The record for whoever goes on after a crash, in a file of memory that the node service holds too: it is there when this process is
// not any more.
//
// Slots of one size, and an entry has as many in a row as it needs: to remove one is a single small write, and nothing ever has to be
// moved. A process can be killed in the middle of a write, hence the checksum.
import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { CrashRecord, DirectoryEntry, OpenEntry, Recorded } from "../filesystem/crash-record.ts";
import type { Handle, NodeId } from "../fuse/file-system.ts";

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

export class CrashRecordMemory implements CrashRecord {
  readonly #fd: number;
  readonly #open = new Map<Handle, Run>();
  readonly #directories = new Map<NodeId, Run>();
  /** Runs that can be used again, by their length. */
  readonly #free: number[][] = Array.from({ length: maxRun + 1 }, () => []);
  #end = 0;
  readonly #bytes = Buffer.alloc(maxRun * slotBytes);
  readonly #nothing = Buffer.alloc(headerBytes);

  /** The descriptor stays the caller's. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** What a predecessor left that died. This or clear() comes before anything else. */
  load(): Recorded {
    const bytes = Buffer.alloc(fstatSync(this.#fd).size);
    readSync(this.#fd, bytes, 0, bytes.length, 0);
    const open: OpenEntry[] = [];
    const directories: DirectoryEntry[] = [];
    this.#end = Math.ceil(bytes.length / slotBytes);
    for (let slot = 0, length = 1; slot < this.#end; slot += length) {
      const text = textAt(bytes, slot * slotBytes);
      length = text ? slotsFor(text.length) : 1;
      if (!text) this.#free[1]?.push(slot);
      else {
        const entry = JSON.parse(text.toString()) as OpenEntry | DirectoryEntry;
        if ("handle" in entry) {
          this.#open.set(entry.handle, { slot, length });
          open.push(entry);
        } else {
          this.#directories.set(entry.node, { slot, length });
          directories.push(entry);
        }
      }
    }
    return { open, directories };
  }

  clear(): void {
    ftruncateSync(this.#fd, 0);
    this.#open.clear();
    this.#directories.clear();
    for (const runs of this.#free) runs.length = 0;
    this.#end = 0;
  }

  opened(entry: OpenEntry): void {
    this.closed(entry.handle);
    this.#put(this.#open, entry.handle, entry);
  }

  closed(handle: Handle): void {
    this.#remove(this.#open, handle);
  }

  known(entry: DirectoryEntry): void {
    if (this.#directories.has(entry.node) || this.#directories.size >= maxDirectories) return;
    this.#put(this.#directories, entry.node, entry);
  }

  forgotten(node: NodeId): void {
    this.#remove(this.#directories, node);
  }

  #put(runs: Map<number, Run>, key: number, entry: OpenEntry | DirectoryEntry): void {
    const text = JSON.stringify(entry);
    const size = Buffer.byteLength(text);
    const length = slotsFor(size);
    if (length > maxRun) return;
    let slot = this.#free[length]?.pop();
    if (slot === undefined) {
      slot = this.#end;
      this.#end += length;
    }
    this.#bytes.write(text, headerBytes);
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(headerBytes, headerBytes + size)), 0);
    this.#bytes.writeUInt32LE(size, 4);
    writeSync(this.#fd, this.#bytes, 0, headerBytes + size, slot * slotBytes);
    runs.set(key, { slot, length });
  }

  #remove(runs: Map<number, Run>, key: number): void {
    const run = runs.get(key);
    if (!run) return;
    runs.delete(key);
    if (this.#open.size === 0 && this.#directories.size === 0 && this.#end > keepSlots) return this.clear();
    writeSync(this.#fd, this.#nothing, 0, headerBytes, run.slot * slotBytes);
    this.#free[run.length]?.push(run.slot);
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
