// A pre-existing bucket as a PersistentVolume: every phase and step of the documented table, in its order.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nodeExec } from "../../scripts/cluster/node-exec.ts";
import { mountpointNamespace } from "../../scripts/kubernetes/install-driver.ts";
import { type ClusterBed, startClusterBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { claimFor, persistentVolume } from "./manifests.ts";
import { report } from "./report.ts";
import type { Workspace } from "./workspace.ts";

const test = suite("static provisioning");
const signal = AbortSignal.timeout(600_000);
let bed: ClusterBed;
let work: Workspace;
let name: string;
let mountpointPod: string;

test.before(
  report(async () => {
    bed = await startClusterBed(signal);
    work = await bed.workspace("static");
    name = work.unique("photos");
    bed.s3.createBucket(name).put("old.txt", "was there before\n");
  }),
);
test.after(async () => {
  await work?.remove();
  await bed?.stop();
});

const volume = () => persistentVolume(name, name, {});
const phaseOf = (kind: string, of: string) => work.kubectl(["get", kind, of, "-o", "jsonpath={.status.phase}"]);

test("1.1-1.2 the PV is created and becomes Available", async () => {
  await work.applyGlobal("persistentvolume", volume());
  await eventually("the PV is Available", 20, async () => (await phaseOf("pv", name)) === "Available");
});

test("2.1-2.2 the claim that names it binds; both are Bound", async () => {
  await work.apply(claimFor(volume(), "photos", work.namespace));
  await work.bound("photos");
  assert.is(await phaseOf("pv", name), "Bound");
});

test("3.1-3.2 a pod with the claim is scheduled and starts", async () => {
  await work.readyPod({ name: "app", claims: { "/data": "photos" } });
});

test("4.1-4.3 its Mountpoint Pod runs on the same node, restricted", async () => {
  mountpointPod = (await work.mountpointPodOf("app")) ?? "";
  assert.match(mountpointPod, /^mp-[0-9a-f]{56}$/);
  const found = JSON.parse(await bed.cluster.kubectl(["-n", mountpointNamespace, "get", "pod", mountpointPod, "-o", "json"]));
  assert.is(found.spec.nodeName, await work.kubectl(["get", "pod", "app", "-o", "jsonpath={.spec.nodeName}"]));
  const { securityContext } = found.spec.containers[0];
  assert.is(securityContext.runAsNonRoot, true);
  assert.equal(securityContext.capabilities.drop, ["ALL"]);
});

test("4.4 the attachment names the workload, the volume and the node", async () => {
  const { items } = JSON.parse(await bed.cluster.kubectl(["get", "s3pa", "--field-selector", `spec.persistentVolumeName=${name}`, "-o", "json"]));
  assert.is(items.length, 1);
  const { spec } = items[0];
  assert.is(spec.volumeID, name);
  assert.is(spec.mountOptions, "allow-delete,allow-overwrite");
  assert.equal(Object.keys(spec.mountpointS3PodAttachments), [mountpointPod]);
});

test("5.1-5.5 one FUSE source mount in the plugin's directory, bound to the pod's target", async () => {
  if (!bed.cluster.own) return;
  const lines = (await nodeExec(["cat", "/proc/self/mountinfo"])).split("\n").filter((line) => line.includes(" fuse mountpoint-s3 "));
  const places = lines.map((line) => line.split(" ")[4] ?? "");
  assert.ok(places.some((place) => place.endsWith(`/plugins/s3.csi.scality.com/mnt/${mountpointPod}`)));
  assert.ok(places.some((place) => place.endsWith(`/volumes/kubernetes.io~csi/${name}/mount`)));
});

test("6.1-6.2 the container reads, writes and lists; S3 has it", async () => {
  assert.match(await work.exec("app", "cat /data/old.txt"), /was there before/);
  await work.exec("app", "mkdir /data/new && head -c 12000000 /dev/urandom > /data/new/file && sha256sum /data/new/file > /data/sum && sha256sum -c /data/sum");
  assert.equal([...bed.s3.bucket(name).objects.keysFrom("")], ["new/file", "old.txt", "sum"]);
  assert.is(bed.s3.bucket(name).object("new/file").content.size, 12_000_000);
});

test("7.1-7.2 the pod is deleted; its mount is gone from the node", async () => {
  await work.deletePod("app");
  if (!bed.cluster.own) return;
  assert.not.match(await nodeExec(["cat", "/proc/self/mountinfo"]), new RegExp(`kubernetes.io~csi/${name}/mount`));
});

test("7.3-7.4 without workloads the attachment, the Mountpoint Pod and the source mount go", async () => {
  await eventually("the attachment is gone", 30, async () => (await bed.cluster.kubectl(["get", "s3pa", "--field-selector", `spec.persistentVolumeName=${name}`, "-o", "name"])) === "");
  await eventually("the Mountpoint Pod is gone", 60, async () => (await bed.cluster.kubectl(["-n", mountpointNamespace, "get", "pod", mountpointPod, "--ignore-not-found", "-o", "name"])) === "");
  if (bed.cluster.own) assert.not.match(await nodeExec(["cat", "/proc/self/mountinfo"]), new RegExp(mountpointPod));
});

test("7.5 the bucket and its data remain, whatever the reclaim policy", async () => {
  await work.kubectl(["patch", "pv", name, "--patch", '{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}']);
  await work.kubectl(["delete", "pvc", "photos", "--wait"]);
  await eventually("the PV was released", 30, async () => ["Released", "Failed", ""].includes(await phaseOf("pv", name).catch(() => "")));
  assert.is(bed.s3.bucket(name).object("new/file").content.size, 12_000_000);
});

test.run();
