// The rows of the documents' lists and tables on termination and stale cleanup, each as a test of its own name.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { attachments, type Pod, pods } from "../../src/kube/resources.ts";
import { loadSettings } from "../../src/settings/load.ts";
import { reconcilerComponent } from "../../generated/settings/reconciler.ts";
import { NodeActor } from "./node-actor.ts";
import {
  eventually,
  forceDelete,
  listAttachments,
  listMountpointPods,
  makeVolume,
  makeWorkload,
  mountNamespace,
  type RunningReconciler,
  type Scene,
  setPhase,
  startReconciler,
  startScene,
  testVersion,
} from "./scene.ts";

const [intervalMs, thresholdMs] = [300, 2_500];
let scene: Scene;
let running: RunningReconciler;
let actor: NodeActor;

test.before(async () => {
  scene = await startScene(AbortSignal.timeout(280_000));
  running = startReconciler(scene.plane, { staleCleanupIntervalMs: intervalMs, staleThresholdMs: thresholdMs });
  actor = new NodeActor(scene.client);
  await makeVolume(scene.client, "data");
});

test.after(async () => {
  await actor?.stop();
  await running?.stop();
  await scene?.stop();
});

async function startWorkload(name: string): Promise<Pod> {
  const made = await makeWorkload(scene.client, name, { claims: ["data"], node: "node-1" });
  await eventually(async () => assert.is((await scene.client.get(pods, { name, namespace: "default" })).status?.phase, "Running"));
  return made;
}

async function listed(): Promise<number> {
  return (await listAttachments(scene.client)).flatMap((attachment) => Object.values(attachment.spec.mountpointS3PodAttachments).flat()).length;
}

async function nothingLeft(limitMs = 30_000): Promise<void> {
  await eventually(async () => {
    assert.is((await listAttachments(scene.client)).length, 0, "an attachment is left");
    assert.is((await listMountpointPods(scene.client)).length, 0, "a Mountpoint Pod is left");
  }, limitMs);
}

test("7.1 pod deletion initiated: while its containers stop, a workload keeps its attachment", async () => {
  const { client } = scene;
  await actor.stop(); // nobody stops its containers
  await makeWorkload(client, "slow", { claims: ["data"], node: "node-1" });
  await eventually(async () => assert.is(await listed(), 1));
  await setPhase(client, "slow", "Running");
  await client.delete(pods, { name: "slow", namespace: "default" });
  const [mountpoint] = await listMountpointPods(client);
  await new Promise((resolve) => setTimeout(resolve, thresholdMs + 2 * intervalMs));
  assert.is(await listed(), 1);
  const after = await client.get(pods, { name: mountpoint?.metadata?.name ?? "", namespace: mountNamespace });
  assert.is(after.metadata?.annotations?.["s3.csi.scality.com/needs-unmount"], undefined);
  await setPhase(client, "slow", "Succeeded");
  await eventually(async () => assert.is(await listed(), 0));
  actor = new NodeActor(client);
  await nothingLeft();
});

test("7.2 bind mounts are the node service's: the reconciler never touches the workload", async () => {
  const { client } = scene;
  await startWorkload("w");
  const managers = (await client.get(pods, { name: "w", namespace: "default" })).metadata?.managedFields?.map((field) => field.manager);
  assert.equal([...new Set(managers)], ["s3-csi-driver"], "the test's own hands");
  await forceDelete(client, "w");
  await nothingLeft();
});

test("7.3 workload pod terminated: its attachment is removed from the CRD", async () => {
  const { client } = scene;
  await startWorkload("stays");
  const goes = await startWorkload("goes");
  assert.is(await listed(), 2);
  await client.delete(pods, { name: "goes", namespace: "default" });
  await eventually(async () => assert.is(await listed(), 1));
  const [attachment] = await listAttachments(client);
  assert.not.ok(JSON.stringify(attachment?.spec).includes(goes.metadata?.uid ?? "-"));
  assert.is((await listMountpointPods(client)).length, 1);
  await forceDelete(client, "stays");
  await nothingLeft();
});

