// Sockets and keys of daemons lie in memory, never on disk. A directory that is not in memory already gets a tmpfs of its own,
// which outlives the node service as the daemons do.
import { chmodSync, mkdirSync, readdirSync, statfsSync } from "node:fs";
import { MountFlag, mount, umount } from "../../../linux/mount.ts";
import { findMount } from "../../../linux/mount-info.ts";

const memoryTypes: ReadonlySet<number> = new Set([0x01021994 /* tmpfs */, 0x858458f6 /* ramfs */]);
const deviceName = "s3-csi-comm";

export function ensureMemoryDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!memoryTypes.has(statfsSync(directory).type)) {
    mount({
      source: deviceName,
      target: directory,
      type: "tmpfs",
      flags: MountFlag.noSuid | MountFlag.noDev | MountFlag.noExec,
      data: "mode=0700,size=64m",
    });
  }
  chmodSync(directory, 0o700);
}

/** Takes our own tmpfs away again when nothing is left in it. */
export function releaseMemoryDirectory(directory: string): void {
  if (findMount(directory)?.source === deviceName && readdirSync(directory).length === 0) umount(directory);
}
