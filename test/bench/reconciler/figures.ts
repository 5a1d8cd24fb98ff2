// Where the bench's figures come from, and how they are printed.
import { readFileSync } from "node:fs";

export interface Round {
  readonly name: string;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly writesPerPod: number;
  readonly rssMb: number;
  readonly peakMb: number;
}

export function row(round: Round): string {
  const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  return [round.name, round.count, ms(round.p50), ms(round.p99), ms(round.max), round.writesPerPod.toFixed(2), round.rssMb, round.peakMb].join(" | ");
}

export function memoryOf(pid: number): { readonly rssMb: number; readonly peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { rssMb: megabytes("VmRSS"), peakMb: megabytes("VmHWM") };
}

/** The reconciler's own count of its requests, by method. */
export async function readRequests(port: number): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = new Map<string, number>();
  for (const [, method = "", value = ""] of text.matchAll(/api_requests_total\{method="(\w+)",code="\d+"\} (\d+)/g)) {
    counts.set(method, (counts.get(method) ?? 0) + Number(value));
  }
  return counts;
}

/** Leases aside, which the reconciler renews every few seconds whatever the load, every request that is not a GET. */
export function writesIn(requests: ReadonlyMap<string, number>): number {
  return [...requests].reduce((sum, [method, count]) => sum + (method === "GET" || method === "PUT" ? 0 : count), 0);
}