test("7.4 no remaining workloads: Mountpoint Pod and CRD are deleted", async () => {
  await startWorkload("only");
  await setPhase(scene.client, "only", "Failed");
  await nothingLeft();
  await forceDelete(scene.client, "only");
});

test("Termination: needs-unmount is annotated, the attachment goes, and the pod is deleted only when it has ended", async () => {
  const { client } = scene;
  await startWorkload("w");
  await actor.stop(); // nobody unmounts
  await forceDelete(client, "w");
  await eventually(async () => assert.is((await listAttachments(client)).length, 0));
  const [mountpoint] = await listMountpointPods(client);
  assert.is(mountpoint?.metadata?.annotations?.["s3.csi.scality.com/needs-unmount"], "true");
  assert.is(mountpoint?.metadata?.deletionTimestamp, undefined);
  actor = new NodeActor(client);
  await nothingLeft();
});

test("Timing Parameters: cleanup interval and stale threshold are 2 minutes unless set", () => {
  const settings = loadSettings(reconcilerComponent, { argv: [], env: { MOUNTPOINT_IMAGE: "i" } });
  assert.is(settings.staleCleanupIntervalMs, 120_000);
  assert.is(settings.staleThresholdMs, 120_000);
});

test("What Gets Cleaned: workload pods that terminated without proper unmount", async () => {
  const { client } = scene;
  await startWorkload("vanishes");
  // It goes while no reconciler looks: nobody has seen it go.
  await running.stop();
  await forceDelete(client, "vanishes");
  running = startReconciler(scene.plane, { staleCleanupIntervalMs: intervalMs, staleThresholdMs: thresholdMs });
  await nothingLeft(thresholdMs + 5_000);
});

test("What Gets Cleaned: orphaned CRDs from a crashed node service", async () => {
  const { client } = scene;
  const spec = { nodeName: "node-9", persistentVolumeName: "gone", volumeID: "gone", mountOptions: "", workloadFSGroup: "" };
  const old = new Date(Date.now() - thresholdMs).toISOString();
  const entries = { "mp-never": [{ workloadPodUID: "00000000-0000-0000-0000-000000000000", attachmentTime: old }] };
  await client.create(attachments, { apiVersion: "s3.csi.scality.com/v2", kind: "MountpointS3PodAttachment", metadata: { name: "s3pa-x7k2p" }, spec: { ...spec, mountpointS3PodAttachments: entries } });
  await nothingLeft(thresholdMs + 5_000);
});

test("What Gets Cleaned: Mountpoint Pods without valid attachments", async () => {
  const { client } = scene;
  await startWorkload("w");
  const [mountpoint] = await listMountpointPods(client);
  // Two that nobody needs: one of ours for another key, one of the driver before this one, which has no key at all.
  const { nodeName: _, ...spec } = mountpoint?.spec ?? { containers: [] };
  const orphan = (name: string, annotations: Record<string, string>) =>
    client.create(pods, { metadata: { name, namespace: mountNamespace, labels: { "s3.csi.scality.com/mounted-by-csi-driver-version": testVersion }, annotations }, spec } as Pod);
  await orphan("mp-orphan", { "s3.csi.scality.com/sharing-key": JSON.stringify(["node-5", "pv", "id", "", ""]) });
  await orphan("mp-legacy", {});
  await eventually(async () => assert.is((await listMountpointPods(client)).length, 3));
  await eventually(async () => assert.is((await listMountpointPods(client)).length, 1), thresholdMs + 8_000);
  await forceDelete(client, "w");
  await nothingLeft();
});

test("What Gets Cleaned: an attachment without a pod, and one that is empty", async () => {
  const { client } = scene;
  const spec = { nodeName: "node-8", persistentVolumeName: "pv", volumeID: "id", mountOptions: "", workloadFSGroup: "", mountpointS3PodAttachments: {} };
  await client.create(attachments, { apiVersion: "s3.csi.scality.com/v2", kind: "MountpointS3PodAttachment", metadata: { name: "s3pa-empty" }, spec });
  await nothingLeft();
});

test.run();
