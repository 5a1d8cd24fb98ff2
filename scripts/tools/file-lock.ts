// A lock between processes that a crash can't leave behind: flock(1) holds it while it reads from a pipe of ours, so the kernel
// frees it when this process ends, however it ends.
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface FileLockOptions {
  readonly signal?: AbortSignal;
  /** Called once when somebody else has the lock. */
  readonly onWait?: () => void;
}

export async function withFileLock<T>(file: string, options: FileLockOptions, run: () => Promise<T>): Promise<T> {
  options.signal?.throwIfAborted();
  const holder = spawn("flock", [file, "sh", "-c", "echo held; exec cat >/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
  holder.stdin.on("error", () => {});
  const waiting = setTimeout(() => options.onWait?.(), 500);
  const abort = () => holder.kill();
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    const [first] = await Promise.race([once(holder.stdout, "data"), once(holder, "close").then(() => [undefined])]);
    clearTimeout(waiting);
    options.signal?.throwIfAborted();
    if (first === undefined) throw new Error(`flock (package util-linux) could not lock ${file}`);
    return await run();
  } finally {
    clearTimeout(waiting);
    options.signal?.removeEventListener("abort", abort);
    holder.stdin.end();
    if (holder.exitCode === null && holder.signalCode === null) await once(holder, "exit");
  }
}
