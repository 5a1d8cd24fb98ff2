// A namespace of a test's own, with the few verbs that tests need. PersistentVolumes made through it go with it.
import { randomBytes } from "node:crypto";
import { clusterLayout } from "../../scripts/cluster/layout.ts";
import type { OpenCluster } from "../../scripts/kubernetes/open-cluster.ts";
import type { CommandLine } from "../../scripts/kubernetes/kubectl.ts";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";
import type { EmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { claimFor, type PodOptions, persistentVolume, pod, type VolumeOptions } from "./manifests.ts";

export interface WorkspaceBase {
  readonly cluster: OpenCluster;
  readonly s3: EmbeddedS3;
  /** Where pods run unless told otherwise: what they share depends on the node. */
  readonly node: string | undefined;
}

export class Workspace {
  readonly namespace: string;
  readonly #cluster: OpenCluster;
  readonly #s3: EmbeddedS3;
  readonly #node: string | undefined;
  readonly #signal: AbortSignal;
  readonly #clusterObjects: string[] = [];

  private constructor(namespace: string, { cluster, s3, node }: WorkspaceBase, signal: AbortSignal) {
    this.namespace = namespace;
    this.#cluster = cluster;
    this.#s3 = s3;
    this.#node = node;
    this.#signal = signal;
  }

  static async create(name: string, base: WorkspaceBase, signal: AbortSignal): Promise<Workspace> {
    const workspace = new Workspace(`${name}-${randomBytes(3).toString("hex")}`, base, signal);
    await base.cluster.kubectl(["create", "namespace", workspace.namespace]);
    return workspace;
  }

  /** In this namespace. */
  kubectl: CommandLine = (args, options) => this.#cluster.kubectl(["-n", this.namespace, ...args], { signal: this.#signal, ...options });

  async apply(...objects: readonly object[]): Promise<void> {
    await this.kubectl(["apply", "-f", "-"], { input: JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }) });
  }

  /** A name that no other test uses, for objects outside of namespaces. */
  unique(name: string): string {
    return `${this.namespace}-${name}`;
  }

  /** Deleted with the workspace. */
  async applyGlobal(kind: string, object: { readonly metadata: { readonly name: string } }): Promise<void> {
    this.#clusterObjects.push(`${kind}/${object.metadata.name}`);
    await this.apply(object);
  }

  /** A bucket with a static volume and a claim of the same name. Returns the bucket. */
  async volume(name: string, options: VolumeOptions = {}): Promise<string> {
    const bucket = options.bucket ?? this.unique(name);
    if (options.bucket === undefined) this.#s3.createBucket(bucket);
    const volume = persistentVolume(this.unique(name), bucket, options);
    await this.applyGlobal("persistentvolume", volume);
    await this.apply(claimFor(volume, name, this.namespace));
    await this.bound(name);
    return bucket;
  }

  /** The scheduler looks at a pod with an unbound claim only every few seconds, so tests bind first. */
  async bound(claim: string): Promise<void> {
    await this.kubectl(["wait", `pvc/${claim}`, "--for=jsonpath={.status.phase}=Bound", "--timeout=60s"]);
  }

  async startPod(options: PodOptions): Promise<void> {
    await this.apply(pod(this.namespace, this.#cluster.images.busybox, { node: this.#node, ...options }));
  }

  /** Starts it and waits until its containers run. */
  async readyPod(options: PodOptions, timeoutSeconds = 60): Promise<void> {
    await this.startPod(options);
    await this.#wait(options.name, "condition=Ready", timeoutSeconds);
  }

  /** Runs a script in a pod of its own to its end; returns what it printed. */
  async runPod(options: PodOptions, timeoutSeconds = 60): Promise<string> {
    await this.startPod(options);
    await this.#wait(options.name, "jsonpath={.status.phase}=Succeeded", timeoutSeconds);
    return this.kubectl(["logs", options.name]);
  }

  exec(podName: string, script: string): Promise<string> {
    return this.kubectl(["exec", podName, "--", "sh", "-c", script]);
  }

  async deletePod(name: string): Promise<void> {
    await this.kubectl(["delete", "pod", name, "--wait", "--timeout=90s"]);
  }

  /** The Mountpoint Pod that serves a workload of this name; undefined when there is none. */
  async mountpointPodOf(podName: string): Promise<string | undefined> {
    const uid = await this.kubectl(["get", "pod", podName, "-o", "jsonpath={.metadata.uid}"]);
    const listed = JSON.parse(await this.#cluster.kubectl(["get", "s3pa", "-o", "json"])) as { items: Attachment[] };
    for (const { spec } of listed.items) {
      for (const [name, workloads] of Object.entries(spec.mountpointS3PodAttachments)) {
        if (workloads.some((workload) => workload.workloadPodUID === uid)) return name;
      }
    }
    return undefined;
  }

  async remove(): Promise<void> {
    // With a pod go its log and its directory.
    if (this.#cluster.own) scanOfThisRun()?.folder(clusterLayout().run);
    await this.#cluster.kubectl(["delete", "namespace", this.namespace, "--wait", "--timeout=120s"]);
    if (this.#clusterObjects.length > 0) await this.#cluster.kubectl(["delete", "--ignore-not-found", "--wait", "--timeout=60s", ...this.#clusterObjects]);
  }

  async #wait(podName: string, condition: string, timeoutSeconds: number): Promise<void> {
    try {
      await this.kubectl(["wait", `pod/${podName}`, `--for=${condition}`, `--timeout=${timeoutSeconds}s`]);
    } catch (thrown) {
      throw new Error(`${podName} did not get to ${condition}:\n${await this.kubectl(["describe", "pod", podName])}`, { cause: thrown });
    }
  }
}

interface Attachment {
  readonly spec: { readonly mountpointS3PodAttachments: Readonly<Record<string, readonly { readonly workloadPodUID: string }[]>> };
}
