// fuse-native speaks of paths, the FileSystem interface of nodes: every path is walked, and every lookup given back.
import { DriverError } from "../../core/errors.ts";
import type { Caller, Entry, FileSystem, Forget, NodeId } from "../file-system.ts";
import { rootNodeId } from "../file-system.ts";

export class PathWalker {
  readonly #fileSystem: FileSystem;
  readonly #caller: Caller;

  constructor(fileSystem: FileSystem, caller: Caller) {
    this.#fileSystem = fileSystem;
    this.#caller = caller;
  }

  /** Calls `use` with the node at the path. */
  async at<T>(path: string, use: (node: NodeId) => T | Promise<T>): Promise<T> {
    const forgotten: Forget[] = [];
    let node = rootNodeId;
    try {
      for (const name of path.split("/")) {
        if (name === "") continue;
        const entry = await this.#lookup(node, name);
        node = entry.node;
        forgotten.push({ node, count: 1 });
      }
      return await use(node);
    } finally {
      if (forgotten.length > 0) this.#fileSystem.forget?.(forgotten);
    }
  }

  /** Calls `use` with the directory above the path and the path's last name. */
  above<T>(path: string, use: (parent: NodeId, name: string) => T | Promise<T>): Promise<T> {
    const cut = path.lastIndexOf("/");
    return this.at(path.slice(0, cut), (parent) => use(parent, path.slice(cut + 1)));
  }

  /** An entry that the file system handed out and nobody keeps. */
  async drop(entry: Entry | Promise<Entry>): Promise<void> {
    const { node } = await entry;
    if (node !== 0) this.#fileSystem.forget?.([{ node, count: 1 }]);
  }

  async #lookup(parent: NodeId, name: string): Promise<Entry> {
    const entry = await this.#fileSystem.lookup?.(parent, name, this.#caller);
    if (!entry || entry.node === 0) throw new DriverError("NotFound", "no such name");
    return entry;
  }
}
