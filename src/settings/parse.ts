// One text into one typed value, or the reason why not. The code generator checks the defaults with the same function.
import type { Setting } from "../../generated/settings/setting.ts";

export type SettingValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;
type Parsed = { readonly value: SettingValue } | { readonly fault: string };
type Rules = Pick<Setting, "type" | "values" | "minimum" | "maximum" | "pattern" | "patternHint">;

/** The fault completes a sentence that begins with the value: "is not a whole number". */
export function parseSetting(rules: Rules, text: string): Parsed {
  const parsed = parsers[rules.type](text, rules);
  if ("value" in parsed && rules.pattern !== undefined && !new RegExp(rules.pattern).test(text)) return { fault: `is not ${rules.patternHint ?? `of the form ${rules.pattern}`}` };
  return parsed;
}

const parsers: Record<Setting["type"], (text: string, rules: Rules) => Parsed> = {
  string: (text) => ({ value: text }),
  boolean: parseBoolean,
  integer: parseInteger,
  port: (text) => parseInteger(text, { type: "port", minimum: 0, maximum: 65_535 }),
  duration: parseDuration,
  enum: (text, { values = [] }) => (values.includes(text) ? { value: text } : { fault: `is not one of ${values.join(", ")}` }),
  url: parseUrl,
  path: (text) => (text.startsWith("/") ? { value: text } : { fault: "is not an absolute path" }),
  quantity: parseQuantity,
  list: (text) => ({ value: text.split(",").map((item) => item.trim()).filter((item) => item !== "") }),
  map: parseMap,
  logLevel: parseLogLevel,
};

function parseBoolean(text: string): Parsed {
  if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return { value: true };
  if (["false", "0", "no", "off"].includes(text.toLowerCase())) return { value: false };
  return { fault: "is neither true nor false" };
}

function parseInteger(text: string, { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Rules): Parsed {
  if (!/^[+-]?\d+$/.test(text)) return { fault: "is not a whole number" };
  const value = Number(text);
  if (value < minimum) return { fault: `is less than ${minimum}` };
  if (value > maximum) return { fault: `is more than ${maximum}` };
  return { value };
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Go's way of writing durations: 90s, 1m30s, 1.5h. */
function parseDuration(text: string): Parsed {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (text === "0") return { value: 0 };
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return { fault: "is not a duration such as 500ms, 30s, 2m or 1h30m" };
  return { value: Math.round(parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs], 0)) };
}

function parseUrl(text: string): Parsed {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) return { fault: "is not a URL that begins with http:// or https://" };
  if (url.username !== "" || url.password !== "") return { fault: "holds a user name or a password, which do not belong into a URL" };
  return { value: text };
}

/** Kubernetes' notation of amounts; empty means none, where the setting allows it. */
function parseQuantity(text: string): Parsed {
  return /^(\d+(\.\d+)?([eE]\d+|m|k|[KMGTPE]i?)?)?$/.test(text) ? { value: text } : { fault: "is not a quantity such as 500m, 2 or 64Mi" };
}

/** A JSON object, or key=value pairs separated by commas. */
function parseMap(text: string): Parsed {
  if (text.startsWith("{")) {
    try {
      const object = JSON.parse(text) as Record<string, unknown>;
      if (Object.values(object).every((value) => typeof value === "string")) return { value: object as Record<string, string> };
    } catch {
      // told below
    }
    return { fault: "is not a JSON object of texts" };
  }
  const pairs = text.split(",").filter((pair) => pair !== "").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  if (pairs.some(([key], index) => key === "" || !text.split(",")[index]?.includes("="))) return { fault: "is not a list such as key=value,key=value" };
  return { value: Object.fromEntries(pairs) };
}

const levels = ["error", "warn", "info", "debug", "trace"];

/** Our names, or klog's numbers, of which 4 was the usual one. */
function parseLogLevel(text: string): Parsed {
  if (levels.includes(text)) return { value: text };
  if (!/^\d{1,2}$/.test(text)) return { fault: `is not one of ${levels.join(", ")}, nor a number` };
  const verbosity = Number(text);
  return { value: verbosity === 0 ? "error" : verbosity === 1 ? "warn" : verbosity <= 4 ? "info" : verbosity === 5 ? "debug" : "trace" };
}
