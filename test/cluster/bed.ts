// What every cluster test stands on: a cluster, an S3 server under the test's control that pods can reach, and the driver as
// helm installs it. The cluster is ended only by whoever started it.
import { exposeToPods } from "../../scripts/cluster/expose-to-pods.ts";
import { clusterLayout } from "../../scripts/cluster/layout.ts";
import { buildImage } from "../../scripts/image/build-image.ts";
import { installDriver, isInstalled, release, removeDriver } from "../../scripts/kubernetes/install-driver.ts";
import { type OpenCluster, openCluster } from "../../scripts/kubernetes/open-cluster.ts";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";
import { type EmbeddedS3, startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { relayToPods } from "./relay-to-pods.ts";
import { Workspace } from "./workspace.ts";

export interface ClusterBed {
  readonly cluster: OpenCluster;
  readonly s3: EmbeddedS3;
  /** As pods reach it. */
  readonly endpointUrl: string;
  readonly image: string;
  /** The names of those that run workloads. */
  readonly nodes: readonly string[];
  /** Installs the driver, or changes its values. */
  install(values?: Readonly<Record<string, unknown>>): Promise<void>;
  /** A namespace of its own, gone with everything in it when the test is over. */
  workspace(name: string): Promise<Workspace>;
  /** Lets pods reach a port of this process, until the bed stops: the host and port they use. */
  expose(port: number): Promise<string>;
  stop(): Promise<void>;
}

export interface ClusterBedOptions {
  /** 1 by default. A foreign cluster has as many as it has. */
  readonly nodes?: 1 | 2;
}

export async function startClusterBed(signal: AbortSignal, options: ClusterBedOptions = {}): Promise<ClusterBed> {
  await using undo = new AsyncDisposableStack();
  const cluster = await openCluster({ signal });
  if (!cluster.wasThere) undo.defer(() => cluster.end());
  if (cluster.own) undo.defer(() => scanOfThisRun()?.folder(clusterLayout().run));
  if (!cluster.own) {
    if (await isInstalled(cluster.helm)) throw new Error(`This cluster has the release ${release} already, and the tests would change it: use another cluster, or uninstall it.`);
    undo.defer(() => removeDriver(cluster.kubectl, cluster.helm));
  }
  const s3 = await startEmbeddedS3();
  undo.defer(() => s3.stop());
  const exposed = undo.use(new AsyncDisposableStack());
  const expose = async (port: number) => exposed.use(await (cluster.own ? exposeToPods(port, signal) : relayToPods(cluster, port, signal))).address;
  const address = await expose(s3.port);
  // Before the images are loaded, so that each node gets them.
  const nodes = await cluster.nodes(options.nodes ?? 1);
  const image = process.env["S3CSI_IMAGE"] ?? (await loadDriver(cluster, signal));
  const bed = {
    cluster,
    s3,
    endpointUrl: `http://${address}`,
    image,
    nodes,
    expose,
    install: (values = {}) =>
      installDriver({ ...cluster, endpointUrl: `http://${address}`, credentials: s3.key, image, values: { ...cluster.values, ...values }, signal }),
    workspace: (name: string) => Workspace.create(name, { cluster, s3, node: nodes[0] }, signal),
  };
  await bed.install();
  const kept = undo.move();
  return { ...bed, stop: () => kept.disposeAsync() };
}

async function loadDriver(cluster: OpenCluster, signal: AbortSignal): Promise<string> {
  const image = await buildImage({ signal });
  await cluster.loadImage(image.file);
  return image.name;
}
