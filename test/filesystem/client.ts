// The kernel's part, played without a kernel: walks paths by LOOKUP, counts what it is given, and gives it back by FORGET.
import { errnoName, errnoOf } from "../../src/core/errno.ts";
import type { Attributes, Caller, DirectoryEntry, Entry, Handle, NodeId } from "../../src/fuse/file-system.ts";
import { createS3FileSystem, type S3FileSystem } from "../../src/filesystem/file-system.ts";
import type { FileSystemOptions } from "../../src/filesystem/options.ts";
import { MemoryStore } from "../../src/s3/memory-store.ts";

export const O = {
  RDONLY: 0,
  WRONLY: 1,
  RDWR: 2,
  CREAT: 0o100,
  EXCL: 0o200,
  TRUNC: 0o1000,
  APPEND: 0o2000,
  DIRECT: 0o40000,
  SYNC: 0o4010000,
  DSYNC: 0o10000,
} as const;

export function caller(pid = 100): Caller {
  return { uid: 0, gid: 0, pid, resent: false, request: 0, signal: new AbortController().signal };
}

export interface Bench {
  readonly store: MemoryStore;
  readonly fs: S3FileSystem;
  readonly client: Client;
  /** Lets time pass for the file system. */
  advance(ms: number): void;
}

export function bench(options: Partial<FileSystemOptions> = {}, store?: MemoryStore): Bench {
  let now = 1_800_000_000_000;
  const bucket = store ?? new MemoryStore({ now: () => now });
  const fs = createS3FileSystem({
    store: bucket,
    now: () => now,
    threadGroupOf: (pid) => pid || undefined,
    uid: 1000,
    gid: 1000,
    ...options,
  });
  return { store: bucket, fs, client: new Client(fs), advance: (ms) => void (now += ms) };
}

export interface OpenFile {
  readonly node: NodeId;
  readonly handle: Handle;
}

export class Client {
  readonly #fs: S3FileSystem;
  #held = new Map<NodeId, number>();

  constructor(fs: S3FileSystem) {
    this.#fs = fs;
  }

  async lookup(path: string): Promise<Entry> {
    const { parent, name } = await this.#parent(path);
    return this.#take(await this.#fs.lookup(parent, name, caller()));
  }

  /** A negative entry counts as ENOENT. */
  async lookupExisting(path: string): Promise<Entry> {
    return this.#existing(await this.lookup(path));
  }

  async node(path: string): Promise<NodeId> {
    return path === "" || path === "/" ? 1 : (await this.lookup(path)).node;
  }

  async stat(path: string): Promise<Attributes> {
    return (await this.#fs.getattr(await this.node(path), undefined, caller())).attributes;
  }

  async readdir(path: string, plus = false, limit = Number.POSITIVE_INFINITY): Promise<DirectoryEntry[]> {
    const node = await this.node(path);
    const { handle } = await this.#fs.opendir(node, 0, caller());
    const all: DirectoryEntry[] = [];
    for (let offset = 0; ; ) {
      const batch = await this.readdirAt(node, handle, offset, plus, limit);
      if (batch.length === 0) break;
      all.push(...batch);
      offset = (batch.at(-1) as DirectoryEntry).nextOffset;
    }
    await this.#fs.releasedir(node, handle, caller());
    return all;
  }

  async readdirAt(node: NodeId, handle: Handle, offset: number, plus: boolean, limit: number): Promise<DirectoryEntry[]> {
    const batch: DirectoryEntry[] = [];
    await this.#fs.readdir(
      node,
      handle,
      offset,
      plus,
      {
        add: (entry) => batch.length < limit && batch.push(entry) > 0,
        addPlus: (entry, attributes) => {
          if (batch.length >= limit) return false;
          batch.push(entry);
          if (entry.name !== "." && entry.name !== "..") this.#take(attributes);
          return true;
        },
      },
      caller(),
    );
    return batch;
  }

  async names(path: string, plus = false): Promise<string[]> {
    return (await this.readdir(path, plus)).map((entry) => entry.name).filter((name) => name !== "." && name !== "..");
  }

  async open(path: string, flags: number = O.RDONLY, pid?: number): Promise<OpenFile> {
    const node = await this.node(path);
    const { handle } = await this.#fs.open(node, flags, caller(pid));
    return { node, handle };
  }

