// What the tree should look like, in the simplest way that can be written down: the keys of the bucket, the files that are
// being written, the directories made here. One function makes the expected tree of it.
import { isVisibleName } from "../../src/filesystem/names.ts";

export type Expected =
  | { readonly kind: "directory"; readonly children: Map<string, Expected> }
  | { readonly kind: "file"; readonly content: string | undefined };

export class Model {
  readonly remote = new Map<string, string>();
  /** Paths of files being written, with what was written so far. */
  readonly writing = new Map<string, string>();
  readonly localDirectories = new Set<string>();

  /** The visible tree. */
  tree(): Expected & { kind: "directory" } {
    const root: Expected & { kind: "directory" } = { kind: "directory", children: new Map() };
    // Remote files are the weakest, so they come first; remote directories last.
    for (const [key, content] of this.remote) {
      const path = key.split("/");
      if (path.at(-1) === "" || !path.every(isVisibleName)) continue;
      const parent = this.#remoteDirectory(root, path.slice(0, -1));
      const name = path.at(-1) as string;
      if (parent.children.get(name)?.kind !== "directory") parent.children.set(name, { kind: "file", content });
    }
    for (const key of this.remote.keys()) {
      const path = key.split("/").slice(0, -1);
      const end = path.findIndex((name) => !isVisibleName(name));
      this.#remoteDirectory(root, end < 0 ? path : path.slice(0, end));
    }
    for (const directory of [...this.localDirectories].sort()) {
      const path = directory.split("/");
      const parent = this.#find(root, path.slice(0, -1));
      const name = path.at(-1) as string;
      if (parent && parent.children.get(name)?.kind !== "directory") parent.children.set(name, { kind: "directory", children: new Map() });
    }
    for (const file of this.writing.keys()) {
      const path = file.split("/");
      const parent = this.#find(root, path.slice(0, -1));
      const name = path.at(-1) as string;
      if (parent && parent.children.get(name)?.kind !== "directory") parent.children.set(name, { kind: "file", content: undefined });
    }
    return root;
  }

  /** What was seen to vanish or to be shadowed does not come back: local state below it is out of reach. Returns the files
   *  that are still written, but no longer seen. */
  settle(): string[] {
    for (let changed = true; changed; ) {
      changed = false;
      for (const directory of this.localDirectories) {
        if (!this.isRemoteDirectory(directory) && this.at(directory)?.kind === "directory") continue;
        this.localDirectories.delete(directory);
        changed = true;
      }
    }
    const lost = [...this.writing.keys()].filter((path) => {
      const seen = this.at(path);
      return seen?.kind !== "file" || seen.content !== undefined;
    });
    for (const path of lost) this.writing.delete(path);
    return lost;
  }

  at(path: string): Expected | undefined {
    const names = path.split("/");
    const parent = this.#find(this.tree(), names.slice(0, -1));
    return parent?.children.get(names.at(-1) as string);
  }

  isRemoteDirectory(path: string): boolean {
    for (const key of this.remote.keys()) if (key.startsWith(`${path}/`)) return true;
    return false;
  }

  #remoteDirectory(root: Expected & { kind: "directory" }, path: readonly string[]): Expected & { kind: "directory" } {
    let at = root;
    for (const name of path) {
      let child = at.children.get(name);
      if (child?.kind !== "directory") {
        child = { kind: "directory", children: new Map() };
        at.children.set(name, child);
      }
      at = child;
    }
    return at;
  }

  #find(root: Expected & { kind: "directory" }, path: readonly string[]): (Expected & { kind: "directory" }) | undefined {
    let at: Expected = root;
    for (const name of path) {
      const child: Expected | undefined = at.kind === "directory" ? at.children.get(name) : undefined;
      if (child?.kind !== "directory") return undefined;
      at = child;
    }
    return at.kind === "directory" ? at : undefined;
  }
}
