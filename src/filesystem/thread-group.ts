// Which process a thread belongs to. FUSE names the thread that asks; close() of a forked child must be told from the opener's.
import { readFileSync } from "node:fs";

export function threadGroupOf(pid: number): number | undefined {
  if (pid === 0) return undefined;
  try {
    const match = /^Tgid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return match ? Number(match[1]) : undefined;
  } catch {
    return undefined;
  }
}
