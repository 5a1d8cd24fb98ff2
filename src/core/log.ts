// JSON lines on stderr: a constant message, the rest as keys. Keys that name a secret are never written, whoever passes them.
import { secretFields } from "../../generated/proto/secret-fields.ts";
import { explain } from "./errors.ts";

export type LogLevel = "error" | "warn" | "info" | "debug" | "trace";
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  trace(message: string, fields?: LogFields): void;
  /** A logger whose lines all carry these fields too. */
  with(fields: LogFields): Logger;
  enabled(level: LogLevel): boolean;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly component: string;
  readonly write?: (line: string) => void;
  readonly now?: () => Date;
}

const levels: readonly LogLevel[] = ["error", "warn", "info", "debug", "trace"];

/** What the S3 secrets are called wherever they appear: request secrets, environment, credential files. */
const ownSecretNames = [
  "secrets", "access_key_id", "secret_access_key", "session_token", "accessKeyId", "secretAccessKey", "sessionToken",
  "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "authorization", "token", "csi.storage.k8s.io/serviceAccount.tokens",
];

const dropped = new Set<string>([...secretFields, ...ownSecretNames]);

export function createLogger(options: LogOptions): Logger {
  const write = options.write ?? stderrWriter();
  const now = options.now ?? (() => new Date());
  const limit = levels.indexOf(options.level);
  const make = (bound: LogFields): Logger => {
    const emit = (level: LogLevel, message: string, fields?: LogFields) => {
      if (levels.indexOf(level) > limit) return;
      const head = { time: now().toISOString(), level, component: options.component, msg: message };
      write(`${toJson({ ...head, ...bound, ...fields }) ?? toJson({ ...head, logFault: "the fields cannot be written as JSON" })}\n`);
    };
    return {
      error: (m, f) => emit("error", m, f),
      warn: (m, f) => emit("warn", m, f),
      info: (m, f) => emit("info", m, f),
      debug: (m, f) => emit("debug", m, f),
      trace: (m, f) => emit("trace", m, f),
      with: (fields) => make({ ...bound, ...fields }),
      enabled: (level) => levels.indexOf(level) <= limit,
    };
  };
  return make({});
}

export const silentLogger: Logger = createLogger({ level: "error", component: "silent", write: () => {} });

/** A full disk, or a reader that went away, costs the lines and not the process. */
function stderrWriter(): (line: string) => void {
  if (!process.stderr.listeners("error").includes(ignoreFault)) process.stderr.on("error", ignoreFault);
  return (line) => void process.stderr.write(line);
}

function ignoreFault(): void {}

/** Logging never throws: undefined for what has no JSON, such as a circle. */
function toJson(line: LogFields): string | undefined {
  try {
    return JSON.stringify(line, redact);
  } catch {
    return undefined;
  }
}

function redact(key: string, value: unknown): unknown {
  if (dropped.has(key)) return undefined;
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Error) {
    return { message: value.message, code: (value as { code?: unknown }).code, cause: value.cause === undefined ? undefined : explain(value.cause), stack: value.stack?.split("\n").slice(1, 6) };
  }
  if (value instanceof Uint8Array) return `<${value.length} bytes>`;
  return value;
}
