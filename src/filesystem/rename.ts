// rename(2). S3 can do it in directory buckets only (RenameObject); elsewhere the strict profile says ENOSYS.
import { DriverError, hasCode } from "../core/errors.ts";
import { ioError, invalid, notFound, notPermitted } from "./errors.ts";
import { checkNewName } from "./names.ts";
import type { Namespace } from "./namespace.ts";
import type { DirectoryNode, FileNode, Node } from "./state.ts";
import type { Tree } from "./tree.ts";
import type { Volume } from "./volume.ts";

const noReplaceFlag = 1;
const otherFlags = 2 | 4;
const maxKeyBytes = 1024;

export class Renames {
  readonly #volume: Volume;
  readonly #namespace: Namespace;
  readonly #tree: Tree;
  #supported: boolean;

  constructor(volume: Volume, namespace: Namespace, tree: Tree) {
    this.#volume = volume;
    this.#namespace = namespace;
    this.#tree = tree;
    // A store that does not know RenameObject might take the request for a PutObject: never ask without need.
    this.#supported = volume.options.bucketType === "directory";
  }

  async rename(from: DirectoryNode, name: string, to: DirectoryNode, newName: string, flags: number): Promise<void> {
    const { options } = this.#volume;
    if (options.readOnly) throw new DriverError("ReadOnly", "the mount is read-only");
    if (flags & otherFlags) throw invalid("RENAME_EXCHANGE and RENAME_WHITEOUT are not supported");
    checkNewName(newName);
    const found = await this.#namespace.resolve(from, name);
    if (!found) throw notFound(`${from.key}${name} does not exist`);
    if (found.kind === "directory") throw notPermitted("directories can't be renamed");
    const source = await this.#tree.settled(found, from, name);
    const target = await this.#namespace.resolve(to, newName, true);
    const noReplace = (flags & noReplaceFlag) !== 0 || !options.allowOverwrite;
    this.#checkTarget(target, noReplace);
    const key = to.key + newName;
    if (!this.#supported && options.profile === "strict") throw new DriverError("Unimplemented", "this store has no RenameObject");
    if (Buffer.byteLength(key) > maxKeyBytes) throw new DriverError("NameTooLong", `the key would have more than ${maxKeyBytes} bytes`);
    source.renaming = true;
    try {
      if (this.#supported) await this.#move(source, key, noReplace);
      else await this.#copy(source, key, noReplace);
    } finally {
      source.renaming = false;
    }
    this.#relink(source, from, name, to, newName, target);
  }

  #checkTarget(target: Node | undefined, noReplace: boolean): void {
    if (!target) return;
    if (target.kind === "file" && target.local) throw notPermitted(`${target.key} is being written`);
    if (noReplace) throw new DriverError("AlreadyExists", `${target.key} exists`);
    if (target.kind === "directory") throw new DriverError("IsDirectory", `${target.key} is a directory`);
  }

  async #move(source: FileNode, key: string, noReplace: boolean): Promise<void> {
    try {
      await this.#volume.store.rename({ sourceKey: source.key, key, noReplace });
    } catch (error) {
      if (hasCode(error, "AlreadyExists")) throw error;
      if (hasCode(error, "NotFound")) throw notFound(`${source.key} does not exist`);
      if (!hasCode(error, "Unimplemented")) throw ioError(error, this.#volume.options.profile, `renaming ${source.key}`);
      this.#supported = false;
      throw error;
    }
  }

  /** Not atomic: between the two requests both names exist. The extended profile says so and does it. */
  async #copy(source: FileNode, key: string, noReplace: boolean): Promise<void> {
    const { store, options } = this.#volume;
    if (!options.allowDelete) throw notPermitted("renaming deletes the old name, which needs --allow-delete");
    try {
      const copied = await store.copy({
        sourceKey: source.key,
        sourceSize: source.version?.size ?? 0,
        key,
        ...(source.version ? { sourceIfMatch: source.version.etag } : {}),
        ...(noReplace ? { ifNoneMatch: true } : {}),
      });
      await store.delete(source.key);
      if (source.version) source.version = { ...source.version, etag: copied.etag };
    } catch (error) {
      if (hasCode(error, "AlreadyExists", "Stale")) throw error;
      throw ioError(error, options.profile, `renaming ${source.key}`);
    }
  }

  #relink(source: FileNode, from: DirectoryNode, name: string, to: DirectoryNode, newName: string, target: Node | undefined): void {
    const { state } = this.#volume;
    if (target) state.detach(target);
    if (from.children.get(name) === source) from.children.delete(name);
    source.parent = to;
    source.name = newName;
    source.key = to.key + newName;
    source.validUntilMs = 0;
    state.attach(source);
    this.#namespace.changed(from, name);
    this.#namespace.changed(to, newName);
    source.knownSince = state.nextOrder();
    for (let directory: DirectoryNode | undefined = to; directory?.local; directory = directory.parent) directory.local = false;
    state.collect(from);
  }
}
