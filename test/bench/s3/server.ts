// The embedded S3 server in a process of its own, so that its work is not counted as the mount's.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

export interface BenchServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const program = path.join(import.meta.dirname, "../../bed/embedded-s3/main.ts");

export async function startBenchServer(options: { readonly buckets: readonly string[]; readonly latencyMs?: number }): Promise<BenchServer> {
  const args = [...options.buckets.flatMap((b) => ["--bucket", b]), "--latency-ms", String(options.latencyMs ?? 0)];
  const child: ChildProcess = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  if (!child.stdout) throw new Error("the server has no output");
  for await (const line of createInterface(child.stdout)) {
    const said = JSON.parse(line) as Omit<BenchServer, typeof Symbol.asyncDispose>;
    return { ...said, [Symbol.asyncDispose]: async () => void child.kill("SIGKILL") };
  }
  throw new Error("the server ended before it listened");
}
