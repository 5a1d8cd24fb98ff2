// A daemon as a process of its own. It outlives the node service that started it: the pid file and the socket in its comm
// directory are how a later one finds it again.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toDriverError } from "../../../core/errors.ts";

export interface DaemonCommand {
  /** The daemon's script, run by the same Node as this process; or any other program. */
  readonly file: string;
  readonly logLevel: string;
  readonly cacheDir: string;
}

const pidFile = "pid";

/** Starts it unless it runs. The shell writes the pid before it becomes the daemon, so no daemon is ever unknown. */
export function ensureDaemonProcess(comm: string, command: DaemonCommand): void {
  mkdirSync(comm, { recursive: true, mode: 0o700 });
  if (runningPid(comm) !== undefined) return;
  for (const stale of [pidFile, "mount.sock", "fd.sock"]) rmSync(path.join(comm, stale), { force: true });
  const program = /\.[cm]?[jt]s$/.test(command.file) ? [process.execPath, command.file] : [command.file];
  const child = spawn("/bin/sh", ["-c", 'echo $$ > "$0" && exec "$@"', path.join(comm, pidFile), ...program], {
    cwd: "/",
    // Nothing of our own environment: it may hold the driver's keys.
    env: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      COMM_DIR: comm,
      LOG_LEVEL: command.logLevel,
      METRICS_PORT: "0",
      MOUNTPOINT_CACHE_DIR: command.cacheDir,
    },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  child.on("error", () => {});
  child.unref();
}

/** Waits for its end, which Stop has asked for if it was serving; kills it when that does not come. Then its directory goes. */
export async function endDaemonProcess(comm: string, graceMs: number, signal: AbortSignal): Promise<void> {
  const pid = runningPid(comm);
  if (pid !== undefined) {
    // For one that never came to serve; one that does takes no notice.
    kill(pid, "SIGTERM");
    if (!(await ended(comm, graceMs, signal))) {
      kill(pid, "SIGKILL");
      await ended(comm, 5_000, signal);
    }
  }
  rmSync(comm, { recursive: true, force: true });
}

/** Undefined when it does not run. A reused pid is told by what it runs. */
export function runningPid(comm: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(comm, pidFile), "utf8").trim());
    if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    if (/\) [ZX] /.test(status)) return undefined;
    // /bin/sh for an instant, then the daemon; another directory means another program that got the number.
    return readlinkSync(`/proc/${pid}/cwd`) === "/" ? pid : undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw toDriverError(error);
  }
}

/** Whether one was started that has come as far as writing its pid. */
export function hasPid(comm: string): boolean {
  const found = statSync(path.join(comm, pidFile), { throwIfNoEntry: false });
  return found !== undefined && found.size > 0;
}

/** There is no event for the end of a process that is not our child. */
async function ended(comm: string, limitMs: number, signal: AbortSignal): Promise<boolean> {
  for (const until = performance.now() + limitMs; performance.now() < until; await delay(5)) {
    signal.throwIfAborted();
    if (runningPid(comm) === undefined) return true;
  }
  return runningPid(comm) === undefined;
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
