// Making and removing names: mkdir, rmdir, unlink, and the check before a file is created.
import { DriverError } from "../core/errors.ts";
import { ioError, notFound, notPermitted } from "./errors.ts";
import { checkNewName } from "./names.ts";
import type { Namespace } from "./namespace.ts";
import type { DirectoryNode, FileNode, Node } from "./state.ts";
import type { Volume } from "./volume.ts";

export class Tree {
  readonly #volume: Volume;
  readonly #namespace: Namespace;
  /** Names that were looked up and not found a moment ago: creating them needs no second look. */
  #missed: { readonly key: string; readonly order: number; readonly atMs: number }[] = [];

  constructor(volume: Volume, namespace: Namespace) {
    this.#volume = volume;
    this.#namespace = namespace;
  }

  directory(id: number): DirectoryNode {
    const node = this.#volume.state.nodes.get(id);
    if (!node) throw this.#volume.state.unknownNode(id);
    if (node.kind !== "directory") throw new DriverError("NotDirectory", `${node.key} is a file`);
    if (node.removed) throw notFound(`${node.key} was removed`);
    return node;
  }

  /** The kernel looks a name up before it creates it; what that found is remembered for a moment. */
  noteMissing(directory: DirectoryNode, name: string): void {
    const atMs = this.#volume.now();
    if (this.#missed.length >= 64) this.#missed.shift();
    this.#missed.push({ key: directory.key + name, order: this.#volume.state.nextOrder(), atMs });
  }

  /** What stands where a file or directory is to be made. */
  async occupant(directory: DirectoryNode, name: string): Promise<Node | undefined> {
    if (this.#volume.options.readOnly) throw new DriverError("ReadOnly", "the mount is read-only");
    checkNewName(name);
    const key = directory.key + name;
    const now = this.#volume.now();
    const index = this.#missed.findIndex((miss) => miss.key === key && miss.atMs > now - 100);
    if (index >= 0 && !directory.children.has(name)) {
      this.#missed.splice(index, 1);
      return undefined;
    }
    return await this.#namespace.resolve(directory, name, true);
  }

  async mkdir(directory: DirectoryNode, name: string): Promise<DirectoryNode> {
    if (await this.occupant(directory, name)) throw new DriverError("AlreadyExists", `${directory.key}${name} exists`);
    const made = this.#volume.state.addDirectory(directory, name, true);
    this.#namespace.changed(directory, name);
    made.knownSince = this.#volume.state.nextOrder();
    made.validUntilMs = this.#volume.now() + this.#volume.options.positiveMs;
    return made;
  }

  async rmdir(directory: DirectoryNode, name: string): Promise<void> {
    if (this.#volume.options.readOnly) throw new DriverError("ReadOnly", "the mount is read-only");
    const node = await this.#namespace.resolve(directory, name, true);
    if (!node) throw notFound(`${directory.key}${name} does not exist`);
    if (node.kind === "file") throw new DriverError("NotDirectory", `${node.key} is a file`);
    if (!node.local) throw notPermitted(`${node.key} is in S3: a directory ends with its last object`);
    for (const child of node.children.values()) if (child.local) throw new DriverError("NotEmpty", `${node.key} is not empty`);
    this.#volume.state.removed(node);
    this.#namespace.changed(directory, name);
  }

  async unlink(directory: DirectoryNode, name: string): Promise<void> {
    const { options, store, state } = this.#volume;
    if (options.readOnly) throw new DriverError("ReadOnly", "the mount is read-only");
    if (!options.allowDelete) throw notPermitted("deleting needs --allow-delete");
    const found = await this.#namespace.resolve(directory, name);
    const node = await this.settled(found, directory, name);
    await store.delete(node.key).catch((error: unknown) => {
      throw ioError(error, options.profile, `deleting ${node.key}`);
    });
    state.detach(node);
    this.#namespace.changed(directory, name);
    if (options.negativeMs > 0) this.#namespace.negative.add(directory.id, name, this.#volume.now() + options.negativeMs);
  }

  /** A file that is in S3 and stays there for now; one whose upload is just ending is waited for. */
  async settled(found: Node | undefined, directory: DirectoryNode, name: string): Promise<FileNode> {
    if (!found) throw notFound(`${directory.key}${name} does not exist`);
    if (found.kind === "directory") throw new DriverError("IsDirectory", `${found.key} is a directory`);
    const writer = found.local?.writer;
    if (writer?.released) await writer.complete().catch(() => {});
    if (found.local) throw notPermitted(`${found.key} is being written`);
    if (!this.#volume.state.isAttached(found)) throw notFound(`${found.key} could not be written`);
    if (found.renaming) throw notPermitted(`${found.key} is being renamed`);
    return found;
  }
}
