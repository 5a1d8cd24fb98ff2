// While the tests run: each new process below the runner is looked at for keys in its arguments and its environment.
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Report, reportVariable } from "./report.ts";
import { SecretScan } from "./scan.ts";
import { summaryOf } from "./verdict.ts";

export interface SecretWatch {
  /** For the tests. */
  readonly env: Readonly<Record<string, string>>;
  readonly scan: SecretScan;
  begin(part: string): void;
  summary(): string;
  stop(): Promise<void>;
}

export function startSecretWatch(): SecretWatch {
  const folder = mkdtempSync(path.join(os.tmpdir(), "secrets-report-"));
  const report = new Report(path.join(folder, "report"));
  const scan = new SecretScan(report);
  const stop = new AbortController();
  const watching = watchProcesses(scan, report, stop.signal);
  return {
    env: { [reportVariable]: report.file },
    scan,
    begin: (name) => report.add({ saw: "part", name }),
    summary: () => summaryOf(report.read()),
    async stop() {
      stop.abort();
      await watching;
      rmSync(folder, { recursive: true });
    },
  };
}

const everyMs = 100;
/** A process is looked at several times, for at first it has the arguments of the one that forked it. */
const looks = 8;

export async function watchProcesses(scan: SecretScan, report: Report, signal: AbortSignal): Promise<void> {
  const known = new Map<number, Known>((await pids()).map((pid) => [pid, { ours: pid === process.pid, looks, name: undefined }]));
  while (!signal.aborted) {
    const running = new Set(await pids());
    for (const pid of known.keys()) if (!running.has(pid)) known.delete(pid);
    for (const pid of running) {
      const seen = known.get(pid) ?? { ours: known.get(await parentOf(pid))?.ours ?? false, looks: 0, name: undefined };
      known.set(pid, seen);
      if (!seen.ours) continue;
      if (seen.looks++ >= looks) continue;
      const name = await scan.process(pid);
      if (name !== undefined && name !== seen.name) report.add({ saw: "driver", name });
      seen.name = name;
    }
    await delay(everyMs, undefined, { signal }).catch(() => {});
  }
}

interface Known {
  /** Not of another run on the same machine. It stays so when its parent ends. */
  readonly ours: boolean;
  looks: number;
  name: string | undefined;
}

async function pids(): Promise<number[]> {
  return (await readdir("/proc")).map(Number).filter((pid) => Number.isInteger(pid));
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
