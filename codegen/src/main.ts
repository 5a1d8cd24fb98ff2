// npm run codegen            writes generated/ and the chart's generated parts
// npm run codegen -- --check exits 1 and names the files whose committed text is not what it would write
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Generator, SourceFault, SourceFaults } from "./generator.ts";
import { crdChart } from "./generators/crd-chart.ts";
import { crdModels } from "./generators/crd-models.ts";
import { crdTypes } from "./generators/crd-types.ts";
import { fuseKernel } from "./generators/fuse-kernel.ts";
import { proto } from "./generators/proto.ts";
import { settings } from "./generators/settings.ts";
import { compare, write } from "./output.ts";

const generators: readonly Generator[] = [crdTypes, crdModels, crdChart, proto, fuseKernel, settings];

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const check = args.includes("--check");
  const unknown = args.filter((arg) => arg !== "--check");
  if (unknown.length > 0) {
    console.error(`codegen: unknown argument ${unknown.join(" ")}; the only one is --check`);
    return 2;
  }
  const files = await generateAll();
  if (!files) return 1;
  const changes = await compare(root, files);
  if (check) {
    if (changes.length === 0) return 0;
    console.error(`codegen: ${changes.length} file(s) are not what the sources give; run \`npm run codegen\` and commit:`);
    for (const change of changes) console.error(`  ${change.kind.padEnd(9)}${change.path}`);
    return 1;
  }
  await write(root, files, changes);
  console.error(`codegen: ${files.size} files, ${changes.length} changed`);
  return 0;
}

async function generateAll(): Promise<ReadonlyMap<string, string> | undefined> {
  const results = await Promise.allSettled(generators.map((generator) => generator.generate(root)));
  const files = new Map<string, string>();
  let failed = false;
  for (const [index, result] of results.entries()) {
    const name = generators[index]?.name;
    if (result.status === "rejected") {
      failed = true;
      const { reason } = result;
      console.error(`codegen: ${name}:\n  ${describe(reason).replaceAll("\n", "\n  ")}`);
      continue;
    }
    for (const [file, text] of result.value) {
      if (files.has(file)) throw new Error(`two generators write ${file}; the second is ${name}`);
      files.set(file, text);
    }
  }
  return failed ? undefined : files;
}

function describe(reason: unknown): string {
  if (reason instanceof SourceFault || reason instanceof SourceFaults) return reason.message;
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}
