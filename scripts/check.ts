// npm run check: what can be told without running the driver. Each step says how long it took; all run, so that one go shows everything.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { layerFaults } from "./check/layers.ts";

const root = path.resolve(import.meta.dirname, "..");
const bin = (name: string) => path.join(root, "node_modules/.bin", name);

const steps: readonly { readonly name: string; readonly run: () => boolean | Promise<boolean> }[] = [
  { name: "generated files", run: () => program(process.execPath, "codegen/src/main.ts", "--check") },
  { name: "types", run: () => program(bin("tsc"), "--noEmit") },
  { name: "lint", run: () => program(bin("biome"), "lint", "--error-on-warnings", "--max-diagnostics=100") },
  { name: "layers", run: layers },
  { name: "unused code", run: () => program(process.execPath, bin("knip"), "--no-progress") },
];

const failed: string[] = [];
for (const { name, run } of steps) {
  const started = performance.now();
  const ok = await run();
  if (!ok) failed.push(name);
  console.log(`${ok ? "ok    " : "FAILED"} ${name.padEnd(20)} ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
if (failed.length > 0) console.log(`check failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function program(file: string, ...args: string[]): boolean {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: root, encoding: "utf8", maxBuffer: 64e6 });
  if (status !== 0) process.stdout.write(`${stdout}${stderr}`);
  return status === 0;
}

async function layers(): Promise<boolean> {
  const faults = await layerFaults(root);
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
}
