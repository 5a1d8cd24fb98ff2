// Runs e2e.test: first dry, to learn its specs; then the selected ones in several processes, since a spec mostly waits.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { runTool } from "../../scripts/tools/run-tool.ts";

export interface SuiteOptions {
  readonly kubeconfig: string;
  /** For reports and logs. */
  readonly folder: string;
  readonly registryList: string;
  readonly signal: AbortSignal;
}

export interface SpecResult {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** Why it failed, or why the suite itself skipped it. */
  readonly message: string;
  readonly seconds: number;
}

export async function listSpecs(options: SuiteOptions): Promise<string[]> {
  const report = await runSuite(options, "list", ["--ginkgo.dry-run", "--ginkgo.focus=External.Storage"]);
  return report.filter((spec) => spec.state === "passed").map((spec) => spec.name);
}

export async function runSpecs(names: readonly string[], processes: number, options: SuiteOptions): Promise<SpecResult[]> {
  // Serial specs may not share the cluster with others, so they come last, alone.
  const together = names.filter((name) => !name.includes("[Serial]"));
  const shards = Array.from({ length: processes }, (_, shard) => together.filter((_name, index) => index % processes === shard));
  const results = await Promise.all(shards.map((shard, index) => runShard(shard, `shard-${index}`, options)));
  const alone = names.filter((name) => name.includes("[Serial]"));
  return [...results.flat(), ...(await runShard(alone, "serial", options))];
}

async function runShard(names: readonly string[], report: string, options: SuiteOptions): Promise<SpecResult[]> {
  if (names.length === 0) return [];
  // The suite puts its own name in front.
  const focus = `(${names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})$`;
  const chosen = new Set(names);
  return (await runSuite(options, report, [`--ginkgo.focus=${focus}`])).filter((spec) => chosen.has(spec.name));
}

interface GinkgoReport {
  readonly SpecReports: readonly {
    readonly LeafNodeType: string;
    readonly ContainerHierarchyTexts: readonly string[] | null;
    readonly LeafNodeText: string;
    readonly State: string;
    readonly RunTime: number;
    readonly Failure?: { readonly Message: string; readonly Location: { readonly FileName: string; readonly LineNumber: number } };
  }[];
}

async function runSuite(options: SuiteOptions, name: string, flags: readonly string[]): Promise<SpecResult[]> {
  const suite = await ensureTool("e2e.test");
  const file = path.join(options.folder, `${name}.json`);
  const driver = path.join(import.meta.dirname, "testdriver.yaml");
  const fixed = ["--provider=skeleton", "--ginkgo.no-color", "--ginkgo.timeout=3h", "--allowed-not-ready-nodes=-1", "--ginkgo.succinct"];
  const output = ["--ginkgo.json-report", file];
  // A failed spec fails the program too; the report says more than its status.
  await runTool(suite, ["--kubeconfig", options.kubeconfig, `--storage.testdriver=${driver}`, ...fixed, ...output, ...flags], {
    signal: options.signal,
    env: { ...process.env, KUBE_TEST_REPO_LIST: options.registryList },
    cwd: options.folder,
  }).catch((error: Error) => {
    options.signal.throwIfAborted();
    if (!error.message.includes("ended with 1")) throw error;
  });
  const [report] = JSON.parse(await readFile(file, "utf8")) as [GinkgoReport];
  const setUp = report.SpecReports.find((node) => node.LeafNodeType.endsWith("BeforeSuite") && node.State === "failed");
  if (setUp) throw new Error(`The suite could not begin: ${setUp.Failure?.Message}`);
  return report.SpecReports.filter((spec) => spec.LeafNodeType === "It").map((spec) => ({
    name: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(" "),
    state: spec.State === "passed" || spec.State === "skipped" ? spec.State : "failed",
    message: spec.Failure
      ? `${spec.Failure.Message} (${path.basename(spec.Failure.Location.FileName)}:${spec.Failure.Location.LineNumber})`
      : "",
    seconds: spec.RunTime / 1e9,
  }));
}
