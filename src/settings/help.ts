// What --help and --version print.
import type { Component, Setting } from "../../generated/settings/setting.ts";
import { driverVersion, gitCommit } from "../core/version.ts";

export function helpText<T>(component: Component<T>, width = 100): string {
  const rows = component.settings.map((setting) => describe(setting, width)).join("\n\n");
  return `s3-csi ${component.name} ${driverVersion}

A flag wins over the environment, the environment over the default.

${rows}

  --help      this text
  --version   version, commit and platform, as JSON
`;
}

export function versionText(): string {
  return `${JSON.stringify({ driverVersion, gitCommit, nodeVersion: process.version, platform: `${process.platform}/${process.arch}` })}\n`;
}

function describe(setting: Setting<never> | Setting, width: number): string {
  const names = [...setting.flags.map((flag) => `--${flag}${placeholder(setting)}`), ...setting.env].join(", ");
  const state = setting.required ? "required" : setting.default === undefined ? "may be absent" : `default ${setting.default === "" ? "empty" : setting.default}`;
  return `  ${names}\n${wrap(`${setting.description} (${state})`, width - 6).map((line) => `      ${line}`).join("\n")}`;
}

function placeholder({ type, values }: Setting): string {
  return type === "boolean" ? "" : `=${values ? values.join("|") : `<${type}>`}`;
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
