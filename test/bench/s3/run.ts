import { spawn } from "node:child_process";
import { once } from "node:events";

/** Seconds that a shell command took. The load runs in processes of its own: this one only waits. */
export async function timed(command: string, env: Record<string, string> = {}): Promise<number> {
  const started = performance.now();
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk));
  const [code] = (await once(child, "close", { signal: AbortSignal.timeout(300_000) })) as [number | null];
  if (code !== 0) throw new Error(`${command}: ${err}`);
  return (performance.now() - started) / 1000;
}
