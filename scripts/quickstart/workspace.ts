// Where the quickstart keeps its things: one directory with a fixed name, so that a run that was killed can be cleaned up by
// the next one. It lies in memory where possible, for it holds the toy server's keys.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { umount } from "../../src/linux/mount.ts";
import { readMountInfo } from "../../src/linux/mount-info.ts";

export interface Workspace {
  readonly root: string;
  /** Plays the kubelet's directory. */
  readonly kubelet: string;
  readonly credentials: string;
  readonly daemons: string;
  readonly logs: string;
  /** A short name for the volume, for people. */
  readonly shortcut: string;
  socket(name: string): string;
}

const root = path.join(existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir(), "s3-csi-quickstart");
const shortcut = path.join(os.tmpdir(), "s3-quickstart");

export async function createWorkspace(): Promise<Workspace> {
  await removeLeftovers();
  const folder = async (name: string) => {
    const made = path.join(root, name);
    await mkdir(made, { recursive: true, mode: 0o700 });
    return made;
  };
  await mkdir(root, { mode: 0o755 });
  return {
    root,
    kubelet: await folder("kubelet"),
    credentials: await folder("credentials"),
    daemons: await folder("daemons"),
    logs: await folder("logs"),
    shortcut,
    socket: (name) => path.join(root, `${name}.sock`),
  };
}

export async function showVolumeAt(target: string): Promise<void> {
  await rm(shortcut, { force: true });
  await symlink(target, shortcut);
}

/** Takes away what is there, of this run or of a killed one: mounts first, so that no file of the volume is deleted by mistake. */
export async function removeLeftovers(): Promise<void> {
  await rm(shortcut, { force: true });
  if (!existsSync(root)) return;
  await endDaemons();
  const mounted = readMountInfo()
    .map((mount) => mount.mountPoint)
    .filter((place) => place.startsWith(`${root}/`));
  for (const place of mounted.toReversed()) umount(place, { lazy: true });
  await rm(root, { recursive: true, force: true });
}

async function endDaemons(): Promise<void> {
  const daemons = path.join(root, "daemons");
  for (const name of await readdir(daemons).catch((): string[] => [])) {
    const pid = Number(await readFile(path.join(daemons, name, "pid"), "utf8").catch(() => ""));
    if (!(pid > 1)) continue;
    // The number may belong to somebody else by now.
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes("mountpoint.")) process.kill(pid, "SIGKILL");
  }
}
