// Every example of the documentation, applied as it stands; the one that is values for helm with the endpoint and the authority filled in.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse, parseAllDocuments } from "yaml";
import { buildImage, busybox } from "../../scripts/cluster/base-images.ts";
import { clusterLayout } from "../../scripts/cluster/layout.ts";
import { applySecret, driverNamespace, mountpointNamespace } from "../../scripts/kubernetes/install-driver.ts";
import { type ClusterBed, startClusterBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { claimOf, storageClass } from "./manifests.ts";
import { report } from "./report.ts";
import { type SecureS3, startSecureS3 } from "./secure-s3.ts";
import type { Workspace } from "./workspace.ts";

const test = suite("examples");
const signal = AbortSignal.timeout(1_200_000);
const folder = path.resolve(import.meta.dirname, "../../docs/examples");
const valuesFile = "private-ca.yaml";
const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml") && file !== valuesFile);
const writeAndRead = "head -c 9000000 /dev/urandom > /data/a && sha256sum /data/a > /data/sum && sha256sum -c /data/sum";
let bed: ClusterBed;
let work: Workspace;
let secure: SecureS3;

test.before(
  report(async () => {
    bed = await startClusterBed(signal);
    if (bed.cluster.own) {
      // The examples' own image name; the test cluster has no registry.
      const archive = await buildImage({ folder: clusterLayout().images, name: "docker.io/library/busybox:1.37", fill: (rootfs) => busybox(rootfs, signal), entrypoint: [], cmd: ["sh"], signal });
      await bed.cluster.loadImage(archive);
    }
    for (const name of ["example-bucket", "example-bucket-2"]) bed.s3.createBucket(name).put("reports/2026/a.txt", "hello\n");
    await applySecret(bed.cluster.kubectl, "default", "s3-keys", bed.s3.key);
  }),
);
test.after(async () => {
  await work?.remove();
  await secure?.stop();
  await bed?.stop();
});

for (const file of files) {
  test(file, async () => {
    const text = await readFile(path.join(folder, file), "utf8");
    const objects = parseAllDocuments(text).map((document) => document.toJS());
    const { kubectl } = bed.cluster;

    await kubectl(["apply", "-f", path.join(folder, file)]);
    try {
      for (const { kind, metadata } of objects) {
        if (kind === "Pod") await kubectl(["wait", `pod/${metadata.name}`, "--for=condition=Ready", "--timeout=90s"]).catch(async (thrown) => {
          throw new Error(await kubectl(["describe", "pod", metadata.name]), { cause: thrown });
        });
        if (kind === "Deployment") await kubectl(["rollout", "status", `deployment/${metadata.name}`, "--timeout=90s"]);
      }
    } finally {
      await kubectl(["delete", "-f", path.join(folder, file), "--ignore-not-found", "--wait=false"]);
    }
  });
}

test("S3 has what they wrote", () => {
  const keys = [...bed.s3.bucket("example-bucket").objects.keysFrom("")];
  for (const key of ["started-at", "reports/2026/started-at", "default/example-prefix/started-at"]) assert.ok(keys.includes(key), `${key} in ${keys}`);
});

test(`${valuesFile}: without it, the pod that waits says what is missing`, async () => {
  secure = await startSecureS3(bed, signal);
  work = await bed.workspace("private-ca");
  const bucket = work.unique("photos");
  secure.server.createBucket(bucket);
  await bed.install({ s3: { endpointUrl: secure.endpointUrl } });
  await work.volume("photos", { bucket });
  await work.startPod({ name: "untrusting", claims: { "/data": "photos" } });
  await eventually("it is told", 30, async () => /certificate of \S+ is not trusted: .*tls\.caCertData/.test(await work.kubectl(["describe", "pod", "untrusting"])));
  await work.deletePod("untrusting");
});

test(`${valuesFile}: a bucket is made, written, read and deleted through the private authority`, async () => {
  const example = parse(await readFile(path.join(folder, valuesFile), "utf8"));
  assert.match(example.s3.endpointUrl, /^https:/);
  await bed.install({ ...example, s3: { endpointUrl: secure.endpointUrl }, tls: { ...example.tls, caCertData: secure.authority } });
  // Both parts that speak with S3: the controller makes the bucket, the Mountpoint Pod reads and writes it.
  const name = work.unique("by-values");
  await work.applyGlobal("storageclass", storageClass(name, { parameters: { onDelete: "purge" } }));
  await work.apply(claimOf(name, "by-values"));
  await work.bound("by-values");
  const volume = await work.kubectl(["get", "pvc", "by-values", "-o", "jsonpath={.spec.volumeName}"]);
  const bucket = await work.kubectl(["get", "pv", volume, "-o", "jsonpath={.spec.csi.volumeAttributes.bucketName}"]);
  assert.match(await work.runPod({ name: "by-values", claims: { "/data": "by-values" }, script: writeAndRead }), /OK/);
  assert.is(secure.server.bucket(bucket).object("a").content.size, 9_000_000);
  await work.deletePod("by-values");
  await work.kubectl(["delete", "pvc", "by-values", "--wait"]);
  await eventually("the volume is deleted", 40, async () => (await work.kubectl(["get", "pv", volume, "--ignore-not-found", "-o", "name"])) === "");
});

test("tls.caCertConfigMap: the same with ConfigMaps that were there before", async () => {
  const name = work.unique("authority");
  for (const namespace of [driverNamespace, mountpointNamespace]) {
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { "ca-bundle.crt": secure.authority } };
    await bed.cluster.kubectl(["apply", "-f", "-"], { input: JSON.stringify(configMap) });
  }
  await bed.install({ s3: { endpointUrl: secure.endpointUrl }, tls: { caCertConfigMap: name } });
  assert.match(await work.runPod({ name: "by-config-map", claims: { "/data": "photos" }, script: writeAndRead }), /OK/);
  assert.is(secure.server.bucket(work.unique("photos")).object("a").content.size, 9_000_000);
  await work.deletePod("by-config-map");
  for (const namespace of [driverNamespace, mountpointNamespace]) await bed.cluster.kubectl(["-n", namespace, "delete", "configmap", name]);
});

test.run();
