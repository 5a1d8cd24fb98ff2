// Ends source mounts that nobody needs: those of Mountpoint Pods that the reconciler marked needs-unmount, at once; and those
// whose Mountpoint Pod is gone, at start and every two minutes.
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { sleep } from "../../../core/backoff.ts";
import { explain } from "../../../core/errors.ts";
import type { KeyedLock } from "../../../core/keyed-lock.ts";
import type { Logger } from "../../../core/log.ts";
import type { Informer } from "../../../kube/informer.ts";
import type { Pod } from "../../../kube/resources.ts";
import { findMount, mountRefs } from "../../../linux/mount-info.ts";
import { needsUnmountAnnotation } from "../../names.ts";
import { CommDirectory } from "../comm-directory.ts";
import { removeCredentialFiles } from "../credential-files.ts";
import type { Place } from "../mounter.ts";
import type { SourceMounts } from "../source-mounts.ts";

export interface UnmounterOptions {
  readonly pods: Informer<Pod, Pod>;
  readonly namespace: string;
  readonly mountDir: string;
  readonly scanIntervalMs: number;
  readonly placeLock: KeyedLock;
  readonly sources: SourceMounts;
  readonly placeOf: (name: string) => Place;
  readonly log: Logger;
}

/** Uploads of a big file may take this long; then the next round tries again. */
const stopMs = 90_000;

export class Unmounter {
  readonly #options: UnmounterOptions;

  constructor(options: UnmounterOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { pods, scanIntervalMs, log } = this.#options;
    const leave = pods.onChange(({ object, type }) => {
      const name = object.metadata?.name;
      if (name && type !== "deleted" && needsUnmount(object)) void this.#unmount(name, signal);
    });
    try {
      while (!signal.aborted) {
        await this.scan(signal).catch((error) => log.warn("the scan for unused mounts failed", { reason: explain(error) }));
        await sleep(scanIntervalMs, signal).catch(() => {});
      }
    } finally {
      leave();
    }
  }

  /** Its last workload has left. The reconciler may have marked it before that, and nothing else would tell us. */
  vacated(name: string, signal: AbortSignal): void {
    const { pods, namespace } = this.#options;
    const pod = pods.store.get(`${namespace}/${name}`);
    if (!pod || needsUnmount(pod)) void this.#unmount(name, signal);
  }

  /** Every source directory: unmount it when its pod is gone or wants it. */
  async scan(signal: AbortSignal): Promise<void> {
    const { pods, mountDir, namespace } = this.#options;
    const found = readdirSync(mountDir);
    const wanting = [...pods.store.values()].filter(needsUnmount).map((pod) => pod.metadata?.name ?? "");
    for (const name of new Set([...found, ...wanting])) {
      const pod = pods.store.get(`${namespace}/${name}`);
      if (!pod || needsUnmount(pod)) await this.#unmount(name, signal);
      else await this.#adopt(name, signal);
    }
  }

  async #unmount(name: string, signal: AbortSignal): Promise<void> {
    const { placeLock, sources, placeOf, log } = this.#options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(stopMs)]);
    const place = placeOf(name);
    try {
      await placeLock.run(
        name,
        async () => {
          const users = findMount(place.source) ? mountRefs(place.source) : [];
          if (users.length > 0) {
            log.info("a mount that is to end is still in use", { place: name, targets: users.map((mount) => mount.mountPoint) });
            return;
          }
          await leaveExitMark(place);
          if (!(await sources.dismount(place, limit))) return;
          sources.forget(place);
          await cleanCredentials(place);
          log.info("volume unmounted", { place: name });
        },
        limit,
      );
    } catch (error) {
      log.warn("a mount could not be ended, it is tried again", { place: name, reason: explain(error) });
    }
  }

  async #adopt(name: string, signal: AbortSignal): Promise<void> {
    const { placeLock, sources, placeOf } = this.#options;
    await placeLock.run(name, () => sources.adopt(placeOf(name), signal), signal).catch(() => {});
  }
}

function needsUnmount(pod: Pod): boolean {
  return pod.metadata?.annotations?.[needsUnmountAnnotation] === "true";
}

/** How a daemon of the driver before this one learns that its end is wanted: it exits 0 when it finds this file. */
async function leaveExitMark(place: Place): Promise<void> {
  await writeFile(path.join(place.comm, "mount.exit"), "", { flag: "wx", mode: 0o600 }).catch(() => {});
}

async function cleanCredentials(place: Place): Promise<void> {
  try {
    await using comm = await CommDirectory.open(place.comm);
    await removeCredentialFiles(comm);
  } catch {
    // The pod's directory is gone, and the files with it.
  }
}
