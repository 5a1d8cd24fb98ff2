// generated/settings: for each process an interface, and the table from which src/settings reads it.
import { header } from "../generator.ts";
import { defaultText, namesOf, processes, type Process, type SettingSource, settingsFile, settingTypes } from "./settings-source.ts";

export function settingsTypes(settings: readonly SettingSource[]): Map<string, string> {
  const files = new Map([["generated/settings/setting.ts", settingFile()]]);
  for (const process of processes) {
    files.set(`generated/settings/${process}.ts`, processFile(process, settings.filter((setting) => setting.components.includes(process))));
  }
  return files;
}

function settingFile(): string {
  return `${header(settingsFile)}
export type SettingType = ${settingTypes.map((type) => JSON.stringify(type)).join(" | ")};

/** How one setting is named, read, checked and explained. */
export interface Setting<Name extends string = string> {
  readonly name: Name;
  readonly type: SettingType;
  readonly description: string;
  /** Environment variables, the documented one first. */
  readonly env: readonly string[];
  /** Flags without dashes, the documented one first; none for a secret. */
  readonly flags: readonly string[];
  /** As a user would write it. Without one the setting is required or may be absent. */
  readonly default?: string;
  readonly required?: boolean;
  readonly secret?: boolean;
  /** An empty text is a value; otherwise it counts as not set. */
  readonly allowEmpty?: boolean;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly patternHint?: string;
}

/** A process with its settings; T is the interface that they fill. */
export interface Component<T> {
  readonly name: string;
  readonly settings: readonly Setting<keyof T & string>[];
}
`;
}

function processFile(process: Process, settings: readonly SettingSource[]): string {
  const type = `${process[0]?.toUpperCase()}${process.slice(1)}Settings`;
  const fields = settings.map((setting) => `  /** ${comment(setting)} */\n  readonly ${setting.name}${setting.optional ? "?" : ""}: ${typeOf(setting)};`);
  return `${header(settingsFile)}import type { Component } from "./setting.ts";

export interface ${type} {
${fields.join("\n")}
}

export const ${process}Component: Component<${type}> = {
  name: ${JSON.stringify(process)},
  settings: [
${settings.map((setting) => `    ${row(setting)},`).join("\n")}
  ],
};
`;
}

function comment(setting: SettingSource): string {
  const unit = setting.type === "duration" ? " In milliseconds." : "";
  return `${setting.description.replaceAll("*/", "*\\/")}${unit} ${namesOf(setting.env).join(", ")}`;
}

function typeOf(setting: SettingSource): string {
  switch (setting.type) {
    case "boolean":
      return "boolean";
    case "integer":
    case "port":
    case "duration":
      return "number";
    case "enum":
      return (setting.values ?? []).map((value) => JSON.stringify(value)).join(" | ");
    case "logLevel":
      return '"error" | "warn" | "info" | "debug" | "trace"';
    case "list":
      return "readonly string[]";
    case "map":
      return "Readonly<Record<string, string>>";
    default:
      return "string";
  }
}

function row(setting: SettingSource): string {
  const { name, type, description, required, secret, allowEmpty, values, minimum, maximum, pattern, patternHint } = setting;
  const entry = {
    name, type, description, env: namesOf(setting.env), flags: namesOf(setting.flag),
    default: setting.default === undefined ? undefined : defaultText(setting.default),
    required, secret, allowEmpty, values, minimum, maximum, pattern, patternHint,
  };
  const parts = Object.entries(entry).filter(([, value]) => value !== undefined).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `{ ${parts.join(", ")} }`;
}
