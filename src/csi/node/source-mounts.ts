// The FUSE mount of a place: made once, shared by all its workloads through bind mounts, and healed when its daemon dies.
//
// The node service keeps a duplicate of the connection's descriptor. When the daemon dies, requests wait; its successor is
// given the descriptor and the session's state and goes on, and no workload notices more than a pause. When the node service
// dies, the daemon still has its own. Only when both are gone is the mount dead: then it is replaced, and the targets that
// showed it are bound anew.
//
// Everything here runs under the lock of the place (publish.ts), except what says otherwise.
import { mkdirSync, rmdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { StatusResponse_Phase as Phase } from "../../../generated/proto/mountpoint.ts";
import { DriverError, explain, toDriverError } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { mountFuse } from "../../fuse/mount.ts";
import { memoryFile } from "../../linux/descriptor.ts";
import { umount } from "../../linux/mount.ts";
import { findMount, type MountPoint, mountRefs, readMountInfo } from "../../linux/mount-info.ts";
import { mountedDevice } from "../../linux/mounted-device.ts";
import { probePath } from "../../linux/probe.ts";
import { raiseReadAhead } from "../../linux/read-ahead.ts";
import { mountDevice } from "../names.ts";
import type { S3Keys } from "../secrets.ts";
import { CommDirectory } from "./comm-directory.ts";
import { credentialsMessage, writeCredentialFiles } from "./credential-files.ts";
import { closeDescriptors, Daemon, type Descriptors } from "./daemon.ts";
import type { HeldConnections } from "./held-connections.ts";
import type { Mounter, Place, Volume } from "./mounter.ts";
import { bindTarget, staleTargets } from "./targets.ts";

const probeMs = 2_000;

export interface MountWish {
  readonly volume: Volume;
  /** Undefined for requests without a signature. */
  readonly keys: S3Keys | undefined;
  /** Endpoint, region and the like. Never a secret. */
  readonly env: Readonly<Record<string, string>>;
}

export class SourceMounts implements Disposable {
  readonly #mounter: Mounter;
  readonly #log: Logger;
  readonly #held: HeldConnections;
  readonly #daemons = new Map<string, Daemon>();
  /** The keys that each daemon was last given. */
  readonly #keys = new Map<string, S3Keys | undefined>();

  constructor(mounter: Mounter, held: HeldConnections, log: Logger) {
    this.#mounter = mounter;
    this.#held = held;
    this.#log = log;
  }

  /** The source is mounted and served when this returns, with these credentials. */
  async ensure(place: Place, wish: MountWish, signal: AbortSignal): Promise<void> {
    if (mountedDevice(place.source) && this.#isKnownGood(place, wish)) return;
    const mounted = findMount(place.source);
    try {
      if (!mounted || !(await this.#isServed(place, wish, signal))) {
        const orphans = mounted ? this.#discard(place, mounted) : [];
        await this.#mount(place, wish, signal);
        for (const orphan of orphans) this.#rebind(place, orphan);
      }
      this.#keys.set(place.name, wish.keys);
    } catch (error) {
      throw this.#withCause(place, error, signal);
    }
  }

  /** Ends the mount: uploads are finished within the signal's time, then the daemon exits. True when nothing is left of it. */
  async dismount(place: Place, signal: AbortSignal): Promise<boolean> {
    const mounted = findMount(place.source);
    if (mounted && mountRefs(place.source).length > 0) return false;
    // The one that serves it: the place no longer tells where, once its pod is gone.
    const daemon = this.#daemons.get(place.name) ?? this.daemon(place);
    // From here on nobody shall take the mount over; and the daemon would wait for the lifeline to be closed.
    this.#held.release(place.name);
    try {
      if (await daemon.status(signal)) {
        const lost = await daemon.stop(false, signal);
        if (lost.length > 0) this.#log.error("uploads were lost at unmount", { place: place.name, lost });
      }
    } catch (error) {
      signal.throwIfAborted();
      this.#log.warn("the daemon could not be stopped in order", { place: place.name, reason: explain(error) });
    }
    this.#unmountSource(place);
    return true;
  }

  daemon(place: Place): Daemon {
    const known = this.#daemons.get(place.name);
    if (known?.comm === place.comm) return known;
    // A Mountpoint Pod that was made anew has its old name, but another directory: the old socket will never answer again.
    known?.[Symbol.dispose]();
    const daemon = new Daemon(place);
    this.#daemons.set(place.name, daemon);
    return daemon;
  }

  /** Takes up a mount that was there before this process, outside of any publish. */
  async adopt(place: Place, signal: AbortSignal): Promise<void> {
    if (!findMount(place.source) || this.#held.has(place.name)) return;
    const daemon = this.daemon(place);
    const status = await daemon.status(signal);
    if (status?.phase === Phase.SERVING) await this.#held.recover(place, daemon, signal);
  }

  forget(place: Place): void {
    this.#held.release(place.name);
    this.#daemons.get(place.name)?.[Symbol.dispose]();
    this.#daemons.delete(place.name);
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]();
    for (const daemon of this.#daemons.values()) daemon[Symbol.dispose]();
    this.#daemons.clear();
  }

  /** Its lifeline stands and nothing is new: nobody needs to be asked. What makes a shared publish cheap. */
  #isKnownGood(place: Place, wish: MountWish): boolean {
    return this.#held.isAlive(place.name) && this.#keys.has(place.name) && isDeepStrictEqual(this.#keys.get(place.name), wish.keys);
  }

  /** False when the mount is beyond help and must be replaced. */
  async #isServed(place: Place, wish: MountWish, signal: AbortSignal): Promise<boolean> {
    const daemon = this.daemon(place);
    const hope = () => this.#mounter.requireAlive(place);
    let status = await daemon.status(signal);
    if (!status) {
      // What is not ours may be served by a daemon that speaks another protocol: one of the driver this one replaces.
      if (!this.#held.has(place.name)) return (await probePath(place.source, probeMs, signal)).state === "alive";
      await this.#mounter.start(place, signal);
      status = await daemon.reaches([Phase.WAITING, Phase.SERVING], hope, signal);
    }
    if (status.phase !== Phase.SERVING && status.phase !== Phase.WAITING) {
      status = await daemon.reaches([Phase.WAITING, Phase.SERVING], hope, signal);
    }
    if (status.phase === Phase.WAITING) return this.#held.resume(place, daemon, signal);
    await this.#refreshCredentials(place, wish, signal);
    await this.#held.recover(place, daemon, signal);
    return true;
  }

  async #refreshCredentials(place: Place, wish: MountWish, signal: AbortSignal): Promise<void> {
    await using comm = await CommDirectory.open(place.comm);
    if (!(await writeCredentialFiles(comm, wish.keys))) return;
    await this.daemon(place).updateCredentials(credentialsMessage(wish.keys, place.commInside), signal);
    this.#log.info("credentials renewed", { place: place.name });
  }

  async #mount(place: Place, wish: MountWish, signal: AbortSignal): Promise<void> {
    const daemon = this.daemon(place);
    await this.#mounter.start(place, signal);
    await daemon.reaches([Phase.WAITING], () => this.#mounter.requireAlive(place), signal);
    await using comm = await CommDirectory.open(place.comm);
    await writeCredentialFiles(comm, wish.keys);
    mkdirSync(place.source, { recursive: true, mode: 0o755 });
    const { options, volumeId, bucketName } = wish.volume;
    // The owner is root: without allow_other, root alone may enter, which is what allow-root means here.
    const { readOnly, allowOther } = options;
    const { fd, device } = mountFuse({ mountPoint: place.source, source: mountDevice, readOnly, allowOther, defaultPermissions: true });
    let descriptors: Descriptors = { fuse: fd, crashRecord: undefined };
    this.#log.debug("source mounted", { place: place.name });
    const request = {
      bucketName,
      args: options.args,
      env: { ...wish.env, ...options.env },
      credentials: credentialsMessage(wish.keys, place.commInside),
      volumeId,
      readOnly,
      resumeState: Buffer.alloc(0),
    };
    try {
      descriptors = { fuse: fd, crashRecord: memoryFile("s3-csi crash record") };
      const sessionState = await daemon.mount(descriptors, request, signal);
      raiseReadAhead(device, this.#log);
      await this.#held.keep(place, daemon, descriptors, { ...request, resumeState: sessionState });
      this.#log.info("volume mounted", { place: place.name, volumeId, bucketName });
    } catch (error) {
      // Else it is closed with what is held.
      if (!this.#held.has(place.name)) closeDescriptors(descriptors);
      this.#unmountSource(place);
      throw error;
    }
  }

  #discard(place: Place, dead: MountPoint): readonly MountPoint[] {
    const orphans = staleTargets(dead, place.source);
    this.#log.warn("the mount lost its daemon and is replaced", { place: place.name, targets: orphans.length });
    this.#unmountSource(place);
    return orphans;
  }

  #rebind(place: Place, orphan: MountPoint): void {
    try {
      umount(orphan.mountPoint, { lazy: true });
      bindTarget(place.source, orphan.mountPoint, orphan.options.includes("ro"));
    } catch (error) {
      // Its own republish tries again.
      this.#log.warn("a target could not be bound anew", { target: orphan.mountPoint, reason: explain(error) });
    }
  }

  /** Lazily, since a dead mount may be held open by whoever hangs on it. Several may be stacked after crashes. */
  #unmountSource(place: Place): void {
    this.#held.release(place.name);
    this.#keys.delete(place.name);
    while (umount(place.source, { lazy: true }));
    try {
      rmdirSync(place.source);
    } catch (error) {
      if (!["ENOENT", "EBUSY", "ENOTEMPTY"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }

  /** "It took too long" is not a cause: say what was waited for. */
  #withCause(place: Place, thrown: unknown, signal: AbortSignal): DriverError {
    const error = toDriverError(signal.aborted ? signal.reason : thrown);
    if (error.code !== "DeadlineExceeded" && error.code !== "Cancelled") return error;
    const why = this.#mounter.whyNotAnswering(place) ?? "it does not answer at its socket";
    return new DriverError(error.code, `Mountpoint daemon ${place.name} did not become ready in time: ${why}`, { cause: thrown });
  }
}

/** Sources that are mounted below this directory, whoever mounted them. */
export function mountedSources(directory: string): MountPoint[] {
  return readMountInfo().filter((mount) => mount.mountPoint.startsWith(`${directory}/`));
}
