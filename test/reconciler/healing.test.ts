// What goes wrong with Mountpoint Pods while workloads need them, and what people are told about it.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { attachments, events, type MountpointS3PodAttachment, type Pod, pods } from "../../src/kube/resources.ts";
import { keyOf } from "../../src/reconciler/sharing-key.ts";
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
} from "./scene.ts";

let scene: Scene;
let running: RunningReconciler;
let actor: NodeActor | undefined;

test.before(async () => {
  scene = await startScene(AbortSignal.timeout(280_000));
  running = startReconciler(scene.plane);
  await makeVolume(scene.client, "data");
});

test.after(async () => {
  await actor?.stop();
  await running?.stop();
  await scene?.stop();
});

test.after.each(async () => {
  actor ??= new NodeActor(scene.client);
  for (const pod of (await scene.client.list(pods, { namespace: "default" })).items) await forceDelete(scene.client, pod.metadata?.name ?? "").catch(() => {});
  await eventually(async () => assert.is((await listMountpointPods(scene.client)).length + (await listAttachments(scene.client)).length, 0));
  await actor.stop();
  actor = undefined;
});

async function served(): Promise<Pod> {
  actor = new NodeActor(scene.client);
  await makeWorkload(scene.client, "w", { claims: ["data"], node: "node-1" });
  await eventually(async () => assert.is((await scene.client.get(pods, { name: "w", namespace: "default" })).status?.phase, "Running"));
  return (await listMountpointPods(scene.client))[0] as Pod;
}

async function replaced(before: Pod): Promise<Pod> {
  return eventually(async () => {
    const [now] = await listMountpointPods(scene.client);
    assert.is(now?.metadata?.name, before.metadata?.name, "the same name, so that mounts and records stand");
    assert.is.not(now?.metadata?.uid, before.metadata?.uid);
    assert.is(now?.status?.phase, "Running");
    return now as Pod;
  });
}

async function eventsOf(name: string): Promise<string[]> {
  const { items } = await scene.client.list(events, { namespace: "default", fieldSelector: `involvedObject.name=${name}` });
  return items.map((event) => `${event.reason}: ${event.message}`);
}

for (const [title, harm] of [
  ["failed", (name: string) => setPhase(scene.client, name, "Failed", mountNamespace, { reason: "StartError", message: "no" })],
  ["evicted", (name: string) => setPhase(scene.client, name, "Failed", mountNamespace, { reason: "Evicted", message: "The node was low on resource: memory." })],
  ["deleted", (name: string) => scene.client.delete(pods, { name, namespace: mountNamespace })],
  ["force-deleted", (name: string) => forceDelete(scene.client, name, mountNamespace)],
] as const) {
  test(`a Mountpoint Pod that was ${title} while a workload needs it is replaced under its name`, async () => {
    const before = await served();
    await harm(before.metadata?.name ?? "");
    await replaced(before);
    const [attachment] = await listAttachments(scene.client);
    assert.equal(Object.keys(attachment?.spec.mountpointS3PodAttachments ?? {}), [before.metadata?.name]);
    if (title === "evicted") assert.ok((await eventsOf("w")).some((text) => text.includes("MountpointPodReplaced") && text.includes("low on resource")));
  });
}

test("status and events say why a workload waits: the image cannot be pulled", async () => {
  const { client } = scene;
  await makeWorkload(client, "w", { claims: ["data"], node: "node-1" });
  const [mountpoint] = await eventually(async () => {
    const found = await listMountpointPods(client);
    assert.is(found.length, 1);
    return found;
  });
  const waiting = { reason: "ImagePullBackOff", message: 'Back-off pulling image "registry.example/driver:1"' };
  const containerStatuses = [{ name: "mountpoint", image: "i", imageID: "", ready: false, restartCount: 0, state: { waiting } }];
  await setPhase(client, mountpoint?.metadata?.name ?? "", "Pending", mountNamespace, { containerStatuses });
  await eventually(async () => {
    const [attachment] = await listAttachments(client);
    assert.is(attachment?.status?.mountpointPods?.[0]?.phase, "Pending");
    assert.is(attachment?.status?.mountpointPods?.[0]?.reason, "ImagePullBackOff");
    assert.is(attachment?.status?.conditions?.[0]?.status, "False");
    assert.ok((await eventsOf("w")).some((text) => text.includes("ImagePullBackOff")), (await eventsOf("w")).join());
  });
});

