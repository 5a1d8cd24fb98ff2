// npm run bench:fuse [-- --rounds 5 --seconds 1 --json file]
// The same file in memory, served by our session, by fuse-native and by a C program on libfuse 3, in one run, round by
// round; medians. CPU is the server's alone, from /proc/PID/stat: on a busy machine it is the steadier figure.
//
// Twice: with server and caller wherever the scheduler puts them, and with both on one CPU. A single caller that is woken on
// another, idle CPU costs the server an interrupt to that CPU; in a virtual machine that is a trip to the hypervisor, dearer
// than everything else in a small operation, and whether it happens is the scheduler's choice. On one CPU it cannot happen:
// those rows show what the code itself costs.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { ensureAptPackages } from "../../../scripts/tools/apt.ts";
import { abortConnection } from "../../../src/fuse/connection.ts";
import { umount } from "../../../src/linux/mount.ts";
import { findMount } from "../../../src/linux/mount-info.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "1" }, json: { type: "string" } } });
const rounds = Number(values.rounds);
const here = path.dirname(fileURLToPath(import.meta.url));
const execute = promisify(execFile);
const window = 256 << 20;
const size = 1 << 30;

const workloads = [
  { kind: "fstat", unit: "us/op", limit: 1.0 },
  { kind: "rand4k", unit: "us/op", limit: 1.0 },
  { kind: "direct-read", unit: "s/GB", limit: 1.1 },
  { kind: "buffered-read", unit: "s/GB", limit: 1.4 },
  { kind: "write", unit: "s/GB", limit: 1.2 },
] as const;
const transports = ["kernel", "libfuse3", "fuse-native"] as const;
type Transport = (typeof transports)[number];
const placements = ["any CPU", "one CPU"] as const;
type Placement = (typeof placements)[number];

interface Sample {
  readonly cpu: number;
  readonly rate: number;
}

const directory = mkdtempSync(path.join(os.tmpdir(), "bench-fuse-"));
const mountPoint = path.join(directory, "mnt");
try {
  await prepare();
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round < rounds; round++) {
    for (const placement of placements) {
      for (const transport of transports) {
        await withServer(transport, placement, async (pid) => {
          for (const { kind } of workloads) {
            const key = `${placement} ${transport} ${kind}`;
            samples.set(key, [...(samples.get(key) ?? []), await measure(pid, kind, placement)]);
          }
        });
      }
    }
  }
  report(samples);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function prepare(): Promise<void> {
  await ensureAptPackages(["gcc", "libc6-dev", "pkg-config", "libfuse3-dev", "libfuse2"]);
  const { stdout } = await execute("pkg-config", ["--cflags", "--libs", "fuse3"]);
  await execute("gcc", ["-O2", "-o", path.join(directory, "libfuse3-server"), path.join(here, "libfuse3-server.c"), ...stdout.trim().split(/\s+/)]);
  await execute("gcc", ["-O2", "-o", path.join(directory, "client"), path.join(here, "client.c")]);
  await execute("mkdir", [mountPoint]);
}

async function withServer(transport: Transport, placement: Placement, use: (pid: number) => Promise<void>): Promise<void> {
  const program = transport === "libfuse3" ? [path.join(directory, "libfuse3-server")] : [process.execPath, path.join(here, "node-server.ts"), transport];
  const [command = "", ...args] = placed([...program, mountPoint, String(window), String(size)], placement);
  const server = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await serving(server);
    // A warm-up for the compiler of JavaScript, and for caches in any case.
    for (const { kind } of workloads) await client(kind, 0.3, placement);
    await use(server.pid as number);
  } finally {
    const connection = findMount(mountPoint)?.minor;
    umount(mountPoint, { lazy: true });
    if (connection !== undefined) abortConnection(connection);
    server.kill("SIGKILL");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  }
}

async function serving(server: ChildProcess): Promise<void> {
  const died = once(server, "exit").then(() => Promise.reject(new Error("the server ended at its start")));
  died.catch(() => {});
  await Promise.race([once(server.stdout as NodeJS.ReadableStream, "data"), died]);
}

async function measure(pid: number, kind: string, placement: Placement): Promise<Sample> {
  const before = cpuSeconds(pid);
  const { operations, bytes, seconds } = await client(kind, Number(values.seconds), placement);
  const cpu = cpuSeconds(pid) - before;
  return bytes === 0 || kind === "rand4k" ? { cpu: (cpu / operations) * 1e6, rate: operations / seconds } : { cpu: cpu / (bytes / 1e9), rate: bytes / 1e9 / seconds };
}

async function client(kind: string, seconds: number, placement: Placement): Promise<{ operations: number; bytes: number; seconds: number }> {
  const [command = "", ...args] = placed([path.join(directory, "client"), kind, path.join(mountPoint, "file"), String(seconds), String(size)], placement);
  const { stdout } = await execute(command, args, { timeout: 60_000, killSignal: "SIGKILL" });
  return JSON.parse(stdout);
}

/** taskset becomes the program it starts, so the process id stays the program's. */
function placed(command: readonly string[], placement: Placement): readonly string[] {
  return placement === "one CPU" ? ["taskset", "-c", "0", ...command] : command;
}

/** User and system time of the process, its ended threads included. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function report(samples: ReadonlyMap<string, Sample[]>): void {
  const median = (placement: Placement, transport: Transport, kind: string, field: keyof Sample) => {
    const sorted = (samples.get(`${placement} ${transport} ${kind}`) ?? []).map((s) => s[field]).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] as number;
  };
  const each = (placement: Placement, kind: string, field: keyof Sample) =>
    Object.fromEntries(transports.map((t) => [t, median(placement, t, kind, field)])) as Record<Transport, number>;
  const rows = placements.flatMap((placement) =>
    workloads.map(({ kind, unit, limit }) => {
      const [cpu, rate] = [each(placement, kind, "cpu"), each(placement, kind, "rate")];
      const ratio = cpu.kernel / cpu.libfuse3;
      return { placement, kind, unit, cpu, rate, ratio, limit, met: ratio <= limit, timesLessThanFuseNative: cpu["fuse-native"] / cpu.kernel };
    }),
  );
  console.log(`CPU of the server (median of ${rounds}); rates in operations/s or GB/s`);
  console.log(["".padEnd(22), "unit ", ...transports.map((t) => t.padStart(12)), "   /libfuse3", "  limit", "  fuse-native/ours", "  rates"].join(" "));
  for (const r of rows) {
    const figures = transports.map((t) => r.cpu[t].toPrecision(3).padStart(12));
    const rates = transports.map((t) => r.rate[t].toPrecision(3)).join(" / ");
    const name = `${r.placement} ${r.kind}`.padEnd(22);
    console.log([name, r.unit, ...figures, r.ratio.toFixed(2).padStart(12), r.limit.toFixed(1).padStart(7), r.timesLessThanFuseNative.toFixed(1).padStart(18), `  ${rates}`].join(" "));
  }
  const json = JSON.stringify({ rounds, seconds: Number(values.seconds), load: os.loadavg()[0], rows }, null, 2);
  if (values.json) writeFileSync(values.json, `${json}\n`);
  else console.log(json);
  if (rows.some((r) => !r.met)) process.exitCode = 1;
}