  /** As open(2) with O_CREAT: looks the name up first, as the kernel does. */
  async create(path: string, flags: number = O.WRONLY, pid?: number): Promise<OpenFile> {
    const { parent, name } = await this.#parent(path);
    try {
      const entry = this.#take(await this.#fs.lookup(parent, name, caller()));
      if (entry.node !== 0) {
        if (flags & O.EXCL) throw Object.assign(new Error("EEXIST"), { errno: 17 });
        return { node: entry.node, handle: (await this.#fs.open(entry.node, flags, caller(pid))).handle };
      }
    } catch (error) {
      if (errnoName(errnoOf(error)) !== "ENOENT") throw error;
    }
    const { entry, open } = await this.#fs.create(parent, name, 0o644, flags | O.CREAT, 0, caller(pid));
    this.#take(entry);
    return { node: entry.node, handle: open.handle };
  }

  async read(file: OpenFile, offset: number, size: number): Promise<Buffer> {
    const reply = await this.#fs.read(file.node, file.handle, offset, size, caller());
    const bytes = Buffer.concat(reply.chunks as Uint8Array[]);
    reply.release?.();
    return bytes;
  }

  async write(file: OpenFile, offset: number, data: Uint8Array | string): Promise<number> {
    return await this.#fs.write(file.node, file.handle, offset, typeof data === "string" ? Buffer.from(data) : data, caller());
  }

  async flush(file: OpenFile, pid?: number): Promise<void> {
    await this.#fs.flush(file.node, file.handle, 0n, caller(pid));
  }

  async release(file: OpenFile): Promise<void> {
    await this.#fs.release(file.node, file.handle, 0, caller());
  }

  async fsync(file: OpenFile): Promise<void> {
    await this.#fs.fsync(file.node, file.handle, false, caller());
  }

  async close(file: OpenFile, pid?: number): Promise<void> {
    try {
      await this.flush(file, pid);
    } finally {
      await this.release(file);
    }
  }

  async readFile(path: string): Promise<Buffer> {
    const file = await this.open(path);
    try {
      const parts: Buffer[] = [];
      for (let offset = 0; ; ) {
        const part = await this.read(file, offset, 128 * 1024);
        if (part.length === 0) return Buffer.concat(parts);
        parts.push(part);
        offset += part.length;
      }
    } finally {
      await this.close(file);
    }
  }

  async writeFile(path: string, content: Uint8Array | string, flags: number = O.WRONLY | O.TRUNC): Promise<void> {
    const file = await this.create(path, flags);
    const data = typeof content === "string" ? Buffer.from(content) : content;
    try {
      for (let offset = 0; offset < data.length; offset += 1 << 20)
        await this.write(file, offset, data.subarray(offset, offset + (1 << 20)));
    } catch (error) {
      await this.release(file);
      throw error;
    }
    await this.close(file);
  }

  async mkdir(path: string): Promise<void> {
    const { parent, name } = await this.#parent(path);
    this.#take(await this.#fs.mkdir(parent, name, 0o755, 0, caller()));
  }

  async mknod(path: string, mode = 0o100644): Promise<NodeId> {
    const { parent, name } = await this.#parent(path);
    return this.#take(await this.#fs.mknod(parent, name, mode, 0, 0, caller())).node;
  }

  async rmdir(path: string): Promise<void> {
    const { parent, name } = await this.#parent(path);
    await this.#fs.rmdir(parent, name, caller());
  }

  async unlink(path: string): Promise<void> {
    const { parent, name } = await this.#parent(path);
    await this.#fs.unlink(parent, name, caller());
  }

  async rename(from: string, to: string, flags = 0): Promise<void> {
    const a = await this.#parent(from);
    const b = await this.#parent(to);
    await this.#fs.rename(a.parent, a.name, b.parent, b.name, flags, caller());
  }

  /** Gives every node back. */
  forgetAll(): void {
    this.#fs.forget([...this.#held].map(([node, count]) => ({ node, count })));
    this.#held = new Map();
  }

  async #parent(path: string): Promise<{ parent: NodeId; name: string }> {
    const names = path.split("/").filter((name) => name !== "");
    let parent: NodeId = 1;
    for (const name of names.slice(0, -1)) parent = this.#existing(this.#take(await this.#fs.lookup(parent, name, caller()))).node;
    return { parent, name: names.at(-1) as string };
  }

  #take(entry: Entry): Entry {
    if (entry.node > 1) this.#held.set(entry.node, (this.#held.get(entry.node) ?? 0) + 1);
    return entry;
  }

  #existing(entry: Entry): Entry {
    if (entry.node === 0) throw Object.assign(new Error("ENOENT"), { errno: 2 });
    return entry;
  }
}

/** The name of the errno that an action fails with; "OK" when it does not fail. */
export async function errnoOfAction(action: () => unknown): Promise<string> {
  try {
    await action();
    return "OK";
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    // Of a system call.
    if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return code;
    const errno = (error as { errno?: number }).errno;
    return errnoName(errno !== undefined && !(error as { code?: unknown }).code ? errno : errnoOf(error));
  }
}
