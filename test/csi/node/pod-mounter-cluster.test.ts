// The node service with Mountpoint Pods, on a real API server. The test plays the reconciler (attachments, pods, annotations) and
// the kubelet (it runs the real daemon in the pod's comm directory).
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { RegistrationDefinition } from "../../../generated/proto/pluginregistration.ts";
import { silentLogger } from "../../../src/core/log.ts";
import { GrpcStatus, grpcStatusOf } from "../../../src/core/grpc-status.ts";
import { connect } from "../../../src/grpc/client.ts";
import { KubeClient } from "../../../src/kube/client.ts";
import { Informer } from "../../../src/kube/informer.ts";
import { attachments, csiNodes, customResourceDefinitions, namespaces, nodes, pods } from "../../../src/kube/resources.ts";
import { isMountPoint } from "../../../src/linux/mount-info.ts";
import { type ControlPlane, startControlPlane } from "../../bed/control-plane.ts";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { type TemporaryFolder, temporaryFolder } from "../../bed/temporary-folder.ts";
import { eventually, type NodeProcess, publishRequest, startNode } from "../bed/node-process.ts";

const root = path.join(import.meta.dirname, "../../..");
const namespace = "mount-s3";
const nodeName = "test-node";

const test = suite<{ plane: ControlPlane; client: KubeClient; s3: Awaited<ReturnType<typeof startEmbeddedS3>>; node: NodeProcess; daemons: ChildProcess[]; registration: TemporaryFolder }>("pod mounter");

test.before(async (context) => {
  context.daemons = [];
  context.registration = await temporaryFolder("registration");
  context.plane = await startControlPlane();
  context.client = await KubeClient.connect({ kubeconfig: context.plane.kubeconfig });
  const { client } = context;
  await client.create(customResourceDefinitions, parse(readFileSync(path.join(root, "crds/mountpoints3podattachments.yaml"), "utf8")));
  await client.create(namespaces, { metadata: { name: namespace } });
  const taints = [
    { key: "s3.csi.scality.com/agent-not-ready", effect: "NoExecute" },
    { key: "other", effect: "NoSchedule" },
  ];
  await client.create(nodes, { metadata: { name: nodeName }, spec: { taints } });
  for (let served = false; !served; ) served = await client.list(attachments).then(() => true, () => false);
  context.s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data"] });
  context.node = await startNode(
    { endpoint: context.s3.endpoint, region: "us-east-1", ...testAccount },
    { env: { MOUNTER_KIND: "pod", KUBECONFIG: context.plane.kubeconfig, BUILTIN_REGISTRATION: "true", REGISTRATION_DIR: context.registration.path, HEALTH_PORT: "0", PUBLISH_TIMEOUT: "15s", UNMOUNT_SCAN_INTERVAL: "2s" } },
  );
});
test.after(async ({ plane, client, s3, node, daemons, registration }) => {
  for (const daemon of daemons) daemon.kill("SIGKILL");
  await node?.stop();
  await s3?.stop();
  client?.close();
  await plane?.stop();
  await registration?.remove();
  rmSync("/comm", { recursive: true, force: true });
});

async function createPod(client: KubeClient, name: string): Promise<string> {
  const made = await client.create(pods, { metadata: { name, namespace }, spec: { nodeName, containers: [{ name: "mountpoint", image: "x" }] } });
  return made.metadata?.uid ?? "";
}

async function setStatus(client: KubeClient, name: string, status: object): Promise<void> {
  await client.patch(pods, { name, namespace }, { status }, { subresource: "status" });
}

async function attach(client: KubeClient, name: string, mountpointPod: string, workloads: readonly string[]): Promise<void> {
  await client.create(attachments, {
    apiVersion: "s3.csi.scality.com/v2",
    kind: "MountpointS3PodAttachment",
    metadata: { name },
    spec: {
      nodeName,
      persistentVolumeName: name,
      volumeID: "data",
      mountOptions: "",
      workloadFSGroup: "",
      mountpointS3PodAttachments: { [mountpointPod]: workloads.map((workloadPodUID) => ({ workloadPodUID, attachmentTime: new Date().toISOString() })) },
    },
  });
}

