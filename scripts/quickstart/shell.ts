import { spawn } from "node:child_process";
import { once } from "node:events";

/** A command as a user would type it, in the given directory; what it printed, both outputs together. */
export async function shell(command: string, cwd: string, signal: AbortSignal): Promise<{ readonly output: string; readonly ms: number }> {
  const start = performance.now();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(60_000)]);
  // Changing into the directory is the shell's work: here it would block this process while the mount does not answer.
  const child = spawn("sh", ["-c", `cd "$0" && { ${command}; } 2>&1`, cwd], { stdio: ["ignore", "pipe", "inherit"], signal: limit, killSignal: "SIGKILL" });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const [status] = (await once(child, "close")) as [number];
  if (status !== 0) throw new Error(`\`${command}\` ended with ${status}: ${output.trim()}`);
  return { output, ms: performance.now() - start };
}
