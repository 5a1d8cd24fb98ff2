// Every option of mount-s3, and our few own ones: what it takes, and what becomes of it. An option that we do not carry out is
// refused with the reason when ignoring it would change what the user gets, and accepted with a note when it would not.

export type OptionKind = "flag" | "text" | "integer" | "octal" | "ttl" | "list";

export interface OptionRule {
  readonly kind: OptionKind;
  /** In a topic's help. */
  readonly help: string;
  readonly topic: Topic;
  readonly value?: string;
  readonly short?: string;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Why it cannot be had. */
  readonly refused?: string;
  /** Why it has no effect. */
  readonly ignored?: string;
}

export const topics = ["bucket", "credentials", "files", "uploads", "caching", "mount", "logging"] as const;
export type Topic = (typeof topics)[number];

const MiB = 1024 * 1024;
const partSize = { kind: "integer", min: 5 * MiB, max: 5 * 1024 * MiB, value: "BYTES" } as const;

export const optionTable = {
  prefix: { kind: "text", topic: "bucket", value: "PREFIX", help: 'only keys below this prefix, which ends in "/"' },
  region: { kind: "text", topic: "bucket", value: "REGION", help: "default: AWS_REGION, else us-east-1, or where the store says" },
  "endpoint-url": { kind: "text", topic: "bucket", value: "URL", help: "default: AWS_ENDPOINT_URL, else AWS itself" },
  "force-path-style": { kind: "flag", topic: "bucket", help: "https://host/bucket instead of https://bucket.host" },
  "transfer-acceleration": { kind: "flag", topic: "bucket", help: "use AWS's accelerated endpoint" },
  "dual-stack": { kind: "flag", topic: "bucket", help: "use AWS's endpoint for IPv4 and IPv6" },
  "requester-pays": { kind: "flag", topic: "bucket", help: "agree to pay for requests" },
  "bucket-type": { kind: "text", topic: "bucket", value: "TYPE", choices: ["general-purpose", "directory"], help: "general-purpose or directory; default: by the bucket's name" },
  "expected-bucket-owner": { kind: "text", topic: "bucket", value: "ACCOUNT", help: "refuse a bucket of anyone else" },
  "ca-bundle": { kind: "text", topic: "bucket", value: "FILE", help: "PEM certificates to trust as well; default: AWS_CA_BUNDLE" },
  bind: { kind: "list", topic: "bucket", value: "IFACE", help: "not offered", refused: "the kernel's routes choose the interface; set a route instead" },
  "no-sign-request": { kind: "flag", topic: "credentials", help: "do not sign requests (public buckets)" },
  profile: { kind: "text", topic: "credentials", value: "NAME", help: "profile in ~/.aws; default: AWS_PROFILE" },
  "read-only": { kind: "flag", topic: "files", help: "refuse every change" },
  "allow-delete": { kind: "flag", topic: "files", help: "allow files to be deleted" },
  "allow-overwrite": { kind: "flag", topic: "files", help: "allow files to be replaced" },
  "incremental-upload": { kind: "flag", topic: "files", help: "append to files (directory buckets)" },
  semantics: { kind: "text", topic: "files", value: "PROFILE", choices: ["strict", "extended"], help: "strict: as mount-s3 (default); extended: rename, append" },
  uid: { kind: "integer", topic: "files", value: "N", min: 0, max: 4294967294, help: "owner of files; default: the process's" },
  gid: { kind: "integer", topic: "files", value: "N", min: 0, max: 4294967294, help: "group of files; default: the process's" },
  "dir-mode": { kind: "octal", topic: "files", value: "MODE", help: "default: 0755" },
  "file-mode": { kind: "octal", topic: "files", value: "MODE", help: "default: 0644" },
  "storage-class": { kind: "text", topic: "uploads", value: "CLASS", help: "of new objects" },
  sse: { kind: "text", topic: "uploads", value: "KIND", choices: ["aws:kms", "aws:kms:dsse", "AES256"], help: "aws:kms, aws:kms:dsse or AES256" },
  "sse-kms-key-id": { kind: "text", topic: "uploads", value: "ARN", help: "with --sse aws:kms or aws:kms:dsse" },
  "upload-checksums": { kind: "text", topic: "uploads", value: "KIND", choices: ["crc32c", "crc64nvme", "off"], help: "crc32c (default), crc64nvme or off" },
  "infer-content-type": { kind: "flag", topic: "uploads", help: "by the name's extension" },
  "part-size": { ...partSize, topic: "uploads", help: "of reads and writes; default: 8388608" },
  "read-part-size": { ...partSize, topic: "uploads", help: "of reads alone" },
  "write-part-size": { ...partSize, topic: "uploads", help: "of writes alone" },
  "maximum-throughput-gbps": { kind: "integer", topic: "uploads", value: "N", min: 1, help: "accepted, without effect", ignored: "the window follows the measured throughput" },
  cache: { kind: "text", topic: "caching", value: "DIR", help: "keep file content in this directory" },
  "max-cache-size": { kind: "integer", topic: "caching", value: "MiB", min: 0, help: "of the cache; default: leave 5 % of the disk free" },
  "cache-xz": { kind: "text", topic: "caching", value: "BUCKET", help: "not offered", refused: "there is no cache in S3 Express; use --cache DIR" },
  "cache-block-size": { kind: "integer", topic: "caching", value: "KiB", help: "accepted, without effect", ignored: "the cache keeps what was read, not blocks" },
  "metadata-ttl": { kind: "ttl", topic: "caching", value: "TTL", help: "seconds, minimal or indefinite" },
  "negative-metadata-ttl": { kind: "ttl", topic: "caching", value: "TTL", help: "the same for what does not exist" },
  "memory-target": { kind: "integer", topic: "caching", value: "MiB", min: 64, help: "of the whole process; default: 256" },
  foreground: { kind: "flag", topic: "mount", short: "f", help: "stay in the foreground" },
  "auto-unmount": { kind: "flag", topic: "mount", help: "unmount when the process dies" },
  "allow-root": { kind: "flag", topic: "mount", help: "let root use the mount (always so: root mounts)" },
  "allow-other": { kind: "flag", topic: "mount", help: "let every user use the mount" },
  "max-threads": { kind: "integer", topic: "mount", value: "N", min: 1, help: "accepted, without effect", ignored: "requests are not bound to threads" },
  "metrics-port": { kind: "integer", topic: "logging", value: "PORT", min: 0, max: 65535, help: "serve /metrics, /healthz and /readyz" },
  "log-directory": { kind: "text", topic: "logging", short: "l", value: "DIR", help: "write a log file there" },
  "no-log": { kind: "flag", topic: "logging", help: "log nothing" },
  debug: { kind: "flag", topic: "logging", short: "d", help: "log more" },
  "debug-crt": { kind: "flag", topic: "logging", help: "accepted: as --debug" },
  "log-metrics": { kind: "flag", topic: "logging", help: "accepted, without effect", ignored: "metrics are served on --metrics-port" },
  "otlp-endpoint": { kind: "text", topic: "logging", value: "URL", help: "not offered", refused: "metrics are served for Prometheus on --metrics-port" },
  "otlp-export-interval": { kind: "integer", topic: "logging", value: "S", help: "not offered", refused: "metrics are served for Prometheus on --metrics-port" },
  "user-agent-prefix": { kind: "text", topic: "bucket", value: "TEXT", help: "before our own in the User-Agent header" },
} as const satisfies Record<string, OptionRule>;

export type OptionName = keyof typeof optionTable;

export function ruleOf(name: string): OptionRule | undefined {
  return Object.hasOwn(optionTable, name) ? optionTable[name as OptionName] : undefined;
}

export function nameOfShort(letter: string): string | undefined {
  return Object.entries(optionTable).find(([, rule]) => (rule as OptionRule).short === letter)?.[0];
}
