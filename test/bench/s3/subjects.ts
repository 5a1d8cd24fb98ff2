// Who is measured: our own mount, and s3fs where it is installed. Both get the same bucket.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isMountPoint } from "../../../src/linux/mount-info.ts";
import { umount } from "../../../src/linux/mount.ts";
import type { BenchServer } from "./server.ts";

export interface Subject extends AsyncDisposable {
  readonly name: string;
  readonly mountPoint: string;
  /** Processor seconds so far. */
  cpuSeconds(): number;
  /** Resident memory now, and the most there was. */
  memory(): { readonly rssMiB: number; readonly peakMiB: number };
}

const cli = path.join(import.meta.dirname, "../../../src/bin/cli.ts");

export function ownMount(server: BenchServer, bucket: string, args: readonly string[] = []): Promise<Subject> {
  return start("s3-csi", server, (mountPoint) => [
    process.execPath,
    [cli, "mount", bucket, mountPoint, "--foreground", "--endpoint-url", server.endpoint, "--force-path-style", "--allow-delete", "--allow-overwrite", ...args],
  ]);
}

export async function s3fsMount(server: BenchServer, bucket: string): Promise<Subject | undefined> {
  try {
    execFileSync("s3fs", ["--version"], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return start("s3fs", server, (mountPoint, folder) => {
    const passwd = path.join(folder, "passwd");
    writeFileSync(passwd, `${server.accessKeyId}:${server.secretAccessKey}\n`, { mode: 0o600 });
    return ["s3fs", [bucket, mountPoint, "-f", "-o", `passwd_file=${passwd},url=${server.endpoint},use_path_request_style,use_cache=`]];
  });
}

async function start(name: string, server: BenchServer, command: (mountPoint: string, folder: string) => [string, string[]]): Promise<Subject> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "s3csi-bench-"));
  const mountPoint = path.join(folder, "mnt");
  mkdirSync(mountPoint);
  const [file, args] = command(mountPoint, folder);
  const env = { ...process.env, AWS_ACCESS_KEY_ID: server.accessKeyId, AWS_SECRET_ACCESS_KEY: server.secretAccessKey };
  const child: ChildProcess = spawn(file, args, { env, stdio: ["ignore", "ignore", "ignore"] });
  for (let i = 0; i < 400 && !isMountPoint(mountPoint) && child.exitCode === null; i++) await delay(25);
  if (!isMountPoint(mountPoint)) throw new Error(`${name} did not mount`);
  const status = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
  return {
    name,
    mountPoint,
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    memory: () => ({ rssMiB: Math.round(status("VmRSS")), peakMiB: Math.round(status("VmHWM")) }),
    [Symbol.asyncDispose]: async () => {
      umount(mountPoint, { lazy: true });
      for (let i = 0; i < 200 && child.exitCode === null; i++) await delay(25);
      if (child.exitCode === null) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
