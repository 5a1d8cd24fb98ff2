// docs/settings.md: what each process can be told, by environment or by flag.
import { cell, code } from "./settings-readme.ts";
import { namesOf, processes, type SettingSource, settingsFile } from "./settings-source.ts";

export function settingsDocument(settings: readonly SettingSource[]): string {
  const sections = processes.map((process) => section(process, settings.filter((setting) => setting.components.includes(process))));
  return `<!-- Generated from ${settingsFile} by npm run codegen. Do not edit: change the source and run it again. -->
# Settings of each process

A flag wins over the environment, the environment over the default. In a cluster the Helm values set them: see [the chart](../chart/README.md).

${sections.join("\n\n")}
`;
}

function section(process: string, settings: readonly SettingSource[]): string {
  const rows = settings.map((setting) => {
    const flags = namesOf(setting.flag).map((flag) => `\`--${flag}\``).join(", ");
    const env = namesOf(setting.env).map((name) => `\`${name}\``).join(", ");
    const fallback = setting.required ? "required" : setting.optional ? "" : code(setting.default);
    return `| ${env} | ${flags} | ${fallback} | ${cell(setting.description)} |`;
  });
  return [`## ${process}`, "", "| environment | flag | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}
