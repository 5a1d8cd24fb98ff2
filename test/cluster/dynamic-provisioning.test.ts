// A claim becomes a bucket (or a prefix of one), with every way to give credentials, and goes as its reclaim policy says.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { applySecret } from "../../scripts/kubernetes/install-driver.ts";
import { type ClusterBed, startClusterBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { claimOf, storageClass } from "./manifests.ts";
import { report } from "./report.ts";
import type { Workspace } from "./workspace.ts";

const test = suite("dynamic provisioning");
const signal = AbortSignal.timeout(900_000);
let bed: ClusterBed;
let work: Workspace;

test.before(
  report(async () => {
    bed = await startClusterBed(signal);
    work = await bed.workspace("dynamic");
  }),
);
test.after(async () => {
  await work?.remove();
  await bed?.stop();
});

interface Provisioned {
  readonly volume: string;
  readonly bucket: string;
  readonly attributes: Readonly<Record<string, string>>;
}

async function provision(claim: string, options: Parameters<typeof storageClass>[1] = {}): Promise<Provisioned> {
  const name = work.unique(claim);
  await work.applyGlobal("storageclass", storageClass(name, options));
  await work.apply(claimOf(name, claim));
  await work.bound(claim);
  return provisioned(claim);
}

async function provisioned(claim: string): Promise<Provisioned> {
  const volume = await work.kubectl(["get", "pvc", claim, "-o", "jsonpath={.spec.volumeName}"]);
  const { spec } = JSON.parse(await work.kubectl(["get", "pv", volume, "-o", "json"]));
  return { volume, bucket: spec.csi.volumeAttributes.bucketName, attributes: spec.csi.volumeAttributes };
}

const hasBucket = (name: string) => {
  try {
    return Boolean(bed.s3.bucket(name));
  } catch {
    return false;
  }
};
const volumeGone = (name: string) => eventually(`${name} is deleted`, 40, async () => (await work.kubectl(["get", "pv", name, "--ignore-not-found", "-o", "name"])) === "");

test("a claim gets a bucket of its own, pods write and read it, and an emptied one goes with the claim", async () => {
  const { volume, bucket } = await provision("plain");
  assert.match(bucket, /^csi-s3-pvc-/);
  await work.runPod({ name: "plain-writer", claims: { "/data": "plain" }, script: "echo one > /data/a && mkdir /data/d && echo two > /data/d/b" });
  assert.match(await work.runPod({ name: "plain-reader", claims: { "/data": "plain" }, script: "cat /data/a /data/d/b && rm /data/a /data/d/b" }), /one\ntwo/);
  await work.kubectl(["delete", "pod", "plain-writer", "plain-reader", "--wait"]);
  await work.kubectl(["delete", "pvc", "plain", "--wait"]);
  await volumeGone(volume);
  assert.not.ok(hasBucket(bucket));
});

test("reclaim Delete: a bucket with data is kept, and the volume's event says why", async () => {
  const { volume, bucket } = await provision("full");
  bed.s3.bucket(bucket).put("precious", "data");
  await work.kubectl(["delete", "pvc", "full", "--wait"]);
  await eventually("the event says so", 40, async () => (await work.kubectl(["describe", "pv", volume])).includes("is not empty"));
  assert.ok(hasBucket(bucket));
  bed.s3.bucket(bucket).objects.delete("precious");
  await volumeGone(volume);
});

test("onDelete purge: the bucket goes with its data", async () => {
  const { volume, bucket } = await provision("purge", { parameters: { onDelete: "purge" } });
  bed.s3.bucket(bucket).put("a/b/c", "data");
  await work.kubectl(["delete", "pvc", "purge", "--wait"]);
  await volumeGone(volume);
  assert.not.ok(hasBucket(bucket));
});

test("reclaim Retain: the volume and the bucket stay", async () => {
  const { volume, bucket } = await provision("retain", { reclaimPolicy: "Retain" });
  await work.kubectl(["delete", "pvc", "retain", "--wait"]);
  await eventually("the volume is Released", 20, async () => (await work.kubectl(["get", "pv", volume, "-o", "jsonpath={.status.phase}"])) === "Released");
  assert.ok(hasBucket(bucket));
  await work.kubectl(["delete", "pv", volume, "--wait"]);
});

test("one bucket, a prefix for each claim: neither sees the other", async () => {
  const bucket = work.unique("shared");
  bed.s3.createBucket(bucket);
  const parameters = { bucket, prefix: "${pvc.namespace}/${pvc.name}" };
  const one = await provision("one", { parameters });
  await provision("two", { parameters });
  assert.is(one.attributes["prefix"], `${work.namespace}/one/`);
  await work.runPod({ name: "in-one", claims: { "/data": "one" }, script: "echo secret > /data/mine" });
  assert.is((await work.runPod({ name: "in-two", claims: { "/data": "two" }, script: "ls /data" })).trim(), "");
  assert.equal([...bed.s3.bucket(bucket).objects.keysFrom(`${work.namespace}/one/mine`)].slice(0, 1), [`${work.namespace}/one/mine`]);
});

test("WaitForFirstConsumer: provisioned when a pod needs it", async () => {
  const name = work.unique("wait");
  await work.applyGlobal("storageclass", storageClass(name, { bindingMode: "WaitForFirstConsumer", parameters: { onDelete: "purge" } }));
  await work.apply(claimOf(name, "wait"));
  await work.runPod({ name: "first-consumer", claims: { "/data": "wait" }, script: "echo hi > /data/x && cat /data/x" });
  assert.match((await provisioned("wait")).bucket, /^csi-s3-/);
});

test("generic ephemeral volume: made with the pod, gone with it", async () => {
  const name = work.unique("scratch");
  await work.applyGlobal("storageclass", storageClass(name, { parameters: { onDelete: "purge" } }));
  const volumes = [{ name: "scratch", ephemeral: { volumeClaimTemplate: { spec: claimOf(name, "scratch").spec } } }];
  const container = { name: "main", image: bed.cluster.images.busybox, command: ["sh", "-c", "echo x > /scratch/x && sleep 100000"], volumeMounts: [{ name: "scratch", mountPath: "/scratch" }] };
  await work.readyPod({ name: "ephemeral", claims: {}, spec: { volumes, containers: [container] } });
  const { volume, bucket } = await provisioned("ephemeral-scratch");
  await eventually("the file is in the bucket", 10, async () => bed.s3.bucket(bucket).objects.get("x"));
  await work.deletePod("ephemeral");
  await volumeGone(volume);
  assert.not.ok(hasBucket(bucket));
});

const secretKeys = {
  "csi.storage.k8s.io/provisioner-secret-namespace": "${pvc.namespace}",
  "csi.storage.k8s.io/node-publish-secret-namespace": "${pvc.namespace}",
};
for (const [title, secretName, templates] of [
  ["a fixed name in the claim's namespace", () => "team-keys", { provisioner: "team-keys", publish: "team-keys" }],
  ["named after the claim", (claim: string) => claim, { provisioner: "${pvc.name}", publish: "${pvc.name}" }],
  ["named by the claim's annotation", () => "annotated", { provisioner: "annotated", publish: "${pvc.annotations['example.com/keys']}" }],
] as const) {
  test(`secrets of the tenant: ${title}`, async () => {
    const claim = `tenant-${templates.publish.replaceAll(/[^a-z]/g, "").slice(0, 20)}`;
    const { account, key } = bed.s3.accounts.create(work.unique(claim));
    await applySecret(bed.cluster.kubectl, work.namespace, secretName(claim), key);
    const name = work.unique(claim);
    const parameters = {
      ...secretKeys,
      "csi.storage.k8s.io/provisioner-secret-name": templates.provisioner,
      "csi.storage.k8s.io/node-publish-secret-name": templates.publish,
      onDelete: "purge",
    };
    await work.applyGlobal("storageclass", storageClass(name, { parameters }));
    const wanted = claimOf(name, claim);
    await work.apply({ ...wanted, metadata: { ...wanted.metadata, annotations: { "example.com/keys": "annotated" } } });
    await work.bound(claim);
    const { bucket, attributes } = await provisioned(claim);
    assert.is(attributes["authenticationSource"], "secret");
    assert.is(bed.s3.bucket(bucket).owner.id, account.id);
    await work.runPod({ name: `${claim}-pod`, claims: { "/data": claim }, script: "echo mine > /data/x && cat /data/x" });
    assert.ok(bed.s3.bucket(bucket).objects.get("x"));
  });
}

test("an account can't reach another's bucket, and the pod's events say so", async () => {
  const { account } = bed.s3.accounts.create(work.unique("owner"));
  const { key: strangerKey } = bed.s3.accounts.create(work.unique("stranger"));
  const bucket = work.unique("private");
  bed.s3.createBucket(bucket, account);
  await applySecret(bed.cluster.kubectl, work.namespace, "stranger", strangerKey);
  await work.volume("private", { bucket, attributes: { authenticationSource: "secret" }, secret: { name: "stranger", namespace: work.namespace } });
  await work.startPod({ name: "stranger", claims: { "/data": "private" } });
  await eventually("access denied is told", 30, async () => /access denied/i.test(await work.kubectl(["describe", "pod", "stranger"])));
});

test.run();
