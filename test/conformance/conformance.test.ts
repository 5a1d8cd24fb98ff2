// The Kubernetes project's own storage suite for external drivers, on the driver as helm installs it.
// S3CSI_CONFORMANCE_FOCUS=<pattern> runs only the specs whose names it matches.
import { mkdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { type Environment, startEnvironment } from "./environment.ts";
import { skipped } from "./skipped.ts";
import { listSpecs, runSpecs, type SpecResult, type SuiteOptions } from "./suite.ts";
import { writeRegistryList } from "./suite-images.ts";

// Specs mostly wait for pods to start and end; this many at a time keep two cores busy.
const processes = 3;
const folder = path.join(os.tmpdir(), "s3-csi-conformance");
const focus = new RegExp(process.env.S3CSI_CONFORMANCE_FOCUS ?? "");
let environment: Environment;
let suite: SuiteOptions;
let names: string[];

test.before(async () => {
  await ensureTool("e2e.test");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const registryList = await writeRegistryList(folder);
  const signal = AbortSignal.timeout(110 * 60_000);
  names = await listSpecs({ kubeconfig: "/dev/null", folder, registryList, signal });
  environment = await startEnvironment(registryList, signal);
  suite = { kubeconfig: environment.kubeconfig, folder, registryList, signal };
});
test.after(() => environment?.stop());

test("every reason still has specs", () => {
  const unused = skipped.filter((skip) => !names.some((name) => skipOf(name) === skip));
  assert.equal(
    unused.map(({ reason }) => reason),
    [],
  );
});

test("every selected spec passes", async () => {
  const selected = names.filter((name) => skipOf(name) === undefined && focus.test(name));
  console.error(`${selected.length} of ${names.length} specs, ${processes} at a time; reports in ${folder}`);
  const results = await runSpecs(selected, processes, suite);
  await writeFile(path.join(folder, "results.json"), JSON.stringify(results, null, 2));
  console.error(table(results));
  assert.equal(
    results.filter((result) => result.state !== "passed").map(({ name, message }) => `${name}: ${message}`),
    [],
  );
  assert.is(results.length, selected.length);
});

function skipOf(name: string) {
  return skipped.find(({ pattern }) => pattern.test(name));
}

function table(results: readonly SpecResult[]): string {
  const short = (name: string) => name.replace(/^External Storage \[Driver: \S+\] /, "");
  return results.map((result) => `${result.state.padEnd(8)}${result.seconds.toFixed(0).padStart(5)} s  ${short(result.name)}`).join("\n");
}

test.run();
