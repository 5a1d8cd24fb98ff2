// One test file in a process of its own: its counts, its output, and nothing of it left running.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { killMarked } from "./leftovers.ts";
import { type Counts, countBullets, readCounts } from "./uvu-output.ts";

export interface FileResult extends Counts {
  readonly output: string;
  readonly ms: number;
  /** What went wrong besides failing tests; "" when nothing did. */
  readonly trouble: string;
}

export interface RunOptions {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string>>;
  /** Called now and then while a long file runs. */
  onProgress(ms: number, testsDone: number): void;
}

const progressEveryMs = 30_000;
const tellingHooks = new URL("telling-hooks.ts", import.meta.url).href;

export async function runFile(file: string, options: RunOptions): Promise<FileResult> {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  const mark = randomUUID();
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", `--import=${tellingHooks}`, file], {
    env: { ...process.env, ...options.env, S3CSI_TEST_MARK: mark, FORCE_COLOR: "0", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const progress = setInterval(() => options.onProgress(elapsed(), countBullets(output)), progressEveryMs);
  let trouble = "";
  const give = (reason: string) => {
    trouble ||= reason;
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
  };
  const limit = setTimeout(() => give(`it took longer than ${options.limitMs / 60_000} min and was ended`), options.limitMs);
  const onAbort = () => give("interrupted");
  options.signal.addEventListener("abort", onAbort, { once: true });

  const { promise, resolve } = Promise.withResolvers<number | string>();
  // "exit", not "close": a leftover child may hold the pipes open for ever.
  child.on("exit", (code, signal) => resolve(code ?? signal ?? 1));
  const ending = await promise;
  clearInterval(progress);
  clearTimeout(limit);
  options.signal.removeEventListener("abort", onAbort);
  await new Promise((done) => setImmediate(done));
  const leftovers = await killMarked(mark);
  if (leftovers.length > 0) output += `\nleft running, and ended now: ${leftovers.join(", ")}\n`;

  const counts = readCounts(output);
  if (!counts) trouble ||= `it ended (${ending}) without reporting any test`;
  else if (counts.skipped > 0) trouble ||= `${counts.skipped} tests were skipped`;
  else if (ending !== 0 && counts.failed === 0) trouble ||= `it ended with ${ending} although its tests passed`;
  const { passed = 0, failed = 0, skipped = 0 } = counts ?? {};
  return { passed, failed: failed + (trouble === "" ? 0 : 1), skipped, output, ms: elapsed(), trouble };
}
