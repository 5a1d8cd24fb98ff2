// Runs a command that touches a mount, and says how it ended.
import { type ChildProcess, spawn } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export function start(command: string, args: readonly string[], options: { cwd?: string; timeLimitMs?: number } = {}): Running {
  // Not by spawn's own cwd: it waits for the child's chdir(), which waits for us when we serve that directory.
  const child = spawn("sh", ["-c", 'cd "$0" && exec "$@"', options.cwd ?? "/", command, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: options.timeLimitMs ?? 30_000,
    killSignal: "SIGKILL",
    env: { ...process.env, LC_ALL: "C" },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

export function run(command: string, args: readonly string[], options?: { cwd?: string; timeLimitMs?: number }): Promise<Ended> {
  return start(command, args, options).ended;
}

export async function shell(script: string, options?: { cwd?: string; timeLimitMs?: number }): Promise<string> {
  const { code, stdout, stderr } = await run("bash", ["-euc", script], options);
  if (code !== 0) throw new Error(`exit ${code}: ${script}\n${stdout}${stderr}`);
  return stdout.trimEnd();
}
