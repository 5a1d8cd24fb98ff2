// kubectl and helm against one cluster, as a user would call them.
import { spawn } from "node:child_process";
import { ensureTool } from "../tools/ensure-tool.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Written to the program's standard input. */
  readonly input?: string;
}

/** Its standard output; a failure throws with what it said. */
export type CommandLine = (args: readonly string[], options?: CallOptions) => Promise<string>;

export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly stderr: string;

  constructor(command: string, status: number | string, stderr: string) {
    super(`${command} ended with ${status}: ${stderr.trim()}`);
    this.stderr = stderr;
  }
}

export async function kubectlFor(kubeconfig: string | undefined, signal?: AbortSignal): Promise<CommandLine> {
  const file = await ensureTool("kubectl", { signal });
  return (args, options = {}) => call(file, args, { signal, ...options }, kubeconfig);
}

/** Without a kubeconfig it can still render and lint. */
export async function helmFor(kubeconfig: string | undefined, signal?: AbortSignal): Promise<CommandLine> {
  const file = await ensureTool("helm", { signal });
  return (args, options = {}) => call(file, args, { signal, ...options }, kubeconfig);
}

function call(file: string, args: readonly string[], options: CallOptions, kubeconfig: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    // Never the machine's own cluster by accident: without a kubeconfig there is none.
    const child = spawn(file, args, { signal: options.signal, env: { ...process.env, KUBECONFIG: kubeconfig ?? "/dev/null" } });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    // A program that ends without reading its input breaks the pipe; its status says more than that.
    child.stdin.on("error", () => {}).end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(new CommandFailed([file.split("/").pop(), ...args].join(" "), code ?? signal ?? "unknown", stderr || stdout));
    });
  });
}