test("status and events say why a workload waits: the node is full", async () => {
  const { client } = scene;
  await makeWorkload(client, "w", { claims: ["data"], node: "node-1" });
  const mountpoint = await eventually(async () => (await listMountpointPods(client))[0] ?? assert.unreachable());
  const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes are available: 1 Too many pods" }];
  await setPhase(client, mountpoint?.metadata?.name ?? "", "Pending", mountNamespace, { conditions });
  await eventually(async () => {
    assert.is((await listAttachments(client))[0]?.status?.conditions?.[0]?.reason, "Unschedulable");
    assert.ok((await eventsOf("w")).some((text) => text.includes("Too many pods")));
  });
});

test("events say when the API server refuses the Mountpoint Pod", async () => {
  const { client } = scene;
  await makeVolume(client, "greedy", { attributes: { mountpointContainerResourcesRequestsCpu: "lots" } });
  await makeWorkload(client, "w", { claims: ["greedy"], node: "node-1" });
  await eventually(async () => assert.ok((await eventsOf("w")).some((text) => text.startsWith("MountpointPodRefused")), (await eventsOf("w")).join()));
  assert.is((await listAttachments(client)).length, 0);
});

test("objects of the driver before this one are taken over: random names, no sharing key", async () => {
  const { client } = scene;
  const ours = await served();
  const [made] = await listAttachments(client);
  await running.stop();
  await actor?.stop();
  actor = undefined;
  // The same state as that driver would have left it.
  const legacy = "mp-3f1e9b7d5c0a";
  const { nodeName: _, ...spec } = ours.spec ?? { containers: [] };
  await client.create(pods, { metadata: { name: legacy, namespace: mountNamespace, labels: { "s3.csi.scality.com/mounted-by-csi-driver-version": "2.2.0" } }, spec });
  const key = keyOf(made as MountpointS3PodAttachment);
  const entries = { [legacy]: Object.values(made?.spec.mountpointS3PodAttachments ?? {})[0] ?? [] };
  await client.create(attachments, { apiVersion: "s3.csi.scality.com/v2", kind: "MountpointS3PodAttachment", metadata: { name: "s3pa-x7k2p" }, spec: { ...key, mountpointS3PodAttachments: entries } });
  await client.delete(attachments, { name: made?.metadata.name ?? "" });
  await forceDelete(client, ours.metadata?.name ?? "", mountNamespace);
  running = startReconciler(scene.plane);
  actor = new NodeActor(client);
  // A workload of before stays where it is; a new one goes to a pod of this version, in the same attachment.
  await makeWorkload(client, "new", { claims: ["data"], node: "node-1" });
  await eventually(async () => assert.is((await client.get(pods, { name: "new", namespace: "default" })).status?.phase, "Running"));
  const [attachment] = await listAttachments(client);
  assert.is(attachment?.metadata.name, "s3pa-x7k2p");
  assert.equal(Object.values(attachment?.spec.mountpointS3PodAttachments ?? {}).map((list) => list.length), [1, 1]);
  assert.ok(legacy in (attachment?.spec.mountpointS3PodAttachments ?? {}));
  // When the old workload ends its pod goes the old way.
  await forceDelete(client, "w");
  await eventually(async () => assert.not.ok((await listMountpointPods(client)).some((pod) => pod.metadata?.name === legacy)));
});

test("a workload that runs without an attachment is v1's: it is left alone", async () => {
  const { client } = scene;
  await running.stop();
  await makeWorkload(client, "old", { claims: ["data"], node: "node-3" });
  await setPhase(client, "old", "Running");
  running = startReconciler(scene.plane);
  actor = new NodeActor(client);
  await makeWorkload(client, "new", { claims: ["data"], node: "node-4" });
  await eventually(async () => assert.is((await client.get(pods, { name: "new", namespace: "default" })).status?.phase, "Running"));
  assert.equal((await listAttachments(client)).map((attachment) => attachment.spec.nodeName), ["node-4"]);
});

test.run();
