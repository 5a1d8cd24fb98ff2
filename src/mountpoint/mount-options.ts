// What a mount shall be, out of a bucket's name, options and environment: one reading for the daemon and the command line.
import { DriverError } from "../core/errors.ts";
import type { FileSystemOptions, TimeToLive } from "../filesystem/options.ts";
import type { ConnectionOptions } from "../s3/connection-options.ts";
import type { GivenOptions } from "./arguments.ts";
import type { OptionName } from "./option-table.ts";

export interface MountOptions {
  readonly bucket: string;
  readonly connection: ConnectionOptions;
  readonly fileSystem: Omit<FileSystemOptions, "store" | "log">;
  readonly anonymous: boolean;
  readonly profile: string | undefined;
  readonly cache: { readonly directory: string; readonly maxBytes?: number } | undefined;
  readonly allowOther: boolean;
  readonly foreground: boolean;
  readonly autoUnmount: boolean;
  readonly metricsPort: number;
  readonly debug: boolean;
  readonly noLog: boolean;
  readonly logDirectory: string | undefined;
  readonly notes: readonly string[];
}

const MiB = 1024 * 1024;
/** What the process itself takes beside file content. */
const processMiB = 128;

export function mountOptions(bucketName: string, given: GivenOptions, env: Readonly<Record<string, string | undefined>>): MountOptions {
  const { values } = given;
  const text = (name: OptionName) => values.get(name);
  const flag = (name: OptionName) => values.has(name);
  const number = (name: OptionName) => (values.has(name) ? Number(values.get(name)) : undefined);
  const { bucket, prefix } = bucketAndPrefix(bucketName, text("prefix"));
  checkCombinations(values);
  const cacheMiB = number("max-cache-size");
  const cache = text("cache");
  const memory = number("memory-target");
  const partSize = number("part-size");
  const [readPartSize, writePartSize] = [number("read-part-size") ?? partSize, number("write-part-size") ?? partSize];
  return {
    bucket,
    connection: defined<ConnectionOptions>({
      region: text("region") ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? "us-east-1",
      regionFixed: flag("region") || undefined,
      endpointUrl: text("endpoint-url") ?? env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"],
      pathStyle: flag("force-path-style") || undefined,
      dualStack: flag("dual-stack") || undefined,
      accelerate: flag("transfer-acceleration") || undefined,
      requesterPays: flag("requester-pays") || undefined,
      expectedBucketOwner: text("expected-bucket-owner"),
      caBundle: text("ca-bundle") ?? env["AWS_CA_BUNDLE"],
      maxAttempts: attempts(env["AWS_MAX_ATTEMPTS"]),
      userAgentPrefix: text("user-agent-prefix"),
      proxyEnv: env,
    }),
    fileSystem: defined<MountOptions["fileSystem"]>({
      prefix,
      readOnly: flag("read-only"),
      allowDelete: flag("allow-delete"),
      allowOverwrite: flag("allow-overwrite"),
      incrementalUpload: flag("incremental-upload"),
      uid: number("uid"),
      gid: number("gid"),
      directoryMode: octal(text("dir-mode")),
      fileMode: octal(text("file-mode")),
      metadataTtl: ttl(text("metadata-ttl")),
      negativeMetadataTtl: ttl(text("negative-metadata-ttl")),
      readPartSize,
      writePartSize,
      memoryBudget: memory === undefined ? undefined : Math.max(32, memory - processMiB) * MiB,
      storageClass: text("storage-class"),
      sse: text("sse") as FileSystemOptions["sse"],
      sseKmsKeyId: text("sse-kms-key-id"),
      checksum: text("upload-checksums") as FileSystemOptions["checksum"],
      inferContentType: flag("infer-content-type"),
      profile: text("semantics") as FileSystemOptions["profile"],
      bucketType: (text("bucket-type") ?? (bucket.endsWith("--x-s3") ? "directory" : undefined)) as FileSystemOptions["bucketType"],
    }),
    anonymous: flag("no-sign-request"),
    profile: text("profile"),
    cache: cache === undefined || cacheMiB === 0 ? undefined : { directory: cache, ...(cacheMiB === undefined ? {} : { maxBytes: cacheMiB * MiB }) },
    allowOther: flag("allow-other"),
    foreground: flag("foreground"),
    autoUnmount: flag("auto-unmount"),
    metricsPort: number("metrics-port") ?? 0,
    debug: flag("debug") || flag("debug-crt"),
    noLog: flag("no-log"),
    logDirectory: text("log-directory"),
    notes: given.notes,
  };
}

function bucketAndPrefix(name: string, option: string | undefined): { bucket: string; prefix: string } {
  const url = /^s3:\/\/([^/]+)\/?(.*)$/.exec(name);
  if (url && option !== undefined) throw invalid("--prefix can't be used beside a prefix in s3://bucket/prefix/");
  const bucket = url?.[1] ?? name;
  const prefix = url?.[2] ?? option ?? "";
  if (bucket === "" || /[/\s]/.test(bucket.replace(/^arn:[^\s]*$/, ""))) throw invalid(`"${name}" is no bucket's name`);
  if (prefix !== "" && !prefix.endsWith("/")) throw invalid(`the prefix "${prefix}" must end in "/"`);
  return { bucket, prefix };
}

function checkCombinations(values: GivenOptions["values"]): void {
  if (values.has("allow-root") && values.has("allow-other")) throw invalid("--allow-root and --allow-other exclude each other");
  if (values.has("no-sign-request") && values.has("profile")) throw invalid("--no-sign-request and --profile exclude each other");
  if (values.has("sse-kms-key-id") && !values.get("sse")?.startsWith("aws:kms")) throw invalid("--sse-kms-key-id needs --sse aws:kms or aws:kms:dsse");
  if (values.has("max-cache-size") && !values.has("cache")) throw invalid("--max-cache-size needs --cache");
}

function ttl(text: string | undefined): TimeToLive | undefined {
  if (text === undefined || text === "minimal" || text === "indefinite") return text;
  return { seconds: Number(text) };
}

function octal(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number.parseInt(text, 8);
}

function attempts(text: string | undefined): number | undefined {
  const number = Number(text);
  return text !== undefined && Number.isInteger(number) && number > 0 ? number : undefined;
}

/** Without the members that are undefined, which the parts would take for values. */
function defined<T extends object>(values: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

function invalid(message: string): DriverError {
  return new DriverError("InvalidArgument", message);
}
