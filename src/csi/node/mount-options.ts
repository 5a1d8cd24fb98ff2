// Mount options of a PersistentVolume, as users of mount-s3 write them ("allow-delete", "--prefix a/", "uid=1000"), turned into
// what the daemon is given: arguments in one normal form, environment, and what the mount system call needs to know.
import { DriverError } from "../../core/errors.ts";

export interface MountOptions {
  /** "--key" or "--key=value", sorted, without duplicates. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file system as a whole is read-only, for every workload that shares it. */
  readonly readOnly: boolean;
  readonly allowOther: boolean;
  /** No signature at all: credentials are neither needed nor sent. */
  readonly anonymous: boolean;
  /** Options that were left out, for a warning. */
  readonly stripped: readonly string[];
}

export interface MountOptionsInput {
  readonly flags: readonly string[];
  /** Given by the access mode. */
  readonly readOnly: boolean;
  /** volume_mount_group: the workload's fsGroup. */
  readonly fsGroup: string;
  /** Of a volume in a shared bucket. Its own prefix cannot be overridden: it is what keeps tenants apart. */
  readonly prefix: string | undefined;
  readonly region: string | undefined;
  readonly userAgent: string;
}

/** They concern the process, which is not the user's to start. */
const dropped = new Set(["--foreground", "-f", "--help", "-h", "--version", "-v"]);
/** The administrator's to decide (endpoint, profile), or not offered by the driver. */
const strippedKeys = new Set(["--profile", "--endpoint-url", "--cache-xz", "--incremental-upload", "--storage-class", "-o"]);

export function mountOptions(input: MountOptionsInput): MountOptions {
  const options = new OptionSet();
  if (input.readOnly) options.add("--read-only");
  for (const flag of input.flags) options.addFlag(flag);
  const stripped = [...strippedKeys].filter((key) => options.take(key).length > 0);
  for (const key of dropped) options.take(key);
  applyFsGroup(options, input.fsGroup);
  applyPrefix(options, input.prefix);
  if (input.region && !options.has("--region")) options.add("--region", input.region);
  if (!options.has("--allow-other")) options.add("--allow-root");
  options.add("--force-path-style");
  options.take("--user-agent-prefix");
  options.add("--user-agent-prefix", input.userAgent);
  const attempts = options.take("--aws-max-attempts").at(-1);
  return {
    args: options.sorted(),
    env: attempts ? { AWS_MAX_ATTEMPTS: attempts } : {},
    readOnly: options.has("--read-only"),
    allowOther: options.has("--allow-other"),
    anonymous: options.has("--no-sign-request"),
    stripped,
  };
}

function applyFsGroup(options: OptionSet, fsGroup: string): void {
  if (fsGroup === "") return;
  if (!/^\d{1,10}$/.test(fsGroup)) throw new DriverError("InvalidArgument", "volume_mount_group must be a numeric group id");
  if (options.has("--gid")) return;
  options.add("--gid", fsGroup);
  if (!options.has("--allow-other")) options.add("--allow-other");
  if (!options.has("--dir-mode")) options.add("--dir-mode", "770");
  if (!options.has("--file-mode")) options.add("--file-mode", "660");
}

function applyPrefix(options: OptionSet, prefix: string | undefined): void {
  if (prefix === undefined) return;
  const own = options.take("--prefix");
  if (own.some((value) => value !== prefix)) {
    throw new DriverError("InvalidArgument", "this volume is a prefix of a shared bucket: the mount option prefix cannot be used with it");
  }
  options.add("--prefix", prefix);
}

class OptionSet {
  readonly #entries = new Map<string, { readonly key: string; readonly value: string | undefined }>();

  add(key: string, value?: string): void {
    this.#entries.set(value === undefined ? key : `${key}=${value}`, { key, value });
  }

  /** One option as a person writes it: the first space or "=", whichever comes first, ends its name. */
  addFlag(flag: string): void {
    const text = flag.trim();
    if (text === "") return;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (/[\u0000-\u001f\u007f]/.test(text)) throw new DriverError("InvalidArgument", "a mount option contains control characters");
    const end = text.search(/[ =]/);
    const name = end < 0 ? text : text.slice(0, end);
    const value = end < 0 ? "" : text.slice(end + 1).trim();
    const key = name.startsWith("-") ? name : `--${name}`;
    this.add(key, value === "" ? undefined : value);
  }

  has(key: string): boolean {
    return [...this.#entries.values()].some((entry) => entry.key === key);
  }

  /** Removes every entry of the key; its values, "" for one without. */
  take(key: string): string[] {
    const values: string[] = [];
    for (const [text, entry] of [...this.#entries]) {
      if (entry.key !== key) continue;
      this.#entries.delete(text);
      values.push(entry.value ?? "");
    }
    return values;
  }

  sorted(): string[] {
    return [...this.#entries.keys()].sort();
  }
}
