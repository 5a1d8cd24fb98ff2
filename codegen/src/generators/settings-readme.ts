// The table of values in chart/README.md, between two markers; the rest of that file is written by hand.
import { SourceFault } from "../generator.ts";
import { defaultText, helmPath, namesOf, type SettingSource } from "./settings-source.ts";

const begin = "<!-- values: generated from codegen/settings.schema.json by npm run codegen -->";
const end = "<!-- end of values -->";

export function chartReadme(readme: string | undefined, settings: readonly SettingSource[]): string {
  const text = readme ?? `# Helm chart of the S3 CSI driver\n\n## Values\n\n${begin}\n${end}\n`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new SourceFault("chart/README.md", 1, "the markers of the table of values are missing", `put these two lines where the table belongs:\n${begin}\n${end}`);
  }
  return `${text.slice(0, from)}${begin}\n${table(settings)}\n${text.slice(to)}`;
}

function table(settings: readonly SettingSource[]): string {
  const values = settings.filter((setting) => helmPath(setting)).sort((a, b) => compare(helmPath(a) ?? "", helmPath(b) ?? ""));
  const rows = values.map((setting) => {
    const fallback = setting.helmDefault ?? setting.default;
    const env = namesOf(setting.env)[0];
    return `| \`${helmPath(setting)}\` | ${code(fallback)} | ${cell(setting.description)}${env ? ` (\`${env}\`)` : ""} |`;
  });
  return ["| value | default | meaning |", "|---|---|---|", ...rows].join("\n");
}

export function code(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : defaultText(value);
  return text === "" ? '`""`' : `\`${text.replaceAll("|", "\\|")}\``;
}

export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ").replaceAll("<", "&lt;");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
