import os from "node:os";

/** How many times longer things take here than on an idle machine, by its load: for limits of wall time that hold for an idle one. */
export function slowness(): number {
  return Math.max(1, (os.loadavg()[0] ?? 0) / os.availableParallelism());
}
