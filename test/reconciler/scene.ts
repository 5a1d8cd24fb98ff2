// A cluster without machines for the reconciler's tests: the real API server, the CRD, the namespaces and classes of the chart,
// and hands to make volumes and workloads with.
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { ReconcilerSettings } from "../../generated/settings/reconciler.ts";
import { reconcilerComponent } from "../../generated/settings/reconciler.ts";
import { silentLogger } from "../../src/core/log.ts";
import { KubeClient } from "../../src/kube/client.ts";
import type { Connection } from "../../src/kube/connection.ts";
import type { KubeObject, Resource } from "../../src/kube/resource.ts";
import {
  attachments,
  customResourceDefinitions,
  type MountpointS3PodAttachment,
  namespaces,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from "../../src/kube/resources.ts";
import type { RequestObserver } from "../../src/kube/transport.ts";
import { Reconciler } from "../../src/reconciler/reconciler.ts";
import { loadSettings } from "../../src/settings/load.ts";
import { type ControlPlane, startControlPlane } from "../bed/control-plane.ts";

export const testVersion = "9.9.9";
export const mountNamespace = "mount-s3";

export interface Scene extends AsyncDisposable {
  readonly plane: ControlPlane;
  readonly client: KubeClient;
  stop(): Promise<void>;
}

export async function startScene(signal: AbortSignal, apiServerFlags: readonly string[] = []): Promise<Scene> {
  const plane = await startControlPlane({ signal, apiServerFlags });
  const client = await KubeClient.connect({ kubeconfig: plane.kubeconfig });
  const stop = async () => {
    client.close();
    await plane.stop();
  };
  try {
    await prepare(client, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { plane, client, stop, [Symbol.asyncDispose]: stop };
}

async function prepare(client: KubeClient, signal: AbortSignal): Promise<void> {
  const crd = parse(await readFile(new URL("../../crds/mountpoints3podattachments.yaml", import.meta.url), "utf8")) as KubeObject;
  await client.create(customResourceDefinitions, crd as never);
  // As the chart makes it: what is not restricted enough is refused.
  const enforced = { "pod-security.kubernetes.io/enforce": "restricted" };
  await client.create(namespaces, { metadata: { name: mountNamespace, labels: enforced } });
  for (const [name, value] of [["mount-s3-critical", 1_000_000_000], ["mount-s3-preempting", 999_999_999], ["mount-s3-headroom", -10]] as const) {
    await client.create(priorityClasses, { metadata: { name }, value });
  }
  for (;;) {
    try {
      await client.list(attachments, { limit: 1 });
      return;
    } catch {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

interface PriorityClass extends KubeObject {
  readonly value: number;
}
const priorityClasses: Resource<PriorityClass> = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", plural: "priorityclasses", namespaced: false };

export function testSettings(overrides: Partial<ReconcilerSettings> = {}): ReconcilerSettings {
  const defaults = loadSettings(reconcilerComponent, { argv: [], env: { MOUNTPOINT_IMAGE: "registry.example/driver:1" } });
  return { ...defaults, leaderElection: false, ...overrides };
}

export interface RunningReconciler {
  readonly reconciler: Reconciler;
  stop(): Promise<void>;
}

/** In this process. Stops with stop(). */
export function startReconciler(
  plane: ControlPlane,
  overrides: Partial<ReconcilerSettings> = {},
  options: { readonly version?: string; readonly observe?: RequestObserver; readonly connection?: Connection; readonly now?: () => number } = {},
): RunningReconciler {
  const client = new KubeClient(options.connection ?? adminConnection(plane), options.observe);
  const controller = new AbortController();
  const reconciler = new Reconciler({
    client,
    log: silentLogger,
    settings: testSettings(overrides),
    driverVersion: options.version ?? testVersion,
    openShift: false,
    ...(options.now ? { now: options.now } : {}),
  });
  const running = reconciler.run(controller.signal);
  return {
    reconciler,
    async stop() {
      controller.abort(new Error("test over"));
      await running;
      client.close();
    },
  };
}

export function adminConnection(plane: ControlPlane): Connection {
  const { ca, cert, key } = plane.admin;
  return { server: new URL(plane.url), tls: { ca, cert, key }, headers: async () => ({}) };
}

export interface VolumeOptions {
  readonly mountOptions?: readonly string[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly claim?: string;
  readonly driver?: string;
  /** The pod that the claim belongs to, when it is a generic ephemeral volume's. */
  readonly owner?: { readonly name: string; readonly uid: string };
}

/** A volume of ours with a claim of the same name, bound to each other as the binder would do it. */
export async function makeVolume(client: KubeClient, name: string, options: VolumeOptions = {}): Promise<void> {
  const namespace = options.namespace ?? "default";
  const claim = options.claim ?? name;
  const common = { accessModes: ["ReadWriteMany"], storageClassName: "" };
  await client.create(persistentVolumes, {
    metadata: { name },
    spec: {
      ...common,
      capacity: { storage: "1Gi" },
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name: claim, namespace },
      mountOptions: [...(options.mountOptions ?? [])],
      csi: { driver: options.driver ?? "s3.csi.scality.com", volumeHandle: `handle-${name}`.slice(0, 200), volumeAttributes: { bucketName: "bucket", ...options.attributes } },
    },
  });
  const owner = options.owner && [{ apiVersion: "v1", kind: "Pod", controller: true, blockOwnerDeletion: true, ...options.owner }];
  await client.create(persistentVolumeClaims, {
    metadata: { name: claim, namespace, ...(owner ? { ownerReferences: owner } : {}) },
    spec: { ...common, volumeName: name, resources: { requests: { storage: "1Gi" } } },
  });
  await client.patch(persistentVolumeClaims, { name: claim, namespace }, { status: { phase: "Bound" } }, { subresource: "status" });
}

export interface WorkloadOptions {
  readonly claims?: readonly string[];
  /** Names of generic ephemeral volumes. */
  readonly ephemeral?: readonly string[];
  readonly node?: string;
  readonly fsGroup?: number;
  readonly namespace?: string;
  readonly gates?: readonly string[];
}

export async function makeWorkload(client: KubeClient, name: string, options: WorkloadOptions = {}): Promise<Pod> {
  const template = { spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "1Gi" } } } };
  return client.create(pods, {
    metadata: { name, namespace: options.namespace ?? "default" },
    spec: {
      ...(options.node ? { nodeName: options.node } : {}),
      ...(options.fsGroup === undefined ? {} : { securityContext: { fsGroup: options.fsGroup } }),
      ...(options.gates ? { schedulingGates: options.gates.map((gate) => ({ name: gate })) } : {}),
      terminationGracePeriodSeconds: 30,
      containers: [{ name: "app", image: "app" }],
      volumes: [
        ...(options.claims ?? []).map((claimName, index) => ({ name: `v${index}`, persistentVolumeClaim: { claimName } })),
        ...(options.ephemeral ?? []).map((volume) => ({ name: volume, ephemeral: { volumeClaimTemplate: template } })),
      ],
    },
  });
}

export async function setPhase(client: KubeClient, name: string, phase: string, namespace = "default", more: object = {}): Promise<void> {
  await client.patch(pods, { name, namespace }, { status: { phase, ...more } }, { subresource: "status" });
}

/** As the kubelet does in the end. */
export async function forceDelete(client: KubeClient, name: string, namespace = "default"): Promise<void> {
  await client.delete(pods, { name, namespace }, { gracePeriodSeconds: 0 });
}

export async function listAttachments(client: KubeClient): Promise<MountpointS3PodAttachment[]> {
  return (await client.list(attachments)).items;
}

export async function listMountpointPods(client: KubeClient): Promise<Pod[]> {
  return (await client.list(pods, { namespace: mountNamespace })).items;
}

/** Asks again until it holds; the last failure is what the test reports. */
export async function eventually<T>(check: () => Promise<T>, limitMs = 30_000): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
