// The quickstart in a cluster of its own, then in one that KUBECONFIG names, where the cluster tests run too, and its end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { busyboxImage, csiProvisionerImage, nodeImage } from "../../scripts/cluster/base-images.ts";
import { defaultImageName } from "../../scripts/image/build-image.ts";
import { kubectlFor } from "../../scripts/kubernetes/kubectl.ts";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";
import { type TemporaryFolder, temporaryFolder } from "../bed/temporary-folder.ts";

const test = suite("quickstart --cluster");
const root = path.resolve(import.meta.dirname, "../..");
let folder: TemporaryFolder;

test.before(async () => {
  folder = await temporaryFolder("tour");
});
test.after(async () => {
  // --down ends what a failed test left running before its directory goes.
  await quickstart("--down");
  await folder.remove();
});

test("a pod writes, another reads, and what it tells the user to look at is there", async () => {
  const { status, output } = await quickstart("--cluster");
  assert.is(status, 0, output);
  for (const step of ["start an S3 server in a pod", "helm upgrade --install", "StorageClass and claim", "a pod writes", "another pod reads"]) assert.match(output, `✓ ${step}`);
  assert.match(output, /cat\.jpg: OK/);
  const kubectl = await kubectlFor(path.join(folder.path, "run/kubeconfig"));
  assert.match(await kubectl(["get", "s3pa"]), /s3pa-\S+ +\S+ +pvc-.*Serving/);
  assert.match(await kubectl(["explain", "mountpoints3podattachment"]), /KIND: +MountpointS3PodAttachment/);
  assert.match(await kubectl(["-n", "kube-system", "logs", "deployment/s3-csi-controller", "-c", "s3-pod-reconciler"]), /"component":"reconciler"/);
  scanOfThisRun()?.folder(folder.path);
});

// The same cluster, but known by nothing except a kubeconfig, as kind, k3s or a cluster of a cloud would be.
const stranger = () => path.join(folder.path, "stranger.kubeconfig");
const strangerEnv = () => ({
  KUBECONFIG: stranger(),
  S3CSI_LOAD_IMAGE: `"${process.execPath}" --disable-warning=ExperimentalWarning "${path.join(root, "scripts/cluster/load.ts")}"`,
  S3CSI_BUSYBOX_IMAGE: busyboxImage,
  S3CSI_NODE_IMAGE: nodeImage,
  S3CSI_VALUES: path.join(folder.path, "values.yaml"),
});

test("a cluster that KUBECONFIG names: the tests refuse to change a release that is there", async () => {
  await copyFile(path.join(folder.path, "run/kubeconfig"), stranger());
  const [repository, tag] = csiProvisionerImage.split(":");
  await writeFile(path.join(folder.path, "values.yaml"), JSON.stringify({ node: { builtinRegistration: true }, sidecars: { csiProvisioner: { image: { repository, tag } } } }));
  const { output } = await run("test/cluster/static-provisioning.test.ts", [], strangerEnv());
  assert.match(output, /This cluster has the release s3-csi already/);
});

test("a cluster that KUBECONFIG names: the quickstart runs there", async () => {
  // By a registry, as far as the quickstart knows: nothing is built or loaded.
  const { status, output } = await quickstart("--cluster", { ...strangerEnv(), S3CSI_IMAGE: await defaultImageName() });
  assert.is(status, 0, output);
  assert.match(output, /On the cluster of KUBECONFIG=.*stranger/);
  assert.match(output, /cat\.jpg: OK/);
});

test("a cluster that KUBECONFIG names: --down takes what is the quickstart's, and leaves the cluster", async () => {
  const { status, output } = await quickstart("--down", strangerEnv());
  assert.is(status, 0, output);
  const kubectl = await kubectlFor(stranger());
  const left = await kubectl(["get", "pv,storageclass,csidriver,validatingadmissionpolicies,priorityclasses", "-o", "name"]);
  assert.equal(left.trim().split("\n"), ["priorityclass.scheduling.k8s.io/system-cluster-critical", "priorityclass.scheduling.k8s.io/system-node-critical"]);
  assert.equal((await kubectl(["get", "namespaces", "-o", "name"])).trim().split("\n"), ["namespace/default", "namespace/kube-node-lease", "namespace/kube-public", "namespace/kube-system"]);
  assert.is(await kubectl(["get", "pods,secrets", "-A", "-o", "name"]), "");
});

test("a cluster that KUBECONFIG names: a file of test/cluster runs there", async () => {
  const { status, output } = await run("test/cluster/static-provisioning.test.ts", [], strangerEnv());
  assert.is(status, 0, output);
  assert.match(output, /Total: +([1-9]\d*)\s+Passed: +\1\s/);
});

test("--down takes it all away", async () => {
  const { status, output } = await quickstart("--down");
  assert.is(status, 0, output);
  assert.not.ok(existsSync(path.join(folder.path, "run")));
});

test.run();

function quickstart(flag: string, more: Readonly<Record<string, string>> = {}): Promise<{ status: number; output: string }> {
  return run("scripts/quickstart.ts", [flag], more);
}

async function run(script: string, args: readonly string[], more: Readonly<Record<string, string>>): Promise<{ status: number; output: string }> {
  const env = { ...process.env, KUBECONFIG: "", S3CSI_CLUSTER_DIR: folder.path, NO_COLOR: "1", ...more };
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", path.join(root, script), ...args], { env, stdio: ["ignore", "pipe", "pipe"], timeout: 800_000 });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const [status] = (await once(child, "close")) as [number];
  return { status, output };
}
