// When each workload was scheduled and when an attachment first named it, both seen from here.
import { silentLogger } from "../../../src/core/log.ts";
import type { KubeClient } from "../../../src/kube/client.ts";
import { Informer } from "../../../src/kube/informer.ts";
import { attachments, type MountpointS3PodAttachment } from "../../../src/kube/resources.ts";

export class AttachmentClock {
  readonly #controller = new AbortController();
  readonly #running: Promise<void>;
  readonly #attachedAt = new Map<string, number>();
  readonly #scheduledAt = new Map<string, number>();

  constructor(client: KubeClient) {
    const informer = new Informer<MountpointS3PodAttachment, MountpointS3PodAttachment>({ client, log: silentLogger, resource: attachments, slim: (attachment) => attachment });
    informer.onChange(({ object }) => {
      const now = performance.now();
      for (const { workloadPodUID: uid } of Object.values(object.spec.mountpointS3PodAttachments).flat()) {
        if (!this.#attachedAt.has(uid)) this.#attachedAt.set(uid, now);
      }
    });
    this.#running = informer.run(this.#controller.signal);
  }

  /** The API server has just said that it has the pod. */
  scheduled(uid: string): void {
    this.#scheduledAt.set(uid, performance.now());
  }

  /** The latencies since the last call, sorted, once every workload is attached. */
  async all(signal: AbortSignal): Promise<number[]> {
    while ([...this.#scheduledAt.keys()].some((uid) => !this.#attachedAt.has(uid))) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const latencies = [...this.#scheduledAt].map(([uid, at]) => Math.max(0, (this.#attachedAt.get(uid) ?? 0) - at));
    this.#scheduledAt.clear();
    return latencies.sort((a, b) => a - b);
  }

  async stop(): Promise<void> {
    this.#controller.abort(new Error("bench over"));
    await this.#running;
  }
}
