// Every part of the driver and of the node killed while a workload reads and writes: it must not notice.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Component, restartComponent } from "../../scripts/cluster/components.ts";
import { driverNamespace, mountpointNamespace } from "../../scripts/kubernetes/install-driver.ts";
import { type ClusterBed, startClusterBed } from "./bed.ts";
import { killContainer } from "./kill-container.ts";
import { report } from "./report.ts";
import { Traffic } from "./traffic.ts";
import type { Workspace } from "./workspace.ts";

const test = suite("resilience");
const signal = AbortSignal.timeout(1_500_000);
let bed: ClusterBed;
let work: Workspace;
let traffic: Traffic;

test.before(
  report(async () => {
    bed = await startClusterBed(signal);
    work = await bed.workspace("kill");
    await work.volume("data");
    traffic = await Traffic.start(work, "app", "data");
    await work.readyPod({ name: "part", claims: { "/data": "data" }, subPath: "w", node: await nodeOfApp() });
  }),
);
test.after(async () => {
  await work?.remove();
  await bed?.stop();
});
/** Something is done to the driver or the node, and the workload goes on without a single error. */
function unharmed(title: string, harm: () => Promise<unknown>): void {
  test(title, async () => {
    await harm();
    await traffic.goesOn(120);
    assert.is(await traffic.errors(), "");
  });
}

const kill = (namespace: string, pod: string, container: string) => killContainer(bed, work, { namespace, pod, container }, signal);
const nodeOfApp = async () => (await work.kubectl(["get", "pod", "app", "-o", "jsonpath={.spec.nodeName}"])).trim();
/** The one beside the workload, of those that every node has. */
const podOf = async (app: string) => {
  const node = app === "s3-csi-node" ? ["--field-selector", `spec.nodeName=${await nodeOfApp()}`] : [];
  return (await bed.cluster.kubectl(["-n", driverNamespace, "get", "pods", "-l", `app=${app}`, ...node, "-o", "jsonpath={.items[0].metadata.name}"])).trim();
};

for (const [app, container] of [["s3-csi-node", "s3-plugin"], ["s3-csi-controller", "s3-csi-controller"], ["s3-csi-controller", "s3-pod-reconciler"], ["s3-csi-controller", "csi-provisioner"]] as const) {
  unharmed(`kill -9 of ${container}`, async () => {
    await kill(driverNamespace, await podOf(app), container);
    await traffic.goesOn();
    await bed.cluster.kubectl(["-n", driverNamespace, "wait", "pod", "-l", `app=${app}`, "--for=condition=Ready", "--timeout=120s"]);
  });
}

unharmed("kill -9 of the Mountpoint Pod's daemon", async () => {
  const pod = (await work.mountpointPodOf("app")) ?? "";
  await kill(mountpointNamespace, pod, "mountpoint");
  await traffic.goesOn(90);
  assert.is(await work.mountpointPodOf("app"), pod);
  assert.is(await work.mountpointPodOf("part"), pod);
  assert.is((await work.exec("part", "echo x > /data/of-part && wc -c < /data/1")).trim(), "200000", "a container that sees a part of the volume sees it still");
});

for (const app of ["s3-csi-node", "s3-csi-controller"]) {
  unharmed(`the pod of ${app} deleted`, async () => {
    await bed.cluster.kubectl(["-n", driverNamespace, "delete", "pod", "-l", `app=${app}`, "--wait"]);
    await traffic.goesOn();
    await bed.cluster.kubectl(["-n", driverNamespace, "rollout", "status", app === "s3-csi-node" ? "daemonset/s3-csi-node" : "deployment/s3-csi-controller", "--timeout=120s"]);
  });
}

for (const component of ["kubelet", "kube-apiserver", "etcd", "kube-controller-manager", "kube-scheduler"] satisfies Component[]) {
  unharmed(`kill -9 of ${component}`, async () => {
    if (bed.cluster.own) await restartComponent(component, signal);
  });
}

test("afterwards a new workload starts as ever, and what was written is in S3", async () => {
  await work.volume("fresh");
  await work.runPod({ name: "fresh", claims: { "/data": "fresh" }, script: "echo x > /data/x && cat /data/x" }, 120);
  const rounds = await traffic.rounds();
  const bucket = bed.s3.bucket(work.unique("data"));
  for (let round = 1; round <= rounds; round++) assert.is(bucket.objects.get(`w/${round}`)?.content.size, 200_000, `round ${round}`);
});

test.run();
