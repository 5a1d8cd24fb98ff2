// Content on disk: one sparse file per version of an object, filled hole by hole as it is read and whole as it is written.
// It survives restarts and crashes (each block carries a checksum) and gives up the least recently used objects first.
//
// Nothing here may break a read or a write: a disk that is full, read-only or broken only means that less is cached, and the
// log says so once.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Logger } from "../../core/log.ts";
import type { BlockMap } from "./block-map.ts";
import { prepareCacheDirectory, proveRoom } from "./cache-directory.ts";
import { allocated, CachedFile } from "./cached-file.ts";
import { WriteTee } from "./write-tee.ts";

export interface DiskCacheOptions {
  readonly directory: string;
  /** Without it, a twentieth of the disk is left free. */
  readonly maxBytes?: number | undefined;
  readonly bucket: string;
  readonly log: Logger;
  readonly now: () => number;
}

interface Known {
  /** Of the disk, the map included. */
  bytes: number;
  file: CachedFile | undefined;
  /** This process has proven all of it. */
  proven: boolean;
}

const pauseAfterFailureMs = 60_000;
/** Content and map each end in a page that is not full. */
const roundingBytes = 2 * 4096;

export class DiskCache {
  /** Writes under way. */
  pending = 0;
  readonly #options: DiskCacheOptions;
  readonly #root: string;
  /** Least recently used first. */
  readonly #known = new Map<string, Known>();
  #bytes = 0;
  /** For writes under way. */
  #reserved = 0;
  #pausedUntilMs = 0;
  /** It was said that the cache can't be filled. */
  #warned = false;
  #tees = 0;

