// A command line of mount options as values: "--key value", "--key=value", "-f", and "-o a,b=c" as fstab writes them.
import { DriverError } from "../core/errors.ts";
import { nameOfShort, type OptionName, type OptionRule, ruleOf } from "./option-table.ts";

export interface GivenOptions {
  readonly values: ReadonlyMap<OptionName, string>;
  readonly positional: readonly string[];
  readonly notes: readonly string[];
}

/** All faults come in one message. */
export function readArguments(argv: readonly string[]): GivenOptions {
  const reader = new Reader();
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] as string;
    if (argument === "--") {
      reader.positional.push(...argv.slice(i + 1));
      break;
    }
    if (argument === "-o" || argument.startsWith("-o=")) {
      const list = argument === "-o" ? argv[++i] : argument.slice(3);
      if (list === undefined) reader.faults.push("-o needs a list of options");
      else for (const option of splitFstab(list)) reader.fstab(option);
      continue;
    }
    if (!argument.startsWith("-") || argument === "-") {
      reader.positional.push(argument);
      continue;
    }
    const equals = argument.indexOf("=");
    const written = equals < 0 ? argument : argument.slice(0, equals);
    const name = written.startsWith("--") ? written.slice(2) : nameOfShort(written.slice(1));
    const rule = name === undefined ? undefined : ruleOf(name);
    if (name === undefined || !rule) {
      reader.faults.push(`unknown option ${written}`);
      continue;
    }
    if (rule.kind === "flag") reader.flag(name, rule, equals < 0 ? undefined : argument.slice(equals + 1));
    else if (equals >= 0) reader.value(name, rule, argument.slice(equals + 1));
    else if (i + 1 < argv.length) reader.value(name, rule, argv[++i] as string);
    else reader.faults.push(`--${name} needs a value`);
  }
  if (reader.faults.length > 0) throw new DriverError("InvalidArgument", `${reader.faults.join("; ")}; see --help for the options`);
  return reader;
}

const ignoredFstab = new Set(["auto", "noauto", "user", "nouser", "users", "_netdev", "nofail", "rw", "nodev", "nosuid", "defaults"]);
const forbiddenFstab = new Set(["foreground", "read-only"]);

class Reader implements GivenOptions {
  readonly values = new Map<OptionName, string>();
  readonly positional: string[] = [];
  readonly notes: string[] = [];
  readonly faults: string[] = [];

  fstab(option: string): void {
    const equals = option.indexOf("=");
    const name = equals < 0 ? option : option.slice(0, equals);
    if (name === "ro") return this.flag("read-only", ruleOf("read-only") as OptionRule, undefined);
    if (name === "" || ignoredFstab.has(name) || name.startsWith("x-")) return;
    const rule = ruleOf(name);
    if (forbiddenFstab.has(name)) this.faults.push(`${name} can't be given with -o${name === "read-only" ? '; write "ro"' : ""}`);
    else if (!rule) this.faults.push(`unknown option ${name} in -o`);
    else if (rule.kind === "flag") this.flag(name, rule, equals < 0 ? undefined : option.slice(equals + 1));
    else if (equals < 0) this.faults.push(`${name} needs a value in -o`);
    else this.value(name, rule, option.slice(equals + 1));
  }

  flag(name: string, rule: OptionRule, value: string | undefined): void {
    if (value === "false") return;
    if (value !== undefined && value !== "true") this.faults.push(`--${name} takes no value`);
    else this.#set(name, rule, "true");
  }

  value(name: string, rule: OptionRule, text: string): void {
    const fault = valueFault(rule, text);
    if (fault !== undefined) this.faults.push(`--${name}: "${text}" ${fault}`);
    else this.#set(name, rule, text);
  }

  #set(name: string, rule: OptionRule, text: string): void {
    if (rule.refused !== undefined) this.faults.push(`--${name} is not offered: ${rule.refused}`);
    if (rule.ignored !== undefined) this.notes.push(`--${name} has no effect: ${rule.ignored}`);
    this.values.set(name as OptionName, text);
  }
}

function valueFault(rule: OptionRule, text: string): string | undefined {
  const { choices, min = 0, max = Number.MAX_SAFE_INTEGER } = rule;
  if (choices && !choices.includes(text)) return `is none of ${choices.join(", ")}`;
  if (rule.kind === "octal") return /^0?[0-7]{1,3}$/.test(text) ? undefined : "is no octal mode up to 0777";
  if (rule.kind === "ttl") return text === "minimal" || text === "indefinite" || /^\d+$/.test(text) ? undefined : "is neither a number of seconds nor minimal nor indefinite";
  if (rule.kind === "integer") {
    const number = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || number < min || number > max) return `is no number from ${min}${max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`}`;
  }
  return text === "" ? "is empty" : undefined;
}

/** Commas part the options; a backslash takes the next character as it is. */
function splitFstab(list: string): string[] {
  const options: string[] = [];
  let current = "";
  for (let i = 0; i < list.length; i++) {
    if (list[i] === "\\" && i + 1 < list.length) current += list[++i];
    else if (list[i] === ",") {
      options.push(current);
      current = "";
    } else current += list[i];
  }
  return [...options, current];
}
