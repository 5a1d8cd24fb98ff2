// A copy of what the generators read and write, to break at will.
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export const repository = path.resolve(import.meta.dirname, "../..");

export class Scratch {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async create(): Promise<Scratch> {
    const root = await mkdtemp(path.join(os.tmpdir(), "codegen-test-"));
    const copy = (...names: string[]) => Promise.all(names.map((name) => cp(path.join(repository, name), path.join(root, name), { recursive: true })));
    await mkdir(path.join(root, "codegen"));
    await copy("crds", "proto", "generated", "chart", "docs", "src/core", "src/settings", "codegen/src", "codegen/settings.schema.json", "tsconfig.json", "package.json");
    await symlink(path.join(repository, "node_modules"), path.join(root, "node_modules"));
    await symlink(path.join(repository, "codegen/node_modules"), path.join(root, "codegen/node_modules"));
    return new Scratch(root);
  }

  async edit(file: string, change: (text: string) => string): Promise<void> {
    const target = path.join(this.root, file);
    const before = await readFile(target, "utf8");
    const after = change(before);
    if (after === before) throw new Error(`the test's change of ${file} changed nothing`);
    await writeFile(target, after);
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}
