// Where a key may be although it is neither in a driver's memory nor in a memory-backed directory of its own: what belongs to the tests, not
// to the driver, and the two cases in which the user's way leaves no choice.

export interface Allowed {
  readonly matches: RegExp;
  readonly reason: string;
}

/** By the arguments, joined by blanks. */
export const allowedProcesses: readonly Allowed[] = [
  { matches: /\/versitygw( |$)/, reason: "an S3 server under test, which takes its keys this way" },
  { matches: /\/server\/server\.mjs /, reason: "the S3 server that the quickstart runs in a pod" },
  { matches: /\/test\/filesystem\/serve\.ts /, reason: "a program of the tests, which is told by an argument what to serve" },
  { matches: /\/src\/bin\/cli\.ts /, reason: "the command line, with the keys in the user's own environment" },
];

/** Not entered. */
export const skippedFolders: readonly Allowed[] = [
  { matches: /\/etcd$/, reason: "Kubernetes' own store, in which Secrets are" },
  { matches: /\/containerd$/, reason: "images, and the environment of the S3 server that the quickstart runs in a pod; the driver's containers cannot write there" },
];

export interface AllowedFile extends Allowed {
  /** Only as long as it is on a memory-backed file system. */
  readonly inMemory?: boolean;
}

export const allowedFiles: readonly AllowedFile[] = [
  { matches: /\/comm\/[^/]+\/credentials\/s3-csi-credentials$/, inMemory: true, reason: "the driver's own files of keys for a daemon (MOUNTER_KIND=process)" },
  { matches: /\/daemons\/[^/]+\/credentials\/s3-csi-credentials$/, inMemory: true, reason: "the same, in the quickstart" },
  { matches: /~empty-dir\/comm\/credentials\/s3-csi-credentials$/, inMemory: true, reason: "the same, for a Mountpoint Pod" },
  { matches: /\/credentials\/(access_key_id|secret_access_key|session_token)$/, inMemory: true, reason: "stands for a mounted Secret" },
  { matches: /\/plugins\/s3\.csi\.scality\.com\/[^/]+-s3-csi-credentials$/, reason: "of a mount of version 1, whose process reads its keys there" },
  { matches: /\/s3csi-versitygw-[^/]+\//, inMemory: true, reason: "an S3 server's own users and data" },
  { matches: /\/s3csi-(credentials|transport|daemon|cli)-[^/]+\/(.*\/)?credentials$/, reason: "a profile file that a test wrote" },
  { matches: /\/s3csi-comm-[^/]+\//, inMemory: true, reason: "the comm directory of the test of the files themselves" },
  { matches: /\/server\.mjs$/, reason: "the embedded S3 server's program, which knows the mark" },
];
