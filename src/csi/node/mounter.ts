// What serves a volume: the one thing that differs between Kubernetes and other orchestrators. The pod mounter waits for the
// Mountpoint Pod that the reconciler assigned; the process mounter starts a daemon of its own. All the rest (mounting, handing
// the connection over, binding, healing) is the same for both and stands in source.ts and publish.ts.
import type { MountOptions } from "./mount-options.ts";
import type { SourceMounts } from "./source-mounts.ts";

export interface Volume {
  readonly volumeId: string;
  readonly bucketName: string;
  readonly target: string;
  readonly podUid: string | undefined;
  /** The PersistentVolume's name, where the target path tells it. */
  readonly volumeName: string | undefined;
  readonly fsGroup: string;
  readonly options: MountOptions;
}

/** A daemon, and where its file system is mounted. */
export interface Place {
  /** Unique on this node: the Mountpoint Pod's name, or the key by which workloads share a process. */
  readonly name: string;
  /** The directory of the FUSE mount. */
  readonly source: string;
  /** The daemon's comm directory on this side, and as the daemon calls it. */
  readonly comm: string;
  readonly commInside: string;
  /** Where the daemon's cache on disk lies on this side, if it has one. */
  readonly cache: string;
}

export interface Mounter {
  /** Which daemon is to serve this volume and workload. Waits for the assignment, and says in the end what it waited for. */
  place(volume: Volume, signal: AbortSignal): Promise<Place>;
  /** Has the daemon run, under the place's lock. Waits for that, and says in the end what it waited for. */
  start(place: Place, signal: AbortSignal): Promise<void>;
  /** The place whose source is mounted at this path, for what is found in the mount table. */
  placeOf(source: string): Place | undefined;
  /** Throws when the daemon, once started, has ended and will not come back by itself. */
  requireAlive(place: Place): void;
  /** What keeps the daemon from answering, as far as can be known from outside. */
  whyNotAnswering(place: Place): string | undefined;
  /** Nothing but the source itself uses the file system any more. Called under the place's lock. */
  vacated(place: Place, signal: AbortSignal): Promise<void>;
  /** The two need each other, and the mounter is made first. */
  use(sources: SourceMounts): void;
  /** Background work, until the signal; never throws. */
  run(signal: AbortSignal): Promise<void>;
  close(): void;
}
