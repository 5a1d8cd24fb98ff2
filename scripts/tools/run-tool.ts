// Runs a program to its end; a failure says what it printed.
import { spawn } from "node:child_process";

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Each line as it appears, of both outputs. */
  readonly onLine?: (line: string) => void;
}

export async function runTool(file: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  options.signal?.throwIfAborted();
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
    signal: options.signal,
  });
  let stdout = "";
  let all = "";
  const take = (chunk: string) => {
    all = (all + chunk).slice(-20_000);
    if (options.onLine) for (const line of chunk.split("\n")) if (line) options.onLine(line);
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    take(chunk);
  });
  child.stderr.setEncoding("utf8").on("data", take);
  const status = await new Promise<number | string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  options.signal?.throwIfAborted();
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${status}:\n${lastLines(all)}`);
  return stdout;
}

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-15).join("\n");
}
