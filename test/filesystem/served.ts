// Starts serve.ts and says how much memory it took.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { umount } from "../../src/linux/mount.ts";
import type { Server } from "./mounted-bucket.ts";

export interface Served {
  readonly path: string;
  readonly pid: number;
  /** Highest resident size so far, in MiB. */
  peakMiB(): number;
  cpuSeconds(): number;
}

export async function withServed<T>(server: Server, bucket: string, options: object, use: (served: Served) => Promise<T>): Promise<T> {
  const mountPoint = mkdtempSync(path.join(os.tmpdir(), "s3csi-served-"));
  const { endpoint, accessKeyId, secretAccessKey } = server;
  const wish = JSON.stringify({ server: { endpoint, accessKeyId, secretAccessKey }, bucket, mountPoint, options });
  const child = spawn(process.execPath, [new URL("serve.ts", import.meta.url).pathname, wish], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => Promise.reject(new Error("the mount did not start")))]);
    const pid = child.pid as number;
    return await use({
      path: mountPoint,
      pid,
      peakMiB: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024,
      cpuSeconds: () => {
        const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
        return (Number(fields[11]) + Number(fields[12])) / 100;
      },
    });
  } finally {
    child.stdin.end();
    const exited = child.exitCode === null ? once(child, "exit") : undefined;
    const limit = setTimeout(() => child.kill("SIGKILL"), 5000);
    await exited;
    clearTimeout(limit);
    while (umount(mountPoint, { lazy: true }));
    rmdirSync(mountPoint);
  }
}
