// A program run for a test: its output kept, its readiness waited for, and its end certain. It gets SIGKILL from the kernel when the
// test process dies (PR_SET_PDEATHSIG, through setpriv), so not even `kill -9` of a test leaves a server behind.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";

export interface ProcessOptions {
  readonly name: string;
  readonly file: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Output goes to this file instead of memory: for programs that log a lot. */
  readonly logFile?: string;
  /** Asked again every few milliseconds until true; what it throws counts as "not yet". */
  readonly ready?: (signal: AbortSignal) => Promise<boolean>;
  readonly readyTimeoutMs?: number;
  /** How long a SIGTERM may take before SIGKILL follows. */
  readonly stopTimeoutMs?: number;
  /** Aborting it stops the process. */
  readonly signal?: AbortSignal;
}

export interface RunningProcess extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** The last of what it printed. */
  log(): string;
  /** Resolves when it has ended, by itself or not. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const keptCharacters = 200_000;

export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  options.signal?.throwIfAborted();
  const log = { text: "" };
  const child = launch(options, log);
  await Promise.race([once(child, "spawn"), once(child, "error").then(([error]) => Promise.reject(error))]);
  const ended = once(child, "exit").then(() => {});

  const end = async (graceMs: number) => {
    if (hasEnded(child)) return;
    child.kill(graceMs > 0 ? "SIGTERM" : "SIGKILL");
    const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await ended;
    clearTimeout(timer);
  };
  const running: RunningProcess = {
    name: options.name,
    pid: child.pid as number,
    log: () => (options.logFile ? readFileSync(options.logFile, "utf8") : log.text),
    ended,
    stop: () => end(options.stopTimeoutMs ?? 3000),
    kill: () => end(0),
    [Symbol.asyncDispose]: () => end(options.stopTimeoutMs ?? 3000),
  };
  const onAbort = () => void running.stop();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  void ended.then(() => options.signal?.removeEventListener("abort", onAbort));

  try {
    if (options.ready) await untilReady(options, options.ready, child);
  } catch (error) {
    await running.kill();
    throw new Error(
      `${options.name} did not start: ${(error as Error).message}\n${lastLines(options.logFile ? readFileSync(options.logFile, "utf8") : log.text)}`,
      { cause: error },
    );
  }
  return running;
}

function launch(options: ProcessOptions, log: { text: string }): ChildProcess {
  const file = options.logFile === undefined ? undefined : openSync(options.logFile, "a");
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", options.file, ...(options.args ?? [])], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", file ?? "pipe", file ?? "pipe"],
  });
  if (file !== undefined) closeSync(file);
  for (const stream of [child.stdout, child.stderr]) {
    const scan = stream ? scanOfThisRun()?.log(`the output of ${options.name}`) : undefined;
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      scan?.(chunk);
      log.text = (log.text + chunk).slice(-keptCharacters);
    });
  }
  return child;
}

async function untilReady(options: ProcessOptions, ready: (signal: AbortSignal) => Promise<boolean>, child: ChildProcess): Promise<void> {
  const limit = AbortSignal.timeout(options.readyTimeoutMs ?? 30_000);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  for (;;) {
    if (hasEnded(child)) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`);
    if (await ready(signal).catch(() => false)) return;
    signal.throwIfAborted();
    await delay(20);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-20).join("\n");
}
