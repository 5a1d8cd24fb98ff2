// A process that outlives the command that started it, written down so that a later command can end it and nothing else: a pid alone
// may belong to somebody else by then, a pid with its start time can't.
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

export async function recordProcess(file: string, pid: number): Promise<void> {
  await writeFile(file, `${pid} ${await startTime(pid)}\n`);
}

/** The pid, when that very process still runs. */
export async function recordedProcess(file: string): Promise<number | undefined> {
  const [pid, started] = (await readFile(file, "utf8").catch(() => "")).trim().split(" ");
  if (!pid || !started) return undefined;
  return (await startTime(Number(pid))) === started ? Number(pid) : undefined;
}

/** SIGKILL, and back only when it is gone. */
export async function endRecordedProcess(file: string, signal?: AbortSignal): Promise<boolean> {
  const pid = await recordedProcess(file);
  if (pid === undefined) return false;
  process.kill(pid, "SIGKILL");
  while ((await recordedProcess(file)) !== undefined) {
    signal?.throwIfAborted();
    await delay(20);
  }
  return true;
}

/** Field 22 of /proc/<pid>/stat; undefined for no process and for a zombie. */
async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The command's name, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? undefined : fields[19];
}
