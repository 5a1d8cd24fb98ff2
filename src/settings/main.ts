// The first line of every process: its settings, or the end of it. Exit 0 after --help and --version, 2 when something is wrong with them.
import type { Component } from "../../generated/settings/setting.ts";
import { helpText, versionText } from "./help.ts";
import { loadSettings, SettingsError, type SettingsInput } from "./load.ts";

export function settingsOrExit<T>(component: Component<T>, input: SettingsInput = { argv: process.argv.slice(2), env: process.env }): T {
  if (input.argv.some((argument) => /^--?(help|h)$/.test(argument))) return exit(process.stdout, helpText(component), 0);
  if (input.argv.some((argument) => /^--?version$/.test(argument))) return exit(process.stdout, versionText(), 0);
  try {
    return loadSettings(component, input);
  } catch (error) {
    if (error instanceof SettingsError) return exit(process.stderr, `${error.message}\n`, 2);
    throw error;
  }
}

function exit(stream: NodeJS.WriteStream, text: string, code: number): never {
  stream.write(text);
  process.exit(code);
}
