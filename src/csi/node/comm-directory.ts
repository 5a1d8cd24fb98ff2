// The directory that a daemon shares with the node service. The daemon may write there too, and it is not trusted: were
// "credentials" or a file in it a symbolic link, root would write wherever the link points. So the directory is opened once
// without following links, and everything in it is reached through that descriptor.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { DriverError } from "../../core/errors.ts";

const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export class CommDirectory implements AsyncDisposable {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(directory: string, handle: FileHandle) {
    this.path = directory;
    this.#handle = handle;
  }

  /** Throws NotFound when it is not there. */
  static async open(directory: string): Promise<CommDirectory> {
    try {
      return new CommDirectory(directory, await open(directory, directoryFlags));
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      throw new DriverError(missing ? "NotFound" : "Internal", `comm directory ${directory} cannot be opened`, { cause: error });
    }
  }

  /** A path to an entry that stays right whatever becomes of the names above it, and that is short enough for a socket. */
  entry(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }

  /** The sub-directory, made when it is missing; the daemon's group may read it. */
  async subdirectory(name: string, mode = 0o750): Promise<CommDirectory> {
    const { gid } = await this.#handle.stat();
    await mkdir(this.entry(name), { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const handle = await open(this.entry(name), directoryFlags).catch((error) => {
      throw new DriverError("FailedPrecondition", `${path.join(this.path, name)} is not a directory of the driver's`, { cause: error });
    });
    try {
      await handle.chown(0, gid);
      await handle.chmod(mode);
      return new CommDirectory(path.join(this.path, name), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Replaces the file in one step; its group is the directory's, so that the daemon can read it. */
  async write(name: string, content: string | Uint8Array, mode: number): Promise<void> {
    const { gid } = await this.#handle.stat();
    const temporary = this.entry(`.${name}.${randomUUID()}`);
    const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    try {
      await file.writeFile(content);
      await file.chown(0, gid);
      await file.chmod(mode);
      await file.close();
      await rename(temporary, this.entry(name));
    } catch (error) {
      await file.close().catch(() => {});
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async read(name: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.entry(name), { flag: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK });
    } catch (error) {
      if (["ENOENT", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.entry(name), { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
