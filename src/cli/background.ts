// The handshake between `s3-csi mount` and the process it leaves behind: descriptor 3 of the child is a pipe on which it says
// "ready", or the one line that explains why not.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";

const pipeVariable = "S3CSI_READY_FD";
const readyFd = 3;

/** Starts this program again in the foreground, detached; returns the exit code when it is ready or has failed. */
export async function startInBackground(argv: readonly string[]): Promise<number> {
  const [, script = ""] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, script, "mount", "--foreground", ...argv], {
    detached: true,
    env: { ...process.env, [pipeVariable]: String(readyFd) },
    cwd: process.cwd(),
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  let said = "";
  const pipe = child.stdio[readyFd] as Readable;
  pipe.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(pipe, "close");
  if (said.startsWith("ready")) {
    child.unref();
    return 0;
  }
  process.stderr.write(said === "" ? "s3-csi: the mount process died without a word; run it with --foreground to see why\n" : said);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode || 1;
}

/** Tells the process that waits, if one does. */
export function reportReady(): void {
  report("ready\n");
}

export function reportFailure(line: string): void {
  report(line);
}

function report(text: string): void {
  if (process.env[pipeVariable] !== String(readyFd)) return;
  delete process.env[pipeVariable];
  writeSync(readyFd, text);
  closeSync(readyFd);
}
