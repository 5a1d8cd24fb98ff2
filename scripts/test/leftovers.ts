// Processes that a test started and did not end are found by a mark in their environment, which children inherit, and killed.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** The processes that were killed; resolves when none is left, or after two seconds, since one in the kernel's hands cannot be hurried. */
export async function killMarked(mark: string): Promise<string[]> {
  const killed = new Map<number, string>();
  for (let round = 0; round < 100; round++) {
    const found = await marked(mark);
    if (found.length === 0) break;
    for (const pid of found) {
      if (!killed.has(pid)) killed.set(pid, (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "?")).trim());
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself meanwhile.
      }
    }
    await delay(20);
  }
  return [...killed].map(([pid, name]) => `${name} (${pid})`);
}

async function marked(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")));
  return pids.filter((_, index) => environments[index]?.includes(`S3CSI_TEST_MARK=${mark}\0`));
}
