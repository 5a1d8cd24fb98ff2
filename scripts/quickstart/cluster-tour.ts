// The same volume in a real Kubernetes: one pod writes, another reads, and nobody but the driver knows that it is S3.
import { buildImage } from "../image/build-image.ts";
import { driverNamespace, installDriver, isInstalled, mountpointNamespace, release, removeDriver } from "../kubernetes/install-driver.ts";
import { givenKubeconfig, type OpenCluster, openCluster } from "../kubernetes/open-cluster.ts";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { clusterDown } from "../cluster/cluster-down.ts";
import { clusterLayout } from "../cluster/layout.ts";
import type { CommandLine } from "../kubernetes/kubectl.ts";
import { toolsCache } from "../tools/ensure-tool.ts";
import type { TourOptions } from "./process-tour.ts";
import { deployS3 } from "./s3-in-cluster.ts";
import type { Screen } from "./screen.ts";
import { tourManifests } from "./tour-manifests.ts";

const namespace = "s3-quickstart";

export async function clusterTour({ screen, signal }: TourOptions): Promise<void> {
  const began = performance.now();
  screen.title("A bucket as a volume: the S3 CSI driver in Kubernetes");
  announce(screen, await givenKubeconfig());
  const cluster = await openCluster({ signal, report: (line) => screen.text(line) });
  const { kubectl, helm } = cluster;
  if (!cluster.own) await refuseOthersRelease(kubectl, helm);
  screen.text("");
  const image = await screen.step("build and load the driver's image", () => driverImage(cluster, signal), (name) => name);
  await kubectl(["apply", "-f", "-"], { input: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }) });
  const s3 = await screen.step("start an S3 server in a pod", () => deployS3(kubectl, namespace, cluster.images.node), (server) => server.endpointUrl);
  await screen.step("helm upgrade --install s3-csi chart/", () =>
    installDriver({ kubectl, helm, endpointUrl: s3.endpointUrl, credentials: s3, image, values: cluster.values, signal }),
  );
  const manifests = tourManifests(namespace, cluster.images.busybox);
  const apply = (object: unknown) => kubectl(["apply", "-f", "-"], { input: JSON.stringify(object) });
  await screen.step("StorageClass and claim", async () => {
    await apply(manifests.storageClass);
    await apply(manifests.claim);
    await kubectl(["-n", namespace, "wait", "pvc/photos", "--for=jsonpath={.status.phase}=Bound", "--timeout=60s"]);
  }, () => "a bucket of its own, made by the provisioner");
  const runPod = async (name: "writer" | "reader", until: string) => {
    await kubectl(["-n", namespace, "delete", "pod", name, "--ignore-not-found", "--wait"]);
    await apply(manifests[name]);
    await kubectl(["-n", namespace, "wait", `pod/${name}`, `--for=${until}`, "--timeout=120s"]).catch(async (thrown) => {
      throw new Error(`the pod ${name} did not get there:\n${await kubectl(["-n", namespace, "describe", "pod", name])}`, { cause: thrown });
    });
  };
  await screen.step("a pod writes", () => runPod("writer", "jsonpath={.status.phase}=Succeeded"));
  await screen.step("another pod reads", () => runPod("reader", "condition=Ready"));
  screen.command(`kubectl -n ${namespace} logs reader`, await kubectl(["-n", namespace, "logs", "reader"]), 0);
  screen.text(`\nDone in ${((performance.now() - began) / 1000).toFixed(0)} s; everything stays. Look around:
  ${cluster.own ? `export KUBECONFIG=${cluster.kubeconfig}\n  ` : ""}kubectl get s3pa                                   # which Mountpoint Pod serves which workload
  kubectl explain mountpoints3podattachment          # what its fields mean
  kubectl -n ${mountpointNamespace} get pods
  kubectl -n ${driverNamespace} logs deployment/s3-csi-controller -c s3-pod-reconciler
  kubectl -n ${driverNamespace} logs daemonset/s3-csi-node -c s3-plugin
  kubectl -n ${namespace} get pvc,pods

npm run quickstart -- --down takes it away.\n`);
}

/** Ends our own cluster whole; takes only our things from another's. */
export async function takeClusterTourDown(screen: Screen, signal: AbortSignal): Promise<void> {
  if (await givenKubeconfig()) {
    const cluster = await openCluster({ signal, report: () => {} });
    if (await isTourThere(cluster.kubectl)) await screen.step("take the quickstart away", () => takeFrom(cluster, signal));
    else screen.text("Nothing is left of a quickstart.");
  } else if (existsSync(clusterLayout().kubeconfig)) await screen.step("take the quickstart away", () => clusterDown({ signal }));
  else screen.text("Nothing is left of a quickstart.");
}

/** The volume first: its bucket is deleted by the driver, from the S3 server that goes with the namespace. */
async function takeFrom({ kubectl, helm }: OpenCluster, signal: AbortSignal): Promise<void> {
  await kubectl(["-n", namespace, "delete", "pods", "writer", "reader", "--ignore-not-found", "--wait", "--timeout=90s"]);
  const volume = await kubectl(["-n", namespace, "get", "pvc", "photos", "--ignore-not-found", "-o", "jsonpath={.spec.volumeName}"]);
  await kubectl(["-n", namespace, "delete", "pvc", "photos", "--ignore-not-found", "--wait"]);
  if (volume) await kubectl(["wait", `pv/${volume}`, "--for=delete", "--timeout=60s"]);
  await kubectl(["wait", "pods", "--all", "-n", mountpointNamespace, "--for=delete", "--timeout=60s"]);
  await removeDriver(kubectl, helm, signal);
  await kubectl(["delete", "storageclass", "s3-quickstart", "--ignore-not-found"]);
  await kubectl(["delete", "namespace", namespace, "--wait"]);
}

async function isTourThere(kubectl: CommandLine): Promise<boolean> {
  return (await kubectl(["get", "namespace", namespace, "--ignore-not-found", "-o", "name"])) !== "";
}

async function refuseOthersRelease(kubectl: CommandLine, helm: CommandLine): Promise<void> {
  if (!(await isTourThere(kubectl)) && (await isInstalled(helm)))
    throw new Error(`This cluster has the release ${release} already, in ${driverNamespace}, and the quickstart would change it: use another cluster.`);
}

function announce(screen: Screen, given: string | undefined): void {
  const common = path.join(os.homedir(), ".kube/config");
  if (!given && existsSync(common)) screen.text(`For the cluster of ${common}: KUBECONFIG=${common} npm run quickstart -- --cluster\n`);
  if (given) screen.text(`On the cluster of KUBECONFIG=${given}.\n`);
  else if (!existsSync(toolsCache())) {
    screen.text("There is no KUBECONFIG, so a real one-node Kubernetes is made on this machine, from source:\nabout 10 minutes the first time on two cores, 20 seconds after that.\n");
  } else screen.text("There is no KUBECONFIG, so a real one-node Kubernetes is made on this machine.\n");
}

async function driverImage(cluster: OpenCluster, signal: AbortSignal): Promise<string> {
  const pushed = process.env["S3CSI_IMAGE"];
  if (pushed) return pushed;
  const image = await buildImage({ signal });
  await cluster.loadImage(image.file);
  return image.name;
}
