// Reads codegen/settings.schema.json and refuses entries that would leave a setting without a meaning, a default or a way to set it.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { parseSetting } from "../../../src/settings/parse.ts";
import type { SettingType } from "../../../generated/settings/setting.ts";
import { SourceFault, SourceFaults } from "../generator.ts";

export const settingsFile = "codegen/settings.schema.json";
export const processes = ["controller", "reconciler", "node", "mountpoint", "cli"] as const;
export const settingTypes = ["string", "boolean", "integer", "port", "duration", "enum", "url", "path", "quantity", "list", "map", "logLevel"] as const satisfies SettingType[];
export const chartTypes = ["object", "array", "labels", "resources", "tolerations", "affinity", "nodeSelector", "image", "seLinuxOptions", "env", "volumes"] as const;

export type Process = (typeof processes)[number];
export type ChartType = (typeof chartTypes)[number];

export interface SettingSource {
  readonly name: string;
  readonly components: readonly (Process | "chart")[];
  readonly type: SettingType | ChartType;
  readonly description: string;
  readonly default?: unknown;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly secret?: boolean;
  readonly allowEmpty?: boolean;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly patternHint?: string;
  readonly env?: string | readonly string[];
  readonly flag?: string | readonly string[];
  readonly helm?: string;
  /** The chart's default where it is not the program's. */
  readonly helmDefault?: unknown;
  readonly template?: string;
}

export async function readSettings(root: string): Promise<readonly SettingSource[]> {
  const lines = new LineCounter();
  // JSON is YAML, and this parser tells where each entry stands.
  const document = parseDocument(await readFile(path.join(root, settingsFile), "utf8"), { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) throw new SourceFault(settingsFile, lines.linePos(broken.pos[0]).line, broken.message, "correct the JSON");
  const settings = document.toJS().settings as readonly SettingSource[];
  const faults = settings.flatMap((setting, index) => {
    const line = lineOf(document, lines, index);
    return problems(setting, settings.slice(0, index)).map(([problem, remedy]) => new SourceFault(settingsFile, line, `${setting.name}: ${problem}`, remedy));
  });
  if (faults.length > 0) throw new SourceFaults(faults);
  return settings;
}

export function namesOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

/** A default as the text that a user would have written. */
export function defaultText(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The Helm path: a value of the chart alone is called by it. */
export function helmPath(setting: SettingSource): string | undefined {
  return setting.helm ?? (setting.components.includes("chart") ? setting.name : undefined);
}

type Problem = readonly [problem: string, remedy: string];

function problems(setting: SettingSource, earlier: readonly SettingSource[]): Problem[] {
  const found: Problem[] = [];
  const isChart = setting.components?.includes("chart");
  const types: readonly string[] = isChart ? [...settingTypes, ...chartTypes] : settingTypes;
  if (!setting.components?.length) found.push(["it belongs to no component", `add components: some of ${processes.join(", ")}, or chart`]);
  for (const component of setting.components ?? []) {
    if (component !== "chart" && !processes.includes(component)) found.push([`the component ${component} does not exist`, `use ${processes.join(", ")} or chart`]);
    if (component !== "chart" && earlier.some((other) => other.name === setting.name && other.components.includes(component))) {
      found.push([`${component} has a setting of this name already`, "give one of them another name"]);
    }
  }
  if (!setting.description?.trim()) found.push(["it has no description", "say what it does, for --help and the chart's README"]);
  if (!types.includes(setting.type)) found.push([`the type ${setting.type} does not exist`, `use one of ${types.join(", ")}`]);
  else found.push(...valueProblems(setting));
  if (!isChart) found.push(...nameProblems(setting, earlier));
  const helm = helmPath(setting);
  if (helm && earlier.some((other) => helmPath(other) === helm)) found.push([`the Helm value ${helm} stands twice`, "name each value once"]);
  return found;
}

function valueProblems(setting: SettingSource): Problem[] {
  const ways = [setting.default !== undefined, setting.required === true, setting.optional === true].filter(Boolean).length;
  if (ways === 0) return [["it has no default", "add default, or required: true, or optional: true"]];
  if (ways > 1) return [["it has more than one of default, required and optional", "keep one of them"]];
  if (setting.type === "enum" && !setting.values?.length) return [["it is an enum without values", "add values"]];
  if (setting.default === undefined || !(settingTypes as readonly string[]).includes(setting.type)) return [];
  const text = defaultText(setting.default);
  if (text === "") return [];
  const parsed = parseSetting({ ...setting, type: setting.type as SettingType }, text);
  return "fault" in parsed ? [[`its default ${text} is not valid: it ${parsed.fault}`, "correct the default"]] : [];
}

function nameProblems(setting: SettingSource, earlier: readonly SettingSource[]): Problem[] {
  const found: Problem[] = [];
  const [env, flags] = [namesOf(setting.env), namesOf(setting.flag)];
  if (env.length === 0) found.push(["it has no environment variable", "add env"]);
  if (setting.secret && flags.length > 0) found.push(["it is a secret with a flag", "drop the flag: arguments are visible to everyone on the machine"]);
  if (!setting.secret && flags.length === 0) found.push(["it has no flag", "add flag"]);
  if ((setting.type === "duration") !== setting.name.endsWith("Ms")) found.push(["a name ends in Ms exactly when the type is duration", "rename it"]);
  for (const other of earlier) {
    const shared = other.components.filter((component) => component !== "chart" && setting.components.includes(component));
    if (shared.length === 0) continue;
    const twice = [...env.filter((name) => namesOf(other.env).includes(name)), ...flags.filter((name) => namesOf(other.flag).includes(name)).map((name) => `--${name}`)];
    if (twice.length > 0) found.push([`${twice.join(", ")} sets ${other.name} already`, "give it a name of its own"]);
  }
  return found;
}

function lineOf(document: Document, lines: LineCounter, index: number): number {
  const node = document.getIn(["settings", index], true);
  return isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
}
