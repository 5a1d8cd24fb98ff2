// What the suite runs on: two nodes, an S3 server that pods can reach, the driver, and a storage class for the suite to copy.
import { clusterDown } from "../../scripts/cluster/cluster-down.ts";
import { csiProvisionerImage } from "../../scripts/cluster/base-images.ts";
import { addWorker } from "../../scripts/cluster/add-worker.ts";
import { clusterUp } from "../../scripts/cluster/cluster-up.ts";
import { exposeToPods } from "../../scripts/cluster/expose-to-pods.ts";
import { importImage } from "../../scripts/cluster/import-image.ts";
import { buildImage } from "../../scripts/image/build-image.ts";
import { installDriver } from "../../scripts/kubernetes/install-driver.ts";
import { helmFor, kubectlFor } from "../../scripts/kubernetes/kubectl.ts";
import { startVersityGw } from "../bed/versitygw.ts";
import { buildSuiteImages } from "./suite-images.ts";

export interface Environment {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Must be the one that testdriver.yaml names. */
const storageClass = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "s3-conformance" },
  provisioner: "s3.csi.scality.com",
  // It leaves its files in the volumes it deletes.
  parameters: { onDelete: "purge" },
  // The suite deletes, overwrites, appends to and executes files, which a volume allows only when asked to.
  mountOptions: ["allow-delete", "allow-overwrite", "file-mode=0755", "semantics=extended"],
};

export async function startEnvironment(registryList: string, signal: AbortSignal): Promise<Environment> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of stops.toReversed()) await end();
  };
  try {
    const cluster = await clusterUp({ signal });
    if (cluster.started) stops.push(() => clusterDown());
    await addWorker(signal);
    const server = await startVersityGw({ signal });
    stops.push(() => server.stop());
    const exposed = await exposeToPods(Number(new URL(server.endpoint).port), signal);
    stops.push(() => exposed.stop());

    const image = await buildImage({ signal });
    const suiteImages = await buildSuiteImages(cluster.layout.images, registryList, signal);
    for (const archive of [image.file, ...suiteImages]) await importImage(archive, { signal });
    const [kubectl, helm] = await Promise.all([kubectlFor(cluster.kubeconfig, signal), helmFor(cluster.kubeconfig, signal)]);
    const [provisionerRepository, provisionerTag] = csiProvisionerImage.split(":");
    await installDriver({
      kubectl,
      helm,
      endpointUrl: `http://${exposed.address}`,
      credentials: server,
      image: image.name,
      values: {
        node: { builtinRegistration: true },
        sidecars: { csiProvisioner: { image: { repository: provisionerRepository, tag: provisionerTag } } },
      },
      signal,
    });
    await kubectl(["apply", "-f", "-"], { input: JSON.stringify(storageClass), signal });
    return { kubeconfig: cluster.kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
