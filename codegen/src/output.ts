// Compares what the generators print with what stands on disk, and brings the disk in line. generated/ belongs to the generators alone:
// a file there that none of them owns is a leftover and goes.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

export interface Change {
  readonly kind: "missing" | "differs" | "leftover";
  readonly path: string;
}

export async function compare(root: string, files: ReadonlyMap<string, string>): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [file, text] of files) {
    const found = await readFile(path.join(root, file), "utf8").catch(() => undefined);
    if (found === undefined) changes.push({ kind: "missing", path: file });
    else if (found !== text) changes.push({ kind: "differs", path: file });
  }
  for (const file of await filesUnder(root, "generated")) {
    if (!files.has(file)) changes.push({ kind: "leftover", path: file });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export async function write(root: string, files: ReadonlyMap<string, string>, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    const file = path.join(root, change.path);
    if (change.kind === "leftover") {
      await rm(file);
      continue;
    }
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, files.get(change.path) ?? "");
  }
}

async function filesUnder(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
