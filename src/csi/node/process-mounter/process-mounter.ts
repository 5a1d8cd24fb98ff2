// The Mounter without Kubernetes: a daemon process per volume, options and fsGroup, started on the first publish and ended with
// the last. What runs is read from the mount table and the comm directories, so nothing is forgotten by a restart.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { sleep } from "../../../core/backoff.ts";
import { DriverError, explain } from "../../../core/errors.ts";
import type { KeyedLock } from "../../../core/keyed-lock.ts";
import type { Logger } from "../../../core/log.ts";
import { mountRefs } from "../../../linux/mount-info.ts";
import type { Mounter, Place, Volume } from "../mounter.ts";
import type { SourceMounts } from "../source-mounts.ts";
import { type DaemonCommand, endDaemonProcess, ensureDaemonProcess, hasPid, runningPid } from "./daemon-process.ts";
import { ensureMemoryDirectory, releaseMemoryDirectory } from "./memory-directory.ts";

export interface ProcessMounterOptions {
  /** Where sources are mounted, one directory a place. */
  readonly mountDir: string;
  /** In memory: sockets and keys. */
  readonly commDir: string;
  readonly command: DaemonCommand;
  readonly scanIntervalMs: number;
  readonly placeLock: KeyedLock;
  readonly log: Logger;
}

const exitGraceMs = 10_000;
const sweepMs = 60_000;

export class ProcessMounter implements Mounter {
  readonly #options: ProcessMounterOptions;
  #sources: SourceMounts | undefined;

  constructor(options: ProcessMounterOptions) {
    this.#options = options;
    mkdirSync(options.mountDir, { recursive: true, mode: 0o755 });
    ensureMemoryDirectory(options.commDir);
  }

  use(sources: SourceMounts): void {
    this.#sources = sources;
  }

  async place(volume: Volume): Promise<Place> {
    return this.#placeNamed(sharingKey(volume));
  }

  async start(place: Place): Promise<void> {
    ensureDaemonProcess(place.comm, this.#options.command);
  }

  placeOf(source: string): Place | undefined {
    return path.dirname(source) === this.#options.mountDir ? this.#placeNamed(path.basename(source)) : undefined;
  }

  requireAlive(place: Place): void {
    // In this order: the pid may be written between the two looks.
    if (!hasPid(place.comm) || runningPid(place.comm) !== undefined) return;
    throw new DriverError("Unavailable", `daemon ${place.name} has ended before it was ready; the node service's log has its words`, {
      retryable: true,
    });
  }

  whyNotAnswering(place: Place): string | undefined {
    return runningPid(place.comm) === undefined ? "its process has ended; see the node service's log" : undefined;
  }

  async vacated(place: Place, signal: AbortSignal): Promise<void> {
    if (!(await this.#sources?.dismount(place, signal))) return;
    this.#sources?.forget(place);
    await endDaemonProcess(place.comm, exitGraceMs, signal);
  }

  /** At start and from time to time: what was left by a crash is ended or, where it is in use, taken up again. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#sweep(signal);
      await sleep(this.#options.scanIntervalMs, signal).catch(() => {});
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { mountDir, commDir, placeLock, log } = this.#options;
    const names = new Set([...readdirSync(mountDir), ...readdirSync(commDir)]);
    for (const name of names) {
      const place = this.#placeNamed(name);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(sweepMs)]);
      const look = async () => {
        if (mountRefs(place.source).length === 0) await this.vacated(place, limit);
        else await this.#sources?.adopt(place, limit);
      };
      await placeLock.run(name, look, limit).catch((error) => {
        if (!signal.aborted) log.warn("a daemon could not be looked after", { place: name, reason: explain(error) });
      });
    }
  }

  /** Leaves daemons and mounts as they are. */
  close(): void {
    releaseMemoryDirectory(this.#options.commDir);
  }

  #placeNamed(name: string): Place {
    const comm = path.join(this.#options.commDir, name);
    return { name, source: path.join(this.#options.mountDir, name), comm, commInside: comm, cache: this.#options.command.cacheDir };
  }
}

/** Workloads share a daemon when all of this is the same. */
function sharingKey(volume: Volume): string {
  const key = JSON.stringify([volume.volumeId, volume.bucketName, volume.fsGroup, volume.options.args, volume.options.env]);
  return `mp-${createHash("sha256").update(key).digest("hex").slice(0, 40)}`;
}
