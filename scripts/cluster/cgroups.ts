// One directory of our own in each cgroup hierarchy: kubelet puts its pods below it, and it goes away with the cluster.
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const root = "/sys/fs/cgroup";

export async function makeCgroups(name: string): Promise<void> {
  for (const hierarchy of await hierarchies()) await mkdir(path.join(hierarchy, name), { recursive: true });
  // In version 1 a new cpuset is empty and takes no process until it is filled, from the top down.
  for (const file of ["cpuset.cpus", "cpuset.mems"]) {
    const all = await readFile(path.join(root, "cpuset", file), "utf8").catch(() => undefined);
    if (all === undefined) continue;
    const parents = name.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
    for (const parent of parents) await writeFile(path.join(root, "cpuset", parent, file), all);
  }
}

/** Returns what could not be removed. */
export async function removeCgroups(name: string, signal?: AbortSignal): Promise<string[]> {
  const left: string[] = [];
  for (const hierarchy of await hierarchies()) {
    const top = path.join(hierarchy, name);
    // A killed process leaves its cgroup a moment after it has left /proc.
    for (let attempt = 0; attempt < 50 && !(await removeTree(top)); attempt++) await delay(100, undefined, { signal });
    if (!(await removeTree(top))) left.push(top);
  }
  return left;
}

async function hierarchies(): Promise<string[]> {
  const names = await readdir(root).catch((): string[] => []);
  if (names.includes("cgroup.controllers")) return [root];
  return names.map((name) => path.join(root, name));
}

async function removeTree(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return true;
  let clean = true;
  for (const entry of entries) if (entry.isDirectory()) clean = (await removeTree(path.join(folder, entry.name))) && clean;
  return (
    clean &&
    rmdir(folder).then(
      () => true,
      () => false,
    )
  );
}
