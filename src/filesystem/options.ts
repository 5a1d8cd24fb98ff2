// What a mount is asked to be: mount-s3's options, already parsed. Everything has a default; `resolveOptions` fills them in.
import type { Logger } from "../core/log.ts";
import { silentLogger } from "../core/log.ts";
import type { ChecksumAlgorithm, ObjectStore } from "../s3/object-store.ts";
import type { CrashRecord, Recorded } from "./crash-record.ts";
import type { MountRecord } from "./record.ts";
import { threadGroupOf } from "./thread-group.ts";

/** How long metadata may be believed: "minimal" is one second for what exists and nothing for what does not. */
export type TimeToLive = "minimal" | "indefinite" | { readonly seconds: number };

/** `strict` answers as mount-s3 does, errno by errno; `extended` adds what S3 can do beyond it. */
export type Profile = "strict" | "extended";
export type BucketType = "general-purpose" | "directory";

/** Lets the kernel read a local file without us (FUSE passthrough); absent where it is not allowed. */
export interface Passthrough {
  /** Undefined when the kernel refuses. */
  register(fd: number): Promise<{ readonly backingId: number; close(): void } | undefined>;
}

export interface FileSystemOptions {
  readonly store: ObjectStore;
  /** Empty, or ending in "/". */
  readonly prefix?: string;
  readonly readOnly?: boolean;
  readonly allowDelete?: boolean;
  readonly allowOverwrite?: boolean;
  readonly incrementalUpload?: boolean;
  readonly uid?: number;
  readonly gid?: number;
  readonly directoryMode?: number;
  readonly fileMode?: number;
  /** Default: minimal, or 60 s when there is a cache directory. */
  readonly metadataTtl?: TimeToLive;
  /** Default: as metadataTtl. */
  readonly negativeMetadataTtl?: TimeToLive;
  readonly readPartSize?: number;
  readonly writePartSize?: number;
  /** Bytes of file content held in memory, read and written together. A hard limit. */
  readonly memoryBudget?: number;
  /** Files open for writing at once; beyond it open() fails with ENOMEM. Default: what the memory budget carries. */
  readonly maxWriters?: number;
  readonly cache?: { readonly directory: string; readonly maxBytes?: number };
  readonly storageClass?: string;
  readonly sse?: "aws:kms" | "aws:kms:dsse" | "AES256";
  readonly sseKmsKeyId?: string;
  readonly checksum?: ChecksumAlgorithm;
  readonly inferContentType?: boolean;
  readonly profile?: Profile;
  readonly bucketType?: BucketType;
  readonly passthrough?: Passthrough;
  /** Go on with a mount that another process served (exportState). */
  readonly resume?: MountRecord;
  /** Go on with a mount whose last process died: the kernel knows more numbers than were recorded. */
  readonly predecessorDied?: Recorded;
  /** Where it is kept what the kernel holds on to, for whoever goes on if this process dies. */
  readonly crashRecord?: CrashRecord;
  readonly log?: Logger;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The process a thread belongs to; undefined when it can't be seen. */
  readonly threadGroupOf?: (pid: number) => number | undefined;
}

export interface ResolvedOptions
  extends Required<
    Omit<
      FileSystemOptions,
      | "cache"
      | "storageClass"
      | "sse"
      | "sseKmsKeyId"
      | "passthrough"
      | "resume"
      | "predecessorDied"
      | "crashRecord"
      | "metadataTtl"
      | "negativeMetadataTtl"
    >
  > {
  readonly cache: FileSystemOptions["cache"];
  readonly storageClass: string | undefined;
  readonly sse: FileSystemOptions["sse"];
  readonly sseKmsKeyId: string | undefined;
  readonly passthrough: Passthrough | undefined;
  readonly resume: MountRecord | undefined;
  readonly predecessorDied: FileSystemOptions["predecessorDied"];
  readonly crashRecord: CrashRecord | undefined;
  /** Milliseconds. */
  readonly positiveMs: number;
  readonly negativeMs: number;
  /** Metadata outlives the second that every mount grants itself: the user asked for it. */
  readonly cachesMetadata: boolean;
}

const MiB = 1024 * 1024;
const minimalMs = 1000;
const centuryMs = 100 * 365 * 24 * 3600 * 1000;

export function resolveOptions(options: FileSystemOptions): ResolvedOptions {
  const memoryBudget = options.memoryBudget ?? 128 * MiB;
  const writePartSize = options.writePartSize ?? 8 * MiB;
  const metadataTtl = options.metadataTtl ?? (options.cache ? { seconds: 60 } : "minimal");
  const negativeTtl = options.negativeMetadataTtl ?? metadataTtl;
  return {
    store: options.store,
    prefix: options.prefix ?? "",
    readOnly: options.readOnly ?? false,
    allowDelete: options.allowDelete ?? false,
    allowOverwrite: options.allowOverwrite ?? false,
    incrementalUpload: options.incrementalUpload ?? false,
    uid: options.uid ?? process.getuid?.() ?? 0,
    gid: options.gid ?? process.getgid?.() ?? 0,
    directoryMode: options.directoryMode ?? 0o755,
    fileMode: options.fileMode ?? 0o644,
    positiveMs: Math.max(minimalMs, milliseconds(metadataTtl)),
    negativeMs: milliseconds(negativeTtl),
    cachesMetadata: milliseconds(metadataTtl) > 0,
    readPartSize: options.readPartSize ?? 8 * MiB,
    writePartSize,
    memoryBudget,
    maxWriters: options.maxWriters ?? Math.max(1, Math.floor((memoryBudget * 3) / 4 / MiB)),
    cache: options.cache,
    storageClass: options.storageClass,
    sse: options.sse,
    sseKmsKeyId: options.sseKmsKeyId,
    checksum: options.checksum ?? "crc32c",
    inferContentType: options.inferContentType ?? false,
    profile: options.profile ?? "strict",
    bucketType: options.bucketType ?? "general-purpose",
    passthrough: options.passthrough,
    resume: options.resume,
    predecessorDied: options.predecessorDied,
    crashRecord: options.crashRecord,
    log: options.log ?? silentLogger,
    now: options.now ?? Date.now,
    threadGroupOf: options.threadGroupOf ?? threadGroupOf,
  };
}

function milliseconds(ttl: TimeToLive): number {
  if (ttl === "minimal") return 0;
  if (ttl === "indefinite") return centuryMs;
  return Math.min(ttl.seconds * 1000, centuryMs);
}
