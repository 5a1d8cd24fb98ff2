// Flags over environment over default, into the generated type. All faults come at once: a pod that must be restarted once per typo is cruel.
import type { Component, Setting } from "../../generated/settings/setting.ts";
import { readArguments } from "./arguments.ts";
import { parseSetting, type SettingValue } from "./parse.ts";

export interface SettingsInput {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly faults: readonly string[];

  constructor(component: string, faults: readonly string[]) {
    const count = faults.length === 1 ? "one fault" : `${faults.length} faults`;
    super(`${component}: ${count} in its settings:\n${faults.map((fault) => `  ${fault}\n`).join("")}Run it with --help to see them all.`);
    this.faults = faults;
  }
}

export function loadSettings<T>(component: Component<T>, input: SettingsInput): T {
  const { given, faults } = readArguments(component.settings, input.argv);
  const values: Record<string, SettingValue> = {};
  for (const setting of component.settings) {
    const found = find(setting, given, input.env);
    if (!found) {
      if (setting.required) faults.push(`${nameOf(setting)} is required: ${setting.description}`);
      continue;
    }
    const parsed = parseSetting(setting, found.text);
    if ("value" in parsed) values[setting.name] = parsed.value;
    else faults.push(`${found.from}: ${setting.secret ? "the value" : JSON.stringify(found.text)} ${parsed.fault}`);
  }
  if (faults.length > 0) throw new SettingsError(component.name, faults);
  // Every name of the component has been given a value of the type that parseSetting makes of the row's type, as the generator declared it.
  return values as T;
}

interface Found {
  readonly text: string;
  /** How the user will recognise it. */
  readonly from: string;
}

function find(setting: Setting, given: ReadonlyMap<Setting, Found>, env: SettingsInput["env"]): Found | undefined {
  const flag = given.get(setting);
  if (flag) return flag;
  for (const name of setting.env) {
    const text = env[name];
    if (text !== undefined && (text !== "" || setting.allowEmpty)) return { text, from: name };
  }
  return setting.default === undefined ? undefined : { text: setting.default, from: `the default of ${nameOf(setting)}` };
}

function nameOf(setting: Setting): string {
  const [env] = setting.env;
  const [flag] = setting.flags;
  return flag ? `${env} (--${flag})` : `${env}`;
}
