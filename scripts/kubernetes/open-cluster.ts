// The cluster to work on: the one KUBECONFIG names, or else a one-node cluster made on this machine.
import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { clusterDown } from "../cluster/cluster-down.ts";
import { clusterUp } from "../cluster/cluster-up.ts";
import { addWorker } from "../cluster/add-worker.ts";
import { busyboxImage, csiProvisionerImage, nodeImage } from "../cluster/base-images.ts";
import { importImage } from "../cluster/import-image.ts";
import { clusterLayout } from "../cluster/layout.ts";
import type { Report } from "../tools/progress.ts";
import { runTool } from "../tools/run-tool.ts";
import { type CommandLine, helmFor, kubectlFor } from "./kubectl.ts";

export interface OpenCluster {
  readonly kubeconfig: string;
  readonly kubectl: CommandLine;
  readonly helm: CommandLine;
  /** Made here, and so without a registry: its images are imported. */
  readonly own: boolean;
  /** It ran before. */
  readonly wasThere: boolean;
  readonly images: { readonly busybox: string; readonly node: string };
  /** Values the chart needs here besides the common ones. */
  readonly values: Readonly<Record<string, unknown>>;
  loadImage(archive: string): Promise<void>;
  /** Those that run workloads, by name, the same one first each time. A cluster made here gets a second one when two are wanted. */
  nodes(wanted: 1 | 2): Promise<string[]>;
  /** Ends a cluster made here; leaves anybody else's alone. */
  end(): Promise<void>;
}

export interface OpenClusterOptions {
  readonly signal?: AbortSignal;
  readonly report?: Report;
}

export async function openCluster(options: OpenClusterOptions = {}): Promise<OpenCluster> {
  const given = await givenKubeconfig();
  return given ? openGiven(given, options) : openOwn(options);
}

/** KUBECONFIG, unless it names the cluster that is made here: cluster:up says to export that. */
export async function givenKubeconfig(): Promise<string | undefined> {
  const given = process.env["KUBECONFIG"];
  if (!given) return undefined;
  const place = (file: string) => realpath(file).catch(() => path.resolve(file));
  return (await place(given)) === (await place(clusterLayout().kubeconfig)) ? undefined : given;
}

async function openOwn({ signal, report }: OpenClusterOptions): Promise<OpenCluster> {
  const cluster = await clusterUp({ signal, report });
  const kubectl = await kubectlFor(cluster.kubeconfig, signal);
  const [repository, tag] = csiProvisionerImage.split(":");
  return {
    kubeconfig: cluster.kubeconfig,
    kubectl,
    helm: await helmFor(cluster.kubeconfig, signal),
    own: true,
    wasThere: !cluster.started,
    images: { busybox: busyboxImage, node: nodeImage },
    values: { node: { builtinRegistration: true }, sidecars: { csiProvisioner: { image: { repository, tag } } } },
    loadImage: async (archive) => void (await importImage(archive, { signal })),
    nodes: async (wanted) => {
      if (wanted === 2) await addWorker(signal);
      return schedulableNodes(kubectl);
    },
    end: async () => void (await clusterDown()),
  };
}

async function openGiven(kubeconfig: string, { signal }: OpenClusterOptions): Promise<OpenCluster> {
  const kubectl = await kubectlFor(kubeconfig, signal);
  await kubectl(["get", "--raw", "/readyz"]).catch((thrown) => {
    throw new Error(`The cluster of KUBECONFIG=${kubeconfig} does not answer; without KUBECONFIG one is made on this machine. ${thrown.message}`, { cause: thrown });
  });
  const context = (await kubectl(["config", "current-context"])).trim();
  return {
    kubeconfig,
    kubectl,
    helm: await helmFor(kubeconfig, signal),
    own: false,
    wasThere: true,
    images: { busybox: process.env["S3CSI_BUSYBOX_IMAGE"] || "busybox:1.37", node: process.env["S3CSI_NODE_IMAGE"] || "node:22-slim" },
    values: await givenValues(),
    loadImage: (archive) => loadInto(context, archive, signal),
    nodes: () => schedulableNodes(kubectl),
    end: async () => {},
  };
}

async function schedulableNodes(kubectl: CommandLine): Promise<string[]> {
  const { items } = JSON.parse(await kubectl(["get", "nodes", "-o", "json"])) as { items: Node[] };
  const free = items.filter(({ spec }) => !spec.unschedulable && !spec.taints?.some(({ effect }) => effect !== "PreferNoSchedule"));
  return free.map(({ metadata }) => metadata.name).sort();
}

interface Node {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly unschedulable?: boolean; readonly taints?: readonly { readonly effect: string }[] };
}

/** What the chart needs there and we cannot know: a mirror of the sidecars' images, pull secrets, another kubelet directory. */
async function givenValues(): Promise<Readonly<Record<string, unknown>>> {
  const file = process.env["S3CSI_VALUES"];
  return file ? (parse(await readFile(file, "utf8")) ?? {}) : {};
}

/** kind, minikube and k3s take an archive, others perhaps by a command; into the rest an image comes by a registry. */
async function loadInto(context: string, archive: string, signal: AbortSignal | undefined): Promise<void> {
  const command = process.env["S3CSI_LOAD_IMAGE"];
  if (command) await runTool("sh", ["-c", `${command} "$0"`, archive], { signal });
  else if (context.startsWith("kind-")) await runTool("kind", ["load", "image-archive", archive, "--name", context.slice("kind-".length)], { signal });
  else if (context === "minikube") await runTool("minikube", ["image", "load", archive], { signal });
  else if (await readFile("/etc/rancher/k3s/k3s.yaml").then(() => true, () => false)) await runTool("k3s", ["ctr", "images", "import", archive], { signal });
  else throw new Error(`The image cannot be loaded into ${context}: push it to a registry (npm run image) and set S3CSI_IMAGE=registry/name:tag, or set S3CSI_LOAD_IMAGE to the command that loads an archive there.`);
}