function startDaemon(node: NodeProcess, uid: string, daemons: ChildProcess[]): ChildProcess {
  const comm = path.join(node.kubelet, "pods", uid, "volumes", "kubernetes.io~empty-dir", "comm");
  mkdirSync(comm, { recursive: true });
  // A container's view of it: the directory is called /comm there.
  mkdirSync("/comm", { recursive: true });
  const script = 'mount --bind "$0" /comm && exec "$@"';
  const daemon = spawn("unshare", ["--mount", "--propagation", "slave", "sh", "-c", script, comm, process.execPath, path.join(root, "src/bin/mountpoint.ts")], {
    env: { PATH: process.env["PATH"], METRICS_PORT: "0", LOG_LEVEL: "warn" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  daemons.push(daemon);
  return daemon;
}

const failure = (call: Promise<unknown>) => call.then(() => assert.unreachable("it must fail"), (error: Error) => error) as Promise<Error>;

test("registers with kubelet, and takes the startup taint off when it is registered", async ({ client, node, registration: folder }) => {
  using registration = connect(RegistrationDefinition, { endpoint: path.join(folder.path, "s3.csi.scality.com-reg.sock") });
  const info = await registration.call.getInfo({});
  assert.equal([info.type, info.name, info.endpoint], ["CSIPlugin", "s3.csi.scality.com", `${node.kubelet}/plugins/s3.csi.scality.com/csi.sock`]);
  await registration.call.notifyRegistrationStatus({ pluginRegistered: true, error: "" });
  const tainted = (taints: readonly { key?: string }[] | undefined) => (taints ?? []).some(({ key }) => key === "s3.csi.scality.com/agent-not-ready");
  assert.ok(tainted((await client.get(nodes, { name: nodeName })).spec?.taints), "not before");
  await client.create(csiNodes, { metadata: { name: nodeName }, spec: { drivers: [{ name: "s3.csi.scality.com", nodeID: nodeName }] } });
  const stop = new AbortController();
  const informer = new Informer({ client, resource: nodes, log: silentLogger, slim: (object) => object });
  void informer.run(stop.signal);
  const left = await informer.until((store) => {
    const taints = store.get(nodeName)?.spec?.taints ?? [];
    return tainted(taints) || taints.length === 0 ? undefined : taints;
  }, AbortSignal.timeout(30_000));
  stop.abort();
  assert.ok(left.some(({ key }) => key === "other"), "the others stay");
});

test("without an attachment the error names the workload", async ({ node }) => {
  const error = await failure(node.call.nodePublishVolume(publishRequest("data", node.target("lonely", "pv-lonely"))));
  assert.is(grpcStatusOf(error), GrpcStatus.DEADLINE_EXCEEDED);
  assert.match(error.message, /lonely.*kubectl logs/);
});

test("a Mountpoint Pod that does not come up: the error says why", async ({ client, node }) => {
  await createPod(client, "mp-pending");
  await attach(client, "pv-pending", "mp-pending", ["w-pending"]);
  const waiting = { name: "mountpoint", image: "x", imageID: "", ready: false, restartCount: 0, state: { waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image x" } } };
  await setStatus(client, "mp-pending", { phase: "Pending", containerStatuses: [waiting] });
  const error = await failure(node.call.nodePublishVolume(publishRequest("data", node.target("w-pending", "pv-pending"))));
  assert.match(error.message, /mp-pending.*ImagePullBackOff: Back-off pulling image x/);
  await setStatus(client, "mp-pending", { phase: "Failed", reason: "Evicted", message: "low on memory" });
  const evicted = await failure(node.call.nodePublishVolume(publishRequest("data", node.target("w-pending", "pv-pending"))));
  assert.match(evicted.message, /Evicted: low on memory/);
});

test("a Mountpoint Pod that is made anew under its name: who waits for the old one is told, and the next call is served", async ({ client, node, daemons }) => {
  const wrongImage = { name: "mountpoint", image: "x", imageID: "", ready: false, restartCount: 0, state: { waiting: { reason: "ErrImagePull", message: "no such image" } } };
  const target = node.target("w-again", "pv-again");
  const old = await createPod(client, "mp-again");
  await setStatus(client, "mp-again", { phase: "Pending", containerStatuses: [wrongImage] });
  await attach(client, "pv-again", "mp-again", ["w-again"]);
  const first = failure(node.call.nodePublishVolume(publishRequest("data", target)));
  await eventually("the call waits", () => node.log().includes("w-again"));
  await client.delete(pods, { name: "mp-again", namespace }, { gracePeriodSeconds: 0 });
  const uid = await createPod(client, "mp-again");
  assert.is.not(uid, old);
  startDaemon(node, uid, daemons);
  await setStatus(client, "mp-again", { phase: "Running" });
  assert.match((await first).message, /mp-again was replaced/);
  await node.call.nodePublishVolume(publishRequest("data", target));
  assert.equal(await readdir(target), []);
  await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: target });
  await client.delete(pods, { name: "mp-again", namespace }, { gracePeriodSeconds: 0 });
  await eventually("the source is gone", () => node.mounts().length === 0, 20_000);
});

test("publish waits for attachment and pod; shares; survives the container; ends on needs-unmount", async ({ client, node, daemons, s3 }) => {
  const [one, two] = [node.target("w1", "pv-1"), node.target("w2", "pv-1")];
  const first = node.call.nodePublishVolume(publishRequest("data", one));
  const uid = await createPod(client, "mp-1");
  await attach(client, "pv-1", "mp-1", ["w1", "w2"]);
  const daemon = startDaemon(node, uid, daemons);
  await setStatus(client, "mp-1", { phase: "Running" });
  await first;
  await node.call.nodePublishVolume(publishRequest("data", two));
  await writeFile(path.join(one, "a"), "1");
  assert.equal(await readdir(two), ["a"]);
  const source = path.join(node.kubelet, "plugins/s3.csi.scality.com/mnt/mp-1");
  assert.ok(isMountPoint(source));

  daemon.kill("SIGKILL");
  await once(daemon, "exit");
  const successor = startDaemon(node, uid, daemons);
  await writeFile(path.join(one, "b"), "2");
  assert.equal((await readdir(two)).sort(), ["a", "b"]);
  assert.ok(s3.endpoint);

  await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: one });
  assert.ok(isMountPoint(source), "the source stays for the other workload");
  await client.patch(pods, { name: "mp-1", namespace }, { metadata: { annotations: { "s3.csi.scality.com/needs-unmount": "true" } } });
  await eventually("it is seen to be in use", () => node.log().includes("still in use"), 20_000);
  assert.ok(isMountPoint(source), "not while it is used");
  await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: two });
  const [code] = (await once(successor, "exit", { signal: AbortSignal.timeout(30_000) })) as [number];
  assert.is(code, 0, "the daemon ends in order");
  await eventually("the source is gone", () => !isMountPoint(source) && node.mounts().length === 0);
});

test("a source without a pod is unmounted by the scan", async ({ client, node, daemons }) => {
  const uid = await createPod(client, "mp-2");
  await attach(client, "pv-2", "mp-2", ["w3"]);
  startDaemon(node, uid, daemons);
  await setStatus(client, "mp-2", { phase: "Running" });
  const target = node.target("w3", "pv-2");
  await node.call.nodePublishVolume(publishRequest("data", target));
  await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: target });
  assert.is(node.mounts().length, 1);
  await client.delete(pods, { name: "mp-2", namespace }, { gracePeriodSeconds: 0 });
  await eventually("the source is gone", () => node.mounts().length === 0, 20_000);
});

test.run();
