// What uvu prints: "Total:", "Passed:" and "Skipped:" at the end, a bullet or a cross for each test before it.

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Undefined when there is no report, or one without a single test. */
export function readCounts(output: string): Counts | undefined {
  const sum = (label: string) => [...output.matchAll(new RegExp(`^\\s*${label}:\\s+(\\d+)\\s*$`, "gm"))].reduce((all, [, count]) => all + Number(count), 0);
  const [total, passed, skipped] = [sum("Total"), sum("Passed"), sum("Skipped")];
  return total + skipped === 0 ? undefined : { passed, failed: total - passed, skipped };
}

export function countBullets(output: string): number {
  return [...output.matchAll(/[•✘] /g)].length;
}
