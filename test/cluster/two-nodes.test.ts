// One volume on two nodes: each node has a Mountpoint Pod of its own, and what happens on one leaves the other alone.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { clusterLayout, nodeLayout } from "../../scripts/cluster/layout.ts";
import { nodeExec } from "../../scripts/cluster/node-exec.ts";
import { mountpointNamespace } from "../../scripts/kubernetes/install-driver.ts";
import { type ClusterBed, startClusterBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { report } from "./report.ts";
import type { Workspace } from "./workspace.ts";

const test = suite("one volume on two nodes");
const signal = AbortSignal.timeout(600_000);
let bed: ClusterBed;
let work: Workspace;
let bucket: string;

test.before(
  report(async () => {
    bed = await startClusterBed(signal, { nodes: 2 });
    const [one, two] = bed.nodes;
    if (!one || !two) throw new Error(`This needs a cluster with two nodes that run workloads; it has ${bed.nodes.length}.`);
    work = await bed.workspace("two-nodes");
    bucket = await work.volume("common");
    await Promise.all([work.readyPod({ name: "left", claims: { "/data": "common" }, node: one }), work.readyPod({ name: "right", claims: { "/data": "common" }, node: two })]);
  }),
);
test.after(async () => {
  await work?.remove();
  await bed?.stop();
});

interface Attachment {
  readonly spec: { readonly nodeName: string; readonly mountpointS3PodAttachments: Readonly<Record<string, readonly { readonly workloadPodUID: string }[]>> };
}

const attachments = async () =>
  (JSON.parse(await bed.cluster.kubectl(["get", "s3pa", "--field-selector", `spec.persistentVolumeName=${work.unique("common")}`, "-o", "json"])) as { items: Attachment[] }).items;
const nodeOf = (namespace: string, pod: string) => bed.cluster.kubectl(["-n", namespace, "get", "pod", pod, "-o", "jsonpath={.spec.nodeName}"]);

test("two attachments, each naming its node, its Mountpoint Pod there and its one workload", async () => {
  const found = await attachments();
  assert.equal(found.map(({ spec }) => spec.nodeName).sort(), [...bed.nodes].slice(0, 2));
  for (const pod of ["left", "right"]) {
    const node = await nodeOf(work.namespace, pod);
    const uid = await work.kubectl(["get", "pod", pod, "-o", "jsonpath={.metadata.uid}"]);
    const { spec } = found.find((each) => each.spec.nodeName === node) as Attachment;
    const [[mountpointPod, workloads] = ["", []], ...others] = Object.entries(spec.mountpointS3PodAttachments);
    assert.equal(others, []);
    assert.equal(workloads.map((workload) => workload.workloadPodUID), [uid]);
    assert.is(await nodeOf(mountpointNamespace, mountpointPod), node);
  }
});

test("each reads what it writes itself and what the other wrote; S3 has both", async () => {
  for (const pod of ["left", "right"]) {
    const said = await work.exec(pod, `head -c 9000000 /dev/urandom > /data/${pod} && sha256sum /data/${pod} > /data/${pod}.sum && sha256sum -c /data/${pod}.sum`);
    assert.match(said, /OK/);
  }
  assert.match(await work.exec("left", "sha256sum -c /data/right.sum"), /right: OK/);
  assert.match(await work.exec("right", "sha256sum -c /data/left.sum"), /left: OK/);
  assert.equal([...bed.s3.bucket(bucket).objects.keysFrom("")], ["left", "left.sum", "right", "right.sum"]);
});

test("a second workload on a node joins the Mountpoint Pod of that node", async () => {
  await work.readyPod({ name: "right-too", claims: { "/data": "common" }, node: await nodeOf(work.namespace, "right") });
  assert.is(await work.mountpointPodOf("right-too"), await work.mountpointPodOf("right"));
  assert.is.not(await work.mountpointPodOf("right-too"), await work.mountpointPodOf("left"));
  await work.deletePod("right-too");
});

test("one node's last workload ends: its Mountpoint Pod, attachment and mounts go, the other node's workload goes on", async () => {
  const gone = (await work.mountpointPodOf("right")) ?? "";
  const stays = await work.mountpointPodOf("left");
  const open = work.exec("left", "exec 3< /data/left; sleep 8; sha256sum <&3 | cut -c1-64; cut -c1-64 /data/left.sum");
  await work.deletePod("right");
  await eventually("its Mountpoint Pod is gone", 60, async () => (await bed.cluster.kubectl(["-n", mountpointNamespace, "get", "pod", gone, "--ignore-not-found", "-o", "name"])) === "");
  await eventually("its attachment is gone", 30, async () => (await attachments()).length === 1);
  if (bed.cluster.own) {
    const worker = nodeLayout(1, clusterLayout());
    assert.not.match(await nodeExec(["cat", "/proc/self/mountinfo"], { node: worker, signal }), / fuse mountpoint-s3 /, "a mount is left on the second node");
  }
  const [read, wanted] = (await open).trim().split("\n");
  assert.is(read, wanted, "a file that was open meanwhile");
  assert.is(await work.mountpointPodOf("left"), stays);
  await work.exec("left", "echo still > /data/still && cat /data/still && rm /data/right");
  assert.not.ok(bed.s3.bucket(bucket).objects.get("right"));
});

test("the volume comes back on the node it left, with the same files", async () => {
  const [, two = ""] = bed.nodes;
  const said = await work.runPod({ name: "again", claims: { "/data": "common" }, node: two, script: "cat /data/still && sha256sum -c /data/left.sum" });
  assert.match(said, /still\n.*left: OK/s);
});

test.run();
