// chart/templates/_settings.tpl: for each process the environment that carries its Helm values, so that a template never restates one.
import { helmPath, namesOf, processes, type SettingSource, settingsFile } from "./settings-source.ts";

export function chartTemplate(settings: readonly SettingSource[]): string {
  const blocks = processes
    .map((process) => ({ process, own: settings.filter((setting) => setting.components.includes(process) && (setting.helm || setting.template)) }))
    .filter(({ own }) => own.length > 0)
    .map(({ process, own }) => `{{- define "s3-csi.settings.${process}" -}}\n${own.map(entry).join("\n")}\n{{- end }}\n`);
  return `{{/* Generated from ${settingsFile} by npm run codegen. Do not edit: change the source and run it again. */}}\n${blocks.join("\n")}`;
}

function entry(setting: SettingSource): string {
  const expression = setting.template ?? nilSafe(helmPath(setting) ?? "");
  return `- name: ${namesOf(setting.env)[0]}\n  value: {{ ${expression.includes(" ") ? `(${expression})` : expression} | quote }}`;
}

/** A values file may leave out a branch: then the value is empty, and the process takes its default. */
function nilSafe(path: string): string {
  const [head = "", ...rest] = path.split(".");
  return rest.reduce((inner, key) => `(${inner}).${key}`, `.Values.${head}`);
}
