// The Mounter of Kubernetes: daemons are Mountpoint Pods, made and deleted by the reconciler. This side watches the attachments
// and the Mountpoint Pods of its own node, waits on them without polling, and unmounts what is no longer wanted.
import path from "node:path";
import { DriverError } from "../../../core/errors.ts";
import type { KeyedLock } from "../../../core/keyed-lock.ts";
import type { Logger } from "../../../core/log.ts";
import type { Informer } from "../../../kube/informer.ts";
import type { MountpointS3PodAttachment, Pod } from "../../../kube/resources.ts";
import { appeared } from "../../../linux/appearance.ts";
import { daemonSocket } from "../daemon.ts";
import type { Mounter, Place, Volume } from "../mounter.ts";
import type { SourceMounts } from "../source-mounts.ts";
import { findAssignment, whyNotAssigned } from "./assignment.ts";
import { hasEnded, isRunning, whyNotRunning } from "./explain-pod.ts";
import { Unmounter } from "./unmounter.ts";

export interface PodMounterOptions {
  readonly nodeName: string;
  readonly namespace: string;
  readonly kubeletPath: string;
  readonly mountDir: string;
  readonly scanIntervalMs: number;
  /** The Mountpoint Pods of this node. */
  readonly pods: Informer<Pod, Pod>;
  /** The attachments of this node. */
  readonly attachments: Informer<MountpointS3PodAttachment, MountpointS3PodAttachment>;
  readonly placeLock: KeyedLock;
  readonly log: Logger;
}

/** Where a Mountpoint Pod sees its comm directory. */
const commInside = "/comm";

export class PodMounter implements Mounter {
  readonly #options: PodMounterOptions;
  #sources: SourceMounts | undefined;
  #vacated: ((name: string) => void) | undefined;

  constructor(options: PodMounterOptions) {
    this.#options = options;
  }

  use(sources: SourceMounts): void {
    this.#sources = sources;
  }

  async place(volume: Volume, signal: AbortSignal): Promise<Place> {
    const { attachments, pods, nodeName } = this.#options;
    if (!volume.podUid || !volume.volumeName) {
      throw new DriverError("InvalidArgument", "Target path is not one of kubelet's (pods/<uid>/volumes/kubernetes.io~csi/<volume>/mount)");
    }
    const { mountpointPod } = await attachments
      .until((store) => findAssignment(store.values(), nodeName, volume), signal)
      .catch((error) => {
        throw waitedInVain(error, whyNotAssigned(attachments.store.values(), nodeName, volume));
      });
    const uid = await pods
      .until((store) => store.get(this.#key(mountpointPod))?.metadata?.uid, signal)
      .catch((error) => {
        throw waitedInVain(error, `Mountpoint Pod ${mountpointPod} is not ready: ${whyNotRunning(undefined)}`);
      });
    return this.#placeOf(mountpointPod, uid);
  }

  /** The pod runs, or its daemon has made its socket: kubelet tells the API server of a running pod up to a second or two later. */
  async start(place: Place, signal: AbortSignal): Promise<void> {
    const { pods } = this.#options;
    const look = () => pods.store.get(this.#key(place.name));
    const over = new AbortController();
    const limit = AbortSignal.any([signal, over.signal]);
    const told = pods.until(() => (isRunning(look()) || hasEnded(look()) || this.#isAnother(look(), place) ? look() : undefined), limit);
    const seen = appeared(path.join(place.comm, daemonSocket), limit);
    seen.catch(() => {});
    told.catch(() => {});
    try {
      const pod = await Promise.race([told, seen]);
      if (pod) this.#requireSame(pod, place);
      if (pod && hasEnded(pod))
        throw new DriverError("Unavailable", `Mountpoint Pod ${place.name} is not ready: ${whyNotRunning(pod)}`, { retryable: true });
    } catch (error) {
      if (error instanceof DriverError) throw error;
      throw waitedInVain(error, `Mountpoint Pod ${place.name} is not ready: ${whyNotRunning(look())}`);
    } finally {
      over.abort();
    }
  }

  requireAlive(place: Place): void {
    const pod = this.#options.pods.store.get(this.#key(place.name));
    this.#requireSame(pod, place);
    if (pod && !hasEnded(pod)) return;
    throw new DriverError("Unavailable", `Mountpoint Pod ${place.name} is not ready: ${whyNotRunning(pod)}`, { retryable: true });
  }

  placeOf(source: string): Place | undefined {
    if (path.dirname(source) !== this.#options.mountDir) return undefined;
    const name = path.basename(source);
    return this.#placeOf(name, this.#options.pods.store.get(this.#key(name))?.metadata?.uid ?? "gone");
  }

  whyNotAnswering(place: Place): string | undefined {
    return whyNotRunning(this.#options.pods.store.get(this.#key(place.name)));
  }

  /** The reconciler decides when a Mountpoint Pod is no longer needed (unmounter.ts), often before its last workload has left. */
  async vacated(place: Place): Promise<void> {
    this.#vacated?.(place.name);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!this.#sources) throw new TypeError("use() comes first");
    const { pods, mountDir, scanIntervalMs, placeLock, log, namespace } = this.#options;
    const placeOf = (name: string) => this.placeOf(path.join(mountDir, name)) as Place;
    const unmounter = new Unmounter({ pods, namespace, mountDir, scanIntervalMs, placeLock, log, sources: this.#sources, placeOf });
    // Not waited for: the caller holds the place's lock.
    this.#vacated = (name) => unmounter.vacated(name, signal);
    await unmounter.run(signal);
  }

  close(): void {}

  /** One that was lost is made anew under the same name, with another comm directory: who waits at the old one waits in vain. */
  #isAnother(pod: Pod | undefined, place: Place): boolean {
    const uid = pod?.metadata?.uid;
    return uid !== undefined && this.#placeOf(place.name, uid).comm !== place.comm;
  }

  #requireSame(pod: Pod | undefined, place: Place): void {
    if (this.#isAnother(pod, place)) throw new DriverError("Unavailable", `Mountpoint Pod ${place.name} was replaced meanwhile`, { retryable: true });
  }

  #key(name: string): string {
    return `${this.#options.namespace}/${name}`;
  }

  #placeOf(name: string, uid: string): Place {
    const { kubeletPath, mountDir } = this.#options;
    const emptyDir = (volume: string) => path.join(kubeletPath, "pods", uid, "volumes", "kubernetes.io~empty-dir", volume);
    return { name, source: path.join(mountDir, name), comm: emptyDir("comm"), commInside, cache: emptyDir("cache") };
  }
}

function waitedInVain(thrown: unknown, what: string): DriverError {
  const timedOut = thrown instanceof Error && thrown.name === "TimeoutError";
  return new DriverError(timedOut ? "DeadlineExceeded" : "Cancelled", what, { retryable: true });
}
