// The rows of the documents' tables of volume sharing, each as a test of its own name, on a real API server.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { persistentVolumes, pods } from "../../src/kube/resources.ts";
import { NodeActor } from "./node-actor.ts";
import {
  eventually,
  forceDelete,
  listAttachments,
  listMountpointPods,
  makeVolume,
  makeWorkload,
  type RunningReconciler,
  type Scene,
  startReconciler,
  startScene,
  type WorkloadOptions,
} from "./scene.ts";

let scene: Scene;
let running: RunningReconciler;
let actor: NodeActor;

test.before(async () => {
  scene = await startScene(AbortSignal.timeout(280_000));
  running = startReconciler(scene.plane);
  actor = new NodeActor(scene.client);
  await makeVolume(scene.client, "pv-a", { mountOptions: ["allow-delete", "region us-east-1"] });
  await makeVolume(scene.client, "pv-b", { mountOptions: ["allow-delete", "region us-east-1"] });
});

test.after(async () => {
  await actor?.stop();
  await running?.stop();
  await scene?.stop();
});

/** The Mountpoint Pods that two workloads end up with, and after it nothing is left of them. */
async function mountpointsOf(first: WorkloadOptions, second: WorkloadOptions, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const { client } = scene;
  await makeWorkload(client, "one", first);
  await eventually(async () => assert.is((await client.get(pods, { name: "one", namespace: "default" })).status?.phase, "Running"));
  await between();
  await makeWorkload(client, "two", second);
  await eventually(async () => assert.is((await client.get(pods, { name: "two", namespace: "default" })).status?.phase, "Running"));
  const found = (await listMountpointPods(client)).map((pod) => pod.metadata?.name ?? "");
  const attachments = await listAttachments(client);
  assert.equal(attachments.flatMap((attachment) => Object.keys(attachment.spec.mountpointS3PodAttachments)).sort(), [...found].sort());
  await forceDelete(client, "one");
  await forceDelete(client, "two");
  await eventually(async () => assert.is((await listMountpointPods(client)).length + (await listAttachments(client)).length, 0));
  return found;
}

const base = { claims: ["pv-a"], node: "node-1", fsGroup: 1000 };

test("all five fields match: one Mountpoint Pod serves both", async () => {
  assert.is((await mountpointsOf(base, base)).length, 1);
});

test("nodeName: workloads must be on the same node", async () => {
  assert.is((await mountpointsOf(base, { ...base, node: "node-2" })).length, 2);
});

test("persistentVolumeName: workloads must use the same PV", async () => {
  assert.is((await mountpointsOf(base, { ...base, claims: ["pv-b"] })).length, 2);
});

test("volumeID: underlying volume identifier must match", async () => {
  const { client } = scene;
  await makeVolume(client, "pv-c");
  const reborn = async () => {
    // The same name with another handle: the first workload still runs on the old one.
    const volume = await client.get(persistentVolumes, { name: "pv-c" });
    await client.patch(persistentVolumes, { name: "pv-c" }, { metadata: { finalizers: null } });
    await client.delete(persistentVolumes, { name: "pv-c" }, { gracePeriodSeconds: 0 });
    const { csi } = volume.spec ?? {};
    await client.create(persistentVolumes, {
      metadata: { name: "pv-c" },
      spec: { ...volume.spec, claimRef: { name: "pv-c", namespace: "default" }, csi: { driver: csi?.driver ?? "", volumeAttributes: csi?.volumeAttributes ?? {}, volumeHandle: "another" } },
    });
  };
  assert.is((await mountpointsOf({ ...base, claims: ["pv-c"] }, { ...base, claims: ["pv-c"] }, reborn)).length, 2);
});

test("mountOptions: mount options from PV/StorageClass must match", async () => {
  const { client } = scene;
  const edit = () => client.patch(persistentVolumes, { name: "pv-a" }, { spec: { mountOptions: ["allow-delete"] } });
  assert.is((await mountpointsOf(base, base, edit)).length, 2);
});

test("workloadFSGroup: pod security context fsGroup must match", async () => {
  assert.is((await mountpointsOf(base, { ...base, fsGroup: 2000 })).length, 2);
});

test("fsGroup must match, or both be unset", async () => {
  const { fsGroup: _, ...unset } = base;
  assert.is((await mountpointsOf(unset, unset)).length, 1);
  assert.is((await mountpointsOf(unset, base)).length, 2);
});

