// A daemon as the node service would have it: a process of uid 1000, its comm directory, and a mount of ours that it serves.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Credentials, MountpointDefinition, type MountRequest } from "../../generated/proto/mountpoint.ts";
import { mountFuse } from "../../src/fuse/mount.ts";
import { connect, type GrpcClient } from "../../src/grpc/client.ts";
import { sendFd } from "../../src/linux/fd-passing.ts";
import { umount } from "../../src/linux/mount.ts";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";
import { connectUnix } from "../../src/linux/unix-socket.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";

const unprivileged = 1000;
const program = path.join(import.meta.dirname, "../../src/bin/mountpoint.ts");

export interface DaemonBed extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly call: GrpcClient<typeof MountpointDefinition>["call"];
  readonly comm: string;
  readonly mountPoint: string;
  /** Hands a descriptor over that stands already. */
  serve(fd: number, request: Partial<MountRequest> & { readonly bucketName: string }): Promise<Buffer>;
  /** From exec to listening. */
  readonly startMs: number;
  log(): string;
  /** Mounts, hands the descriptor over and asks the daemon to serve it. Undone when refused. */
  mount(request: Partial<MountRequest> & { readonly bucketName: string }): Promise<Buffer>;
  rssBytes(): number;
  exit(): Promise<number | null>;
}

export async function startDaemon(options: { readonly env?: Record<string, string>; readonly command?: readonly string[] } = {}): Promise<DaemonBed> {
  const folder = await temporaryFolder("daemon");
  const inside = (name: string) => path.join(folder.path, name);
  for (const name of ["comm", "cache"]) {
    mkdirSync(inside(name));
    chownSync(inside(name), unprivileged, unprivileged);
  }
  chownSync(folder.path, unprivileged, unprivileged);
  mkdirSync(inside("mnt"));
  const started = performance.now();
  const [file = process.execPath, ...args] = options.command ?? [process.execPath, program];
  const child = spawn(file, args, {
    uid: unprivileged,
    gid: unprivileged,
    cwd: "/",
    env: { PATH: process.env["PATH"], COMM_DIR: inside("comm"), MOUNTPOINT_CACHE_DIR: inside("cache"), METRICS_PORT: "0", ...options.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  const scan = scanOfThisRun()?.log("the output of mountpoint");
  let startMs = 0;
  const listening = new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      scan?.(chunk.toString());
      if (startMs === 0 && log.includes('"listening"')) {
        startMs = performance.now() - started;
        resolve();
      }
    });
    child.once("exit", (code) => reject(new Error(`the daemon ended with ${code}: ${log}`)));
    AbortSignal.timeout(20_000).addEventListener("abort", () => reject(new Error(`the daemon does not listen: ${log}`)));
  });
  await listening;
  const client = connect(MountpointDefinition, { endpoint: inside("comm/mount.sock") });
  const mountPoint = inside("mnt");
  const exit = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit", { signal: AbortSignal.timeout(15_000) });
    return child.exitCode;
  };
  const serve: DaemonBed["serve"] = async (fd, request) => {
    const token = crypto.randomUUID();
    const socket = connectUnix(inside("comm/fd.sock"));
    sendFd(socket, fd, token);
    closeSync(socket);
    const empty = { args: [], env: {}, credentials: undefined, volumeId: "test", resumeState: Buffer.alloc(0), readOnly: false };
    return (await client.call.mount({ ...empty, ...request, token }, { signal: AbortSignal.timeout(40_000) })).sessionState;
  };
  return {
    process: child,
    serve,
    call: client.call,
    comm: inside("comm"),
    mountPoint,
    startMs,
    log: () => log,
    mount: async (request) => {
      const { fd } = mountFuse({ mountPoint, allowOther: true, defaultPermissions: true, readOnly: request.readOnly ?? false });
      try {
        return await serve(fd, request);
      } catch (error) {
        umount(mountPoint, { lazy: true });
        throw error;
      } finally {
        closeSync(fd);
      }
    },
    rssBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) * 1024,
    exit,
    [Symbol.asyncDispose]: async () => {
      client.close();
      umount(mountPoint, { lazy: true });
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      await delay(0);
      await folder.remove();
    },
  };
}

export function keysMessage(key: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }): Credentials {
  return { source: { $case: "keys", keys: { accessKeyId: key.accessKeyId, secretAccessKey: key.secretAccessKey, sessionToken: key.sessionToken ?? "" } } };
}
