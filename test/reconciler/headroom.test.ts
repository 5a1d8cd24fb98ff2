// Headroom: a gated workload is let go only when room for its Mountpoint Pods is reserved beside it.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { pods } from "../../src/kube/resources.ts";
import { NodeActor } from "./node-actor.ts";
import { eventually, forceDelete, listMountpointPods, makeVolume, makeWorkload, type RunningReconciler, type Scene, startReconciler, startScene } from "./scene.ts";

const gate = "s3.csi.scality.com/reserve-headroom-for-mppod";
let scene: Scene;
let running: RunningReconciler;

test.before(async () => {
  scene = await startScene(AbortSignal.timeout(200_000));
  running = startReconciler(scene.plane, { headroomEnabled: true });
});

test.after(async () => {
  await running?.stop();
  await scene?.stop();
});

test("placeholder, gate, Mountpoint Pod in its place, placeholder gone", async () => {
  const { client } = scene;
  await makeVolume(client, "data", { attributes: { mountpointContainerResourcesRequestsMemory: "1Gi" } });
  const workload = await makeWorkload(client, "w", { claims: ["data"], gates: [gate, "somebody.else/gate"] });
  const [placeholder] = await eventually(async () => {
    const found = await listMountpointPods(client);
    assert.is(found.length, 1);
    const now = await client.get(pods, { name: "w", namespace: "default" });
    assert.equal(now.spec?.schedulingGates, [{ name: "somebody.else/gate" }], "only our own gate is opened");
    assert.is(now.metadata?.labels?.["s3.csi.scality.com/headroom-for-workload"], workload.metadata?.uid);
    return found;
  });
  assert.match(placeholder?.metadata?.name ?? "", /^hr-[0-9a-f]{56}$/);
  assert.is(placeholder?.spec?.priorityClassName, "mount-s3-headroom");
  assert.equal(placeholder?.spec?.containers[0]?.resources?.requests?.memory, "1Gi", "as large as the Mountpoint Pod");
  const [term] = placeholder?.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  assert.is(term?.labelSelector?.matchLabels?.["s3.csi.scality.com/headroom-for-workload"], workload.metadata?.uid);

  await client.patch(pods, { name: "w", namespace: "default" }, { spec: { schedulingGates: [] } });
  const binding = { apiVersion: "v1", kind: "Binding", metadata: { name: "w", namespace: "default" }, target: { apiVersion: "v1", kind: "Node", name: "node-1" } };
  await client.create(pods, binding as never, { subresource: "binding" });
  const mountpoint = await eventually(async () => {
    const found = (await listMountpointPods(client)).find((pod) => pod.metadata?.name?.startsWith("mp-"));
    assert.ok(found);
    return found;
  });
  assert.is(mountpoint?.spec?.priorityClassName, "mount-s3-preempting", "it may take the placeholder's place");
  const actor = new NodeActor(client);
  try {
    await eventually(async () => {
      assert.equal((await listMountpointPods(client)).map((pod) => pod.metadata?.name), [mountpoint?.metadata?.name]);
      assert.is((await client.get(pods, { name: "w", namespace: "default" })).status?.phase, "Running");
    });
    await forceDelete(client, "w");
    await eventually(async () => assert.is((await listMountpointPods(client)).length, 0));
  } finally {
    await actor.stop();
  }
});

test("a workload deleted before it was scheduled leaves no placeholder", async () => {
  const { client } = scene;
  await makeWorkload(client, "short", { claims: ["data"], gates: [gate] });
  await eventually(async () => assert.is((await listMountpointPods(client)).length, 1));
  await forceDelete(client, "short");
  await eventually(async () => assert.is((await listMountpointPods(client)).length, 0));
});

test.run();
