// The same operations as client.ts, by system calls on a mount.
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import path from "node:path";
import { FileType } from "../../src/fuse/file-system.ts";
import { O } from "./client.ts";
import type { ModelClient, ModelFile } from "./model-run.ts";

export class KernelClient implements ModelClient {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async create(name: string, flags: number): Promise<ModelFile> {
    return await fs.open(this.#at(name), constants.O_CREAT | constants.O_WRONLY | (flags & O.TRUNC ? constants.O_TRUNC : 0), 0o644);
  }

  async open(name: string): Promise<ModelFile> {
    return await fs.open(this.#at(name), "r");
  }

  async write(file: ModelFile, offset: number, data: string): Promise<number> {
    // write(2) of nothing never reaches the file system.
    return (await (file as fs.FileHandle).write(Buffer.from(data), 0, null, offset)).bytesWritten;
  }

  async close(file: ModelFile): Promise<void> {
    await (file as fs.FileHandle).close();
  }

  async release(file: ModelFile): Promise<void> {
    await (file as fs.FileHandle).close();
  }

  async unlink(name: string): Promise<void> {
    await fs.unlink(this.#at(name));
  }

  async mkdir(name: string): Promise<void> {
    await fs.mkdir(this.#at(name));
  }

  async rmdir(name: string): Promise<void> {
    await fs.rmdir(this.#at(name));
  }

  async readdir(name: string): Promise<{ name: string; ino: number; type: number }[]> {
    const entries = await fs.readdir(this.#at(name), { withFileTypes: true });
    return await Promise.all(
      entries.map(async (entry) => ({
        name: entry.name,
        type: entry.isDirectory() ? FileType.directory : FileType.regular,
        ino: (await fs.lstat(this.#at(path.join(name, entry.name)))).ino,
      })),
    );
  }

  async lookupExisting(name: string): Promise<{ node: number; attributes: { mode: number } }> {
    const { ino, mode } = await fs.lstat(this.#at(name));
    return { node: ino, attributes: { mode } };
  }

  async readFile(name: string): Promise<Buffer> {
    return await fs.readFile(this.#at(name));
  }

  forgetAll(): void {}

  #at(name: string): string {
    return path.join(this.#root, name);
  }
}
