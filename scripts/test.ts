// npm test                 all parts that CI runs
// npm test -- kube fuse    some parts
// npm test -- test/a.test.ts   some files
// npm test -- core --coverage  and afterwards how much of src they ran
// The last line says "N passed, N failed".
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { type Part, parts } from "./test/parts.ts";
import { type FileResult, runFile } from "./test/run-file.ts";
import { startSecretWatch } from "./test/secrets/watch.ts";

const root = path.resolve(import.meta.dirname, "..");
process.chdir(root);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
const secrets = startSecretWatch();
const coverage = process.argv.includes("--coverage") ? path.join(root, "coverage/raw") : undefined;
process.exitCode = await main(process.argv.slice(2).filter((argument) => argument !== "--coverage"));
await secrets.stop();
if (coverage) spawnSync(process.execPath, ["node_modules/.bin/c8", "report", `--temp-directory=${coverage}`, "--include=src/**", "--reporter=text"], { stdio: "inherit" });

async function main(wanted: readonly string[]): Promise<number> {
  const strangers = await filesOfNoPart();
  if (strangers.length > 0) {
    console.error(`These test files belong to no part, so nobody would run them; add their folder to scripts/test/parts.ts:\n  ${strangers.join("\n  ")}`);
    return 2;
  }
  const runs = await choose(wanted);
  if (!runs) return 2;
  const sum = { passed: 0, failed: 0 };
  const times: string[] = [];
  for (const run of runs) {
    const started = performance.now();
    const { passed, failed } = await runPart(run);
    sum.passed += passed;
    sum.failed += failed;
    const line = `${run.name.padEnd(14)}${seconds(performance.now() - started).padStart(8)}  ${passed} passed${failed > 0 ? `, ${failed} FAILED` : ""}`;
    times.push(line);
    if (stop.signal.aborted) break;
  }
  console.log(`\n${times.join("\n")}`);
  if (runs.some(({ name }) => name === "secrets")) console.log(secrets.summary());
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 && sum.passed > 0 && !stop.signal.aborted ? 0 : 1;
}

interface Run extends Pick<Part, "name" | "tools" | "fileLimitMs"> {
  readonly files: readonly string[];
}

async function choose(wanted: readonly string[]): Promise<Run[] | undefined> {
  const files = wanted.filter((word) => word.endsWith(".test.ts"));
  const names = wanted.filter((word) => !word.endsWith(".test.ts"));
  const unknown = [...names.filter((name) => !parts.some((part) => part.name === name)), ...files.filter((file) => !existsSync(file))];
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(", ")}. The parts are: ${parts.map((part) => part.name).join(", ")}.`);
    return undefined;
  }
  const chosen = wanted.length === 0 ? parts.filter((part) => part.ci) : parts.filter((part) => names.includes(part.name));
  const runs = await Promise.all(chosen.map(async (part) => ({ ...part, files: await filesOf(part) })));
  if (files.length === 0) return runs;
  const single: Run = { name: "files", files, tools: [], fileLimitMs: 30 * 60_000 };
  const isVerdict = (run: Run) => run.name === "secrets";
  return [...runs.filter((run) => !isVerdict(run)), single, ...runs.filter(isVerdict)];
}

async function runPart(run: Run): Promise<{ passed: number; failed: number }> {
  console.log(`\n== ${run.name}`);
  secrets.begin(run.name);
  if (run.files.length === 0) {
    console.log("  FAILED  it has no tests");
    return { passed: 0, failed: 1 };
  }
  if (!(await getTools(run.tools))) {
    console.log("  FAILED  a program that it needs could not be got; the lines above say why");
    return { passed: 0, failed: 1 };
  }
  const sum = { passed: 0, failed: 0 };
  for (const file of run.files) {
    const onProgress = (ms: number, done: number) => console.log(`  ...     ${file}: ${done} tests done after ${seconds(ms)}`);
    const env: Record<string, string> = { ...secrets.env, ...(coverage ? { NODE_V8_COVERAGE: coverage } : {}) };
    const result = await runFile(file, { limitMs: run.fileLimitMs, signal: stop.signal, env, onProgress });
    secrets.scan.log(`the output of ${file}`)(result.output);
    report(file, result);
    sum.passed += result.passed;
    sum.failed += result.failed;
    if (stop.signal.aborted) break;
  }
  return sum;
}

/** Quick when they are there already. */
async function getTools(tools: Part["tools"]): Promise<boolean> {
  if (tools.length === 0) return true;
  const child = spawn(process.execPath, ["scripts/tools/main.ts", ...tools], { stdio: ["ignore", "ignore", "inherit"] });
  stop.signal.addEventListener("abort", () => child.kill());
  const [code] = await once(child, "exit");
  return code === 0;
}

function report(file: string, result: FileResult): void {
  const ok = result.failed === 0;
  console.log(`  ${ok ? "ok    " : "FAILED"}  ${file}  ${result.passed} passed${ok ? "" : `, ${result.failed} failed`}  ${seconds(result.ms)}`);
  if (ok) return;
  if (result.trouble !== "") console.log(`  ${result.trouble}`);
  console.log(result.output.replace(/^(?=.)/gm, "    | "));
}

async function filesOf({ folders }: Pick<Part, "folders">): Promise<string[]> {
  const lists = await Promise.all(folders.map((folder) => testFiles(path.join("test", folder))));
  return lists.flat();
}

async function filesOfNoPart(): Promise<string[]> {
  const known = new Set((await Promise.all(parts.map(filesOf))).flat());
  return (await testFiles("test")).filter((file) => !known.has(file));
}

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.endsWith(".test.ts")).map((entry) => path.join(folder, entry)).sort();
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
