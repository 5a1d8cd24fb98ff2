// All that fuse-native (libfuse 2, by paths) cannot do. Asking for one of these is refused when mounting, never later.
import { DriverError } from "../../core/errors.ts";

export const fuseNativeLimits = {
  inheritedDescriptor: "serving a connection that another process mounted",
  takeOver: "taking over a running connection",
  passthrough: "serving reads from a backing file",
  notifications: "telling the kernel that something has changed",
  interrupts: "learning that a caller was interrupted",
  callerIdentity: "knowing the caller's uid, gid and pid: files that are made belong to the server's user",
  largeRequests: "requests of more than 128 KiB (writes of more than 4 KiB)",
  readdirPlus: "attributes together with a directory's names",
  locks: "locks across machines",
  sparseFiles: "fallocate, SEEK_HOLE and SEEK_DATA",
  copyFileRange: "copying inside the file system",
  renameFlags: "renaming without replacing, and exchanging",
  creationFlags: "the open flags and the umask of a creating open",
  unlinkedFiles: "working on an open file by its handle alone: the path must still exist",
  accessTimes: "setting the access time apart from the modification time",
  readOnly: "mounting read-only",
  validity: "telling the kernel for how long to believe an answer: it asks every time",
  capabilities: "choosing what is negotiated with the kernel",
} as const;

export type FuseNativeLimit = keyof typeof fuseNativeLimits;

export function refuseBeyondLimits(required: readonly FuseNativeLimit[]): void {
  if (required.length === 0) return;
  const list = required.map((limit) => fuseNativeLimits[limit]).join("; ");
  throw new DriverError("NotSupported", `the transport fuse-native cannot do this: ${list}. Use the transport "kernel"`);
}
