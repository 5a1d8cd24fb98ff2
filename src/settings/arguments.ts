// Command line flags in the manner of Go's flag package, which the driver's users know: one or two dashes, "=" or a blank before the value.
import type { Setting } from "../../generated/settings/setting.ts";

export interface Arguments {
  readonly given: Map<Setting, { readonly text: string; readonly from: string }>;
  readonly faults: string[];
}

export function readArguments(settings: readonly Setting[], argv: readonly string[]): Arguments {
  const byFlag = new Map(settings.flatMap((setting) => setting.flags.map((flag) => [flag, setting] as const)));
  const result: Arguments = { given: new Map(), faults: [] };
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? "";
    const [, flag, attached] = /^--?([^-=][^=]*)(?:=([\s\S]*))?$/.exec(argument) ?? [];
    const setting = flag === undefined ? undefined : byFlag.get(flag);
    if (!flag || !setting) {
      // The value may be a secret that somebody took for a setting.
      result.faults.push(flag ? `--${flag} is not a flag of this program${similar(flag, byFlag.keys())}` : "an argument is not a flag; it takes flags only");
      if (flag && attached === undefined && argv[index + 1]?.startsWith("-") === false) index++;
      continue;
    }
    const text = attached ?? (setting.type === "boolean" ? "true" : argv[++index]);
    if (text === undefined) result.faults.push(`--${flag} needs a value`);
    else result.given.set(setting, { text, from: `--${flag}` });
  }
  return result;
}

function similar(flag: string, known: Iterable<string>): string {
  const near = [...known].find((other) => other.startsWith(flag) || flag.startsWith(other) || distance(flag, other) <= 2);
  return near === undefined ? "" : `; did you mean --${near}?`;
}

/** How many letters must be added, dropped or changed to make one of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