test("the example: App1 and App2 share (fsGroup 1000), App3 needs its own (fsGroup 2000)", async () => {
  const { client } = scene;
  await makeWorkload(client, "app1", base);
  await makeWorkload(client, "app2", base);
  await makeWorkload(client, "app3", { ...base, fsGroup: 2000 });
  await eventually(async () => {
    const served = (await listAttachments(client)).map((attachment) => Object.values(attachment.spec.mountpointS3PodAttachments).flat().length);
    assert.equal(served.sort(), [1, 2]);
  });
  // "When any workload terminates, only its bind mount is removed", "the Mountpoint Pod remains until all workloads using it terminate"
  await forceDelete(client, "app1");
  await eventually(async () => {
    const served = (await listAttachments(client)).map((attachment) => Object.values(attachment.spec.mountpointS3PodAttachments).flat().length);
    assert.equal(served, [1, 1]);
  });
  assert.is((await listMountpointPods(client)).length, 2);
  for (const name of ["app2", "app3"]) await forceDelete(client, name);
  await eventually(async () => assert.is((await listMountpointPods(client)).length + (await listAttachments(client)).length, 0));
});

test("one workload with two volumes has two Mountpoint Pods, one with the same claim twice has one", async () => {
  const { client } = scene;
  await makeWorkload(client, "both", { ...base, claims: ["pv-a", "pv-b"] });
  await eventually(async () => assert.is((await client.get(pods, { name: "both", namespace: "default" })).status?.phase, "Running"));
  assert.is((await listMountpointPods(client)).length, 2);
  await makeWorkload(client, "twice", { claims: ["pv-a", "pv-a"], node: "node-7" });
  await eventually(async () => assert.is((await listMountpointPods(client)).length, 3));
  for (const name of ["both", "twice"]) await forceDelete(client, name);
  await eventually(async () => assert.is((await listMountpointPods(client)).length + (await listAttachments(client)).length, 0));
});

test("a generic ephemeral volume is served like any other", async () => {
  const { client } = scene;
  const workload = await makeWorkload(client, "eph", { ephemeral: ["scratch"], node: "node-1" });
  const owner = { name: "eph", uid: workload.metadata?.uid ?? "" };
  await makeVolume(client, "eph-pv", { claim: "eph-scratch", owner });
  await eventually(async () => assert.is((await client.get(pods, { name: "eph", namespace: "default" })).status?.phase, "Running"));
  // A claim of the right name that belongs to somebody else is not this pod's.
  await makeWorkload(client, "eph2", { ephemeral: ["scratch"], node: "node-1" });
  await makeVolume(client, "eph2-pv", { claim: "eph2-scratch" });
  await makeWorkload(client, "after", { claims: ["pv-b"], node: "node-1" });
  await eventually(async () => assert.is((await client.get(pods, { name: "after", namespace: "default" })).status?.phase, "Running"));
  const volumes = (await listAttachments(client)).map((attachment) => attachment.spec.persistentVolumeName).sort();
  assert.equal(volumes, ["eph-pv", "pv-b"]);
  for (const name of ["eph", "eph2", "after"]) await forceDelete(client, name);
  await eventually(async () => assert.is((await listMountpointPods(client)).length + (await listAttachments(client)).length, 0));
});

test("volumes of other drivers, and pods that wait for a node or a claim, are left alone", async () => {
  const { client } = scene;
  await makeVolume(client, "foreign", { driver: "other.example" });
  await makeWorkload(client, "foreign", { claims: ["foreign"], node: "node-1" });
  await makeWorkload(client, "unscheduled", { claims: ["pv-a"] });
  await makeWorkload(client, "unbound", { claims: ["comes-later"], node: "node-1" });
  await makeWorkload(client, "served", { claims: ["pv-b"], node: "node-1" });
  await eventually(async () => assert.is((await client.get(pods, { name: "served", namespace: "default" })).status?.phase, "Running"));
  assert.is((await listAttachments(client)).length, 1);
  await makeVolume(client, "comes-later");
  await eventually(async () => assert.is((await client.get(pods, { name: "unbound", namespace: "default" })).status?.phase, "Running"));
  for (const name of ["foreign", "unscheduled", "unbound", "served"]) await forceDelete(client, name);
  await eventually(async () => assert.is((await listMountpointPods(client)).length + (await listAttachments(client)).length, 0));
});

test.run();
