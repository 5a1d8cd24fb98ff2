// Starts the callers of load-process.ts, and ends them.
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "../run-child.ts";

export interface LoadResult {
  readonly operations: number;
  readonly errors: readonly string[];
  readonly wrong: number;
  readonly longestMs: number;
}

export interface Load {
  readonly pid: number;
  /** Lets the operations under way end. */
  stop(): Promise<LoadResult>;
  /** For when their mount is dead. Resolves when the process is gone. */
  kill(): Promise<void>;
}

export async function startLoad(mountPoint: string): Promise<Load> {
  const script = path.join(path.dirname(fileURLToPath(import.meta.url)), "load-process.ts");
  const { child, ended } = start("env", ["UV_THREADPOOL_SIZE=16", process.execPath, script, mountPoint], { timeLimitMs: 600_000 });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return {
    pid: child.pid as number,
    async stop() {
      child.kill("SIGTERM");
      const { stdout, stderr } = await ended;
      const line = stdout.trim().split("\n").at(-1) ?? "";
      if (!line.startsWith("{")) throw new Error(`the load ended badly: ${stdout}${stderr}`);
      return JSON.parse(line);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