  /** Throws when the directory can't be used, or its disk is full and nothing is cached there. */
  constructor(options: DiskCacheOptions) {
    this.#options = options;
    this.#root = prepareCacheDirectory(options.directory);
    this.#scan();
    if (this.#known.size === 0) proveRoom(options.directory, this.#root);
  }

  /** Undefined when the disk fails. */
  open(key: string, etag: string, size: number): CachedFile | undefined {
    const id = this.#idOf(key, etag, size);
    try {
      const known = this.#use(id);
      known.file ??= this.#load(id, size, known);
      known.file.users++;
      return known.file;
    } catch (error) {
      this.#pause(error);
      return undefined;
    }
  }

  close(file: CachedFile): void {
    if (--file.users > 0) return;
    const known = this.#known.get(file.id);
    if (known) {
      known.file = undefined;
      known.proven = file.map.proven === file.map.blocks;
    }
    if (file.map.present === 0) this.#remove(file.id);
    else touch(file.mapPath);
    void file.close();
  }

  /** Keeps what was fetched. Never fails: a cache that can't be written is only slower. */
  async keep(file: CachedFile, start: number, bytes: Uint8Array): Promise<void> {
    this.pending++;
    try {
      // With the map that may come with it.
      const room = bytes.length + file.map.encodedSize + roundingBytes;
      if (!this.#reserve(room)) return;
      try {
        await file.write(start, bytes);
      } finally {
        this.#reserved -= room;
        this.#account(file);
      }
      this.#wrote();
    } catch (error) {
      this.#pause(error);
    } finally {
      this.pending--;
    }
  }

  /** Follows an upload, so that what was just written is here already. */
  tee(key: string): WriteTee {
    const temporary = path.join(this.#root, `writing-${process.pid}-${++this.#tees}`);
    return new WriteTee(temporary, {
      reserve: (bytes) => this.#reserve(bytes),
      release: (bytes) => {
        this.#reserved -= bytes;
      },
      commit: (etag, map) => this.#adopt(temporary, this.#idOf(key, etag, map.size), map),
      onFailure: (error) => this.#pause(error),
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  get objects(): number {
    return this.#known.size;
  }

  /** What a crash left without a partner is of no use to anybody, and would take space for ever. */
  #scan(): void {
    const found: { readonly id: string; readonly bytes: number; readonly usedMs: number }[] = [];
    for (const folder of readdirSync(this.#root, { withFileTypes: true })) {
      const full = path.join(this.#root, folder.name);
      // What was being written when a process died belongs to no version.
      if (!folder.isDirectory()) rmSync(full, { force: true });
      else found.push(...this.#scanFolder(folder.name, new Set(readdirSync(full))));
    }
    for (const { id, bytes } of found.sort((a, b) => a.usedMs - b.usedMs)) {
      this.#known.set(id, { bytes, file: undefined, proven: false });
      this.#bytes += bytes;
    }
  }

  *#scanFolder(folder: string, names: ReadonlySet<string>): Generator<{ id: string; bytes: number; usedMs: number }> {
    for (const name of names) {
      const cut = name.lastIndexOf(".");
      const [rest, kind] = [name.slice(0, cut), name.slice(cut)];
      const partner = kind === ".map" ? ".data" : kind === ".data" ? ".map" : undefined;
      if (!partner) continue;
      const file = path.join(this.#root, folder, name);
      if (!names.has(rest + partner)) rmSync(file, { force: true });
      else if (kind === ".map") yield this.#measure(folder + rest, file);
    }
  }

  #measure(id: string, map: string): { id: string; bytes: number; usedMs: number } {
    const { mtimeMs, blocks } = statSync(map);
    return { id, bytes: blocks * 512 + allocated(`${this.#pathOf(id)}.data`), usedMs: mtimeMs };
  }

  /** As the most recently used one. */
  #use(id: string): Known {
    let known = this.#known.get(id);
    if (known) this.#known.delete(id);
    else {
      mkdirSync(path.dirname(this.#pathOf(id)), { recursive: true, mode: 0o700 });
      known = { bytes: 0, file: undefined, proven: false };
    }
    this.#known.set(id, known);
    return known;
  }

  #load(id: string, size: number, known: Known): CachedFile {
    const file = new CachedFile(id, this.#pathOf(id), size);
    if (known.proven) file.map.trust();
    // Nothing is on disk of one that is new.
    if (file.map.present > 0) this.#setBytes(known, file.bytes);
    return file;
  }

  #account(file: CachedFile): void {
    const known = this.#known.get(file.id);
    if (known) this.#setBytes(known, file.bytes);
  }

  #setBytes(known: Known, bytes: number): void {
    this.#bytes += bytes - known.bytes;
    known.bytes = bytes;
  }

  /** Makes a whole object of what a tee has written. */
  #adopt(temporary: string, id: string, map: BlockMap): void {
    const known = this.#use(id);
    // Somebody reads it already: leave theirs.
    if (known.file) return rmSync(temporary, { force: true });
    const target = this.#pathOf(id);
    try {
      renameSync(temporary, `${target}.data`);
      writeFileSync(`${target}.map`, map.encode(), { mode: 0o600 });
      const file = new CachedFile(id, target, map.size);
      this.#setBytes(known, file.bytes);
      this.#wrote();
    } catch (error) {
      this.#remove(id);
      throw error;
    }
  }

  /** Room for so many bytes more, to be given back by the caller. */
  #reserve(bytes: number): boolean {
    if (this.#options.now() < this.#pausedUntilMs) return false;
    if (this.#makeRoom(bytes)) {
      this.#reserved += bytes;
      return true;
    }
    // A cache that has reached the size it was given is no trouble; a disk that others have filled is.
    if (this.#options.maxBytes === undefined) this.#pause(new Error("less than a twentieth of its disk is free"));
    return false;
  }

  /** False when the rest is in use; nothing is given up then. */
  #makeRoom(wanted: number): boolean {
    const over = this.#overBy(wanted);
    if (over <= 0) return true;
    let freed = 0;
    const oldest: string[] = [];
    for (const [id, known] of this.#known) {
      if (freed >= over) break;
      if (known.file) continue;
      freed += known.bytes;
      oldest.push(id);
    }
    if (freed < over) return false;
    for (const id of oldest) this.#remove(id);
    return true;
  }

  #overBy(wanted: number): number {
    const { maxBytes } = this.#options;
    if (maxBytes !== undefined) return this.#bytes + this.#reserved + wanted - maxBytes;
    const { bavail, blocks, bsize } = statfsSync(this.#root);
    return wanted + (blocks * bsize) / 20 - bavail * bsize;
  }

  #remove(id: string): void {
    this.#bytes -= this.#known.get(id)?.bytes ?? 0;
    this.#known.delete(id);
    try {
      // The map first: content without a map is nothing, a map without content would have to be disproven.
      rmSync(`${this.#pathOf(id)}.map`, { force: true });
      rmSync(`${this.#pathOf(id)}.data`, { force: true });
    } catch (error) {
      this.#pause(error);
    }
  }

  #pause(error: unknown): void {
    this.#pausedUntilMs = this.#options.now() + pauseAfterFailureMs;
    if (this.#warned) return;
    this.#warned = true;
    this.#options.log.warn("the cache can't be written; reading and writing go on without it", { directory: this.#options.directory, error });
  }

  #wrote(): void {
    if (!this.#warned) return;
    this.#warned = false;
    this.#options.log.info("the cache can be written again", { directory: this.#options.directory });
  }

  #idOf(key: string, etag: string, size: number): string {
    return createHash("sha256").update(`${this.#options.bucket}\0${key}\0${etag}\0${size}`).digest("hex");
  }

  #pathOf(id: string): string {
    return path.join(this.#root, id.slice(0, 2), id.slice(2));
  }
}

/** When it was last used stands in the file's own time, for the next process. */
function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // It was removed meanwhile.
  }
}
