// Plays scheduler, kubelet and node service as far as the reconciler can see them: Mountpoint Pods get their node and run;
// with needs-unmount they end; pods that are deleted go; workloads run once they are attached to a Mountpoint Pod that runs.
import { hasCode } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import type { KubeClient } from "../../src/kube/client.ts";
import { Informer } from "../../src/kube/informer.ts";
import { attachments, type MountpointS3PodAttachment, type Pod, pods } from "../../src/kube/resources.ts";
import { runWorkers } from "../../src/runtime/runner.ts";
import { WorkQueue } from "../../src/runtime/work-queue.ts";
import { mountNamespace } from "./scene.ts";

export class NodeActor {
  readonly #client: KubeClient;
  readonly #controller = new AbortController();
  readonly #pods: Informer<Pod, Pod>;
  readonly #attachments: Informer<MountpointS3PodAttachment, MountpointS3PodAttachment>;
  readonly #queue = new WorkQueue({ maxMs: 500 });
  readonly #running: Promise<unknown>;
  readonly #lost = new Set<string>();

  constructor(client: KubeClient, options: { readonly workers?: number } = {}) {
    this.#client = client;
    const log = silentLogger;
    this.#pods = new Informer<Pod, Pod>({ client, log, resource: pods, slim: slim });
    this.#attachments = new Informer<MountpointS3PodAttachment, MountpointS3PodAttachment>({
      client,
      log,
      resource: attachments,
      slim: (attachment) => attachment,
      indexes: {
        uid: (attachment) => Object.values(attachment.spec.mountpointS3PodAttachments).flat().map((entry) => entry.workloadPodUID),
        pod: (attachment) => Object.keys(attachment.spec.mountpointS3PodAttachments),
      },
    });
    const byUid = new Map<string, string>();
    this.#pods.onChange(({ key, object, type }) => {
      byUid.set(object.metadata?.uid ?? "", key);
      if (type === "deleted") byUid.delete(object.metadata?.uid ?? "");
      else this.#queue.add(key);
      if (object.metadata?.namespace === mountNamespace) {
        if (type === "deleted") this.#lost.add(object.metadata.name ?? "");
        for (const uid of this.#servedBy(object.metadata.name ?? "")) this.#queue.add(byUid.get(uid) ?? "");
      }
    });
    this.#attachments.onChange(({ object }) => {
      for (const { workloadPodUID } of Object.values(object.spec.mountpointS3PodAttachments).flat()) this.#queue.add(byUid.get(workloadPodUID) ?? "");
    });
    const signal = this.#controller.signal;
    this.#running = Promise.all([
      this.#pods.run(signal),
      this.#attachments.run(signal),
      runWorkers({ queue: this.#queue, concurrency: options.workers ?? 4, log, reconcile: (key) => this.#act(key) }, signal),
    ]);
  }

  readonly wasLost = (mountpointPod: string): boolean => this.#lost.has(mountpointPod);

  async stop(): Promise<void> {
    this.#controller.abort(new Error("test over"));
    this.#queue.clear();
    await this.#running;
  }

  #servedBy(pod: string): string[] {
    return this.#attachments.store.by("pod", pod).flatMap((attachment) => attachment.spec.mountpointS3PodAttachments[pod] ?? []).map((entry) => entry.workloadPodUID);
  }

  async #act(key: string): Promise<Record<string, never>> {
    const pod = this.#pods.store.get(key);
    if (!pod?.metadata) return {};
    try {
      if (pod.metadata.deletionTimestamp) await this.#finish(pod);
      else if (pod.metadata.namespace === mountNamespace) await this.#playMountpoint(pod);
      else await this.#playWorkload(pod);
    } catch (error) {
      if (!hasCode(error, "NotFound", "Conflict")) throw error;
      // The watch brings what we did not know yet.
    }
    return {};
  }

  /** The kubelet gives a pod its last phase, then lets go of it. */
  async #finish(pod: Pod): Promise<void> {
    if (pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed") return this.#setPhase(pod, "Succeeded");
    await this.#client.delete(pods, ref(pod), { gracePeriodSeconds: 0, uid: pod.metadata?.uid });
  }

  async #playMountpoint(pod: Pod): Promise<void> {
    if (!pod.spec?.nodeName) return this.#bind(pod);
    if (!pod.status?.phase || pod.status.phase === "Pending") await this.#setPhase(pod, "Running", ready);
    else if (pod.status.phase === "Running" && pod.metadata?.annotations?.["s3.csi.scality.com/needs-unmount"] === "true") await this.#setPhase(pod, "Succeeded");
  }

  async #playWorkload(pod: Pod): Promise<void> {
    if (pod.status?.phase !== "Pending" || !pod.spec?.nodeName) return;
    const volumes = pod.spec.volumes?.filter((volume) => volume.persistentVolumeClaim || volume.ephemeral).length ?? 0;
    const uid = pod.metadata?.uid ?? "";
    const mounted = new Set<string>();
    for (const { spec } of this.#attachments.store.by("uid", uid)) {
      for (const [name, list] of Object.entries(spec.mountpointS3PodAttachments)) {
        const serves = this.#pods.store.get(`${mountNamespace}/${name}`)?.status?.phase === "Running";
        if (serves && list.some((entry) => entry.workloadPodUID === uid)) mounted.add(spec.persistentVolumeName);
      }
    }
    if (volumes > 0 && mounted.size >= volumes) await this.#setPhase(pod, "Running");
  }

  async #bind(pod: Pod): Promise<void> {
    const term = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0];
    const target = { apiVersion: "v1", kind: "Node", name: term?.matchFields?.[0]?.values?.[0] ?? "node" };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: pod.metadata ? { name: pod.metadata.name, namespace: pod.metadata.namespace } : {}, target };
    await this.#client.create(pods, binding as never, { subresource: "binding" });
  }

  async #setPhase(pod: Pod, phase: string, more: object = {}): Promise<void> {
    // With its version: a pod that has ended meanwhile must not come back to life.
    const { uid, resourceVersion } = pod.metadata ?? {};
    await this.#client.patch(pods, ref(pod), { metadata: { uid, resourceVersion }, status: { phase, ...more } }, { subresource: "status" });
  }
}

const ready = { conditions: [{ type: "Ready", status: "True" }], containerStatuses: [{ name: "mountpoint", image: "i", imageID: "i", ready: true, restartCount: 0, state: { running: {} } }] };

function ref(pod: Pod) {
  return { name: pod.metadata?.name ?? "", namespace: pod.metadata?.namespace ?? "" };
}

function slim(pod: Pod): Pod | undefined {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, annotations } = pod.metadata ?? {};
  const { nodeName, affinity, volumes } = pod.spec ?? {};
  if (namespace !== mountNamespace && !volumes?.some((volume) => volume.persistentVolumeClaim || volume.ephemeral)) return undefined;
  return {
    metadata: { name, namespace, uid, resourceVersion, ...(deletionTimestamp ? { deletionTimestamp } : {}), ...(annotations ? { annotations } : {}) },
    spec: { containers: [], nodeName, affinity, volumes },
    status: { phase: pod.status?.phase },
  } as Pod;
}
