// The record of what is open, in a file of memory that the node service holds too: it is there when this process is not any more.
//
// Slots of one size, so that closing a file is one small write and nothing ever has to be moved. A process can be killed in the
// middle of a write, hence the checksum. What does not fit into a slot is not recorded, and does not outlive a crash.
import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { OpenEntry, OpenRecord } from "../filesystem/open-record.ts";
import type { Handle } from "../fuse/file-system.ts";

/** Room for the longest key, 1024 bytes, and what else an entry has. */
const slotBytes = 1536;
/** Checksum and length of what follows. */
const headerBytes = 8;
/** An empty record that once was larger gives its memory back. */
const keepSlots = 256;

export class OpenFilesMemory implements OpenRecord {
  readonly #fd: number;
  readonly #slots = new Map<Handle, number>();
  readonly #free: number[] = [];
  #end = 0;
  readonly #slot = Buffer.alloc(slotBytes);
  readonly #nothing = Buffer.alloc(headerBytes);

  /** The descriptor stays the caller's. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** What a predecessor left that died. This or clear() comes before anything else. */
  load(): OpenEntry[] {
    const bytes = Buffer.alloc(fstatSync(this.#fd).size);
    readSync(this.#fd, bytes, 0, bytes.length, 0);
    const entries: OpenEntry[] = [];
    this.#end = Math.ceil(bytes.length / slotBytes);
    for (let slot = 0; slot < this.#end; slot++) {
      const entry = decode(bytes.subarray(slot * slotBytes, (slot + 1) * slotBytes));
      if (!entry) this.#free.push(slot);
      else {
        this.#slots.set(entry.handle, slot);
        entries.push(entry);
      }
    }
    return entries;
  }

  clear(): void {
    ftruncateSync(this.#fd, 0);
    this.#slots.clear();
    this.#free.length = 0;
    this.#end = 0;
  }

  put(entry: OpenEntry): void {
    const text = JSON.stringify(entry);
    if (headerBytes + Buffer.byteLength(text) > slotBytes) return;
    const length = this.#slot.write(text, headerBytes);
    const slot = this.#slots.get(entry.handle) ?? this.#free.pop() ?? this.#end++;
    this.#slots.set(entry.handle, slot);
    this.#slot.writeUInt32LE(crc32(this.#slot.subarray(headerBytes, headerBytes + length)), 0);
    this.#slot.writeUInt32LE(length, 4);
    writeSync(this.#fd, this.#slot, 0, headerBytes + length, slot * slotBytes);
  }

  remove(handle: Handle): void {
    const slot = this.#slots.get(handle);
    if (slot === undefined) return;
    this.#slots.delete(handle);
    if (this.#slots.size === 0 && this.#end > keepSlots) return this.clear();
    this.#free.push(slot);
    writeSync(this.#fd, this.#nothing, 0, headerBytes, slot * slotBytes);
  }
}

function decode(slot: Buffer): OpenEntry | undefined {
  if (slot.length < headerBytes) return undefined;
  const length = slot.readUInt32LE(4);
  if (length === 0 || length > slot.length - headerBytes) return undefined;
  const text = slot.subarray(headerBytes, headerBytes + length);
  return crc32(text) === slot.readUInt32LE(0) ? (JSON.parse(text.toString()) as OpenEntry) : undefined;
}
