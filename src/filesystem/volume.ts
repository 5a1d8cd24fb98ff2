// What the parts of one mounted file system share.
import type { Logger } from "../core/log.ts";
import type { Notifier } from "../fuse/file-system.ts";
import type { ObjectStore } from "../s3/object-store.ts";
import type { DiskCache } from "./cache/disk-cache.ts";
import type { Arena } from "./memory.ts";
import type { Passthrough, ResolvedOptions } from "./options.ts";
import type { MountState } from "./state.ts";

export interface Volume {
  readonly options: ResolvedOptions;
  readonly store: ObjectStore;
  readonly log: Logger;
  readonly state: MountState;
  readonly arena: Arena;
  readonly disk: DiskCache | undefined;
  /** Directories have no time of their own in S3; theirs is when the mount began. */
  readonly mountTimeMs: number;
  /** Set when the kernel has agreed to it. */
  passthrough: Passthrough | undefined;
  /** Set once the mount is served. */
  notifier: Notifier | undefined;
  now(): number;
}

/** Tells the kernel after the current request is answered: it may hold the node's lock until then. */
export function notifyLater(volume: Volume, tell: (notifier: Notifier) => Promise<void>): void {
  const { notifier } = volume;
  if (!notifier) return;
  setImmediate(() => {
    tell(notifier).catch((error: unknown) => volume.log.debug("the kernel did not take a notification", { error }));
  });
}
