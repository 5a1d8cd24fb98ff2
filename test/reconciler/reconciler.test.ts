import { test } from "uvu";
import * as assert from "uvu/assert";
import { attachments, events, pods } from "../../src/kube/resources.ts";
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
let actor: NodeActor;
const writes: string[] = [];

test.before(async () => {
  scene = await startScene(AbortSignal.timeout(280_000));
  running = startReconciler(scene.plane, {}, { observe: (method, path) => void (method !== "GET" && writes.push(`${method} ${path}`)) });
  actor = new NodeActor(scene.client);
});

test.after(async () => {
  await actor?.stop();
  await running?.stop();
  await scene?.stop();
});

test("a scheduled workload gets a Mountpoint Pod and an attachment, by three writes", async () => {
  const { client } = scene;
  await makeVolume(client, "first");
  const workload = await makeWorkload(client, "w1", { claims: ["first"], node: "n1" });
  await eventually(async () => assert.is((await client.get(pods, { name: "w1", namespace: "default" })).status?.phase, "Running"));
  const [attachment] = await listAttachments(client);
  const [mountpoint] = await listMountpointPods(client);
  assert.equal(Object.keys(attachment?.spec.mountpointS3PodAttachments ?? {}), [mountpoint?.metadata?.name]);
  assert.match(attachment?.metadata.name ?? "", /^s3pa-[0-9a-f]{56}$/);
  assert.match(mountpoint?.metadata?.name ?? "", /^mp-[0-9a-f]{56}$/);
  assert.is(Object.values(attachment?.spec.mountpointS3PodAttachments ?? {})[0]?.[0]?.workloadPodUID, workload.metadata?.uid);
  await eventually(async () => {
    const status = (await listAttachments(client))[0]?.status;
    assert.is(status?.conditions?.[0]?.status, "True");
    assert.is(status?.mountpointPods?.[0]?.phase, "Ready");
  });
  assert.is(writes.length, 3, writes.join("\n"));
});

test("a second workload with the same key shares the Mountpoint Pod, by one write", async () => {
  const { client } = scene;
  writes.length = 0;
  await makeWorkload(client, "w2", { claims: ["first"], node: "n1" });
  await eventually(async () => assert.is((await client.get(pods, { name: "w2", namespace: "default" })).status?.phase, "Running"));
  assert.is((await listMountpointPods(client)).length, 1);
  assert.is(writes.length, 1, writes.join("\n"));
});

test("when all workloads have gone nothing is left", async () => {
  const { client } = scene;
  await client.delete(pods, { name: "w1", namespace: "default" });
  await eventually(async () => assert.is(Object.values((await listAttachments(client))[0]?.spec.mountpointS3PodAttachments ?? {})[0]?.length, 1));
  await setPhase(client, "w2", "Succeeded");
  await eventually(async () => {
    assert.is((await listAttachments(client)).length, 0);
    assert.is((await listMountpointPods(client)).length, 0);
  });
  await forceDelete(client, "w2");
});

test.run();
void [attachments, events, mountNamespace];
