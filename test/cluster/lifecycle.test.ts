// The chart's own life: upgrade under load, second replica, uninstall.
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nodeExec } from "../../scripts/cluster/node-exec.ts";
import { applySecret, driverNamespace, uninstallDriver } from "../../scripts/kubernetes/install-driver.ts";
import { markedKey } from "../../scripts/test/secrets/mark.ts";
import { type ClusterBed, startClusterBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { report } from "./report.ts";
import { Traffic } from "./traffic.ts";
import type { Workspace } from "./workspace.ts";

const test = suite("the chart's life");
const signal = AbortSignal.timeout(1_200_000);
let bed: ClusterBed;
let work: Workspace;
let traffic: Traffic;

test.before(
  report(async () => {
    bed = await startClusterBed(signal);
    work = await bed.workspace("life");
    await work.volume("data");
    traffic = await Traffic.start(work, "app", "data");
  }),
);
test.after(async () => {
  await work?.remove().catch(() => {});
  await bed?.stop();
});

test("an upgrade rolls every pod of the driver; a running workload notices nothing", async () => {
  const before = await bed.cluster.kubectl(["-n", driverNamespace, "get", "pods", "-o", "jsonpath={.items[*].metadata.uid}"]);
  await bed.install({ customLabels: { rolled: "once" } });
  const after = await bed.cluster.kubectl(["-n", driverNamespace, "get", "pods", "-l", "rolled=once", "-o", "jsonpath={.items[*].metadata.uid}"]);
  assert.ok(after.split(" ").every((uid) => uid && !before.includes(uid)), "the pods are new");
  await traffic.goesOn();
  assert.is(await traffic.errors(), "");
});

test("two replicas: one leads, both are ready, and workloads start", async () => {
  await bed.install({ controller: { replicas: 2 } });
  const ready = await bed.cluster.kubectl(["-n", driverNamespace, "get", "deployment", "s3-csi-controller", "-o", "jsonpath={.status.readyReplicas}"]);
  assert.is(ready, "2");
  await work.volume("second");
  await work.runPod({ name: "second", claims: { "/data": "second" }, script: "echo x > /data/x && cat /data/x" });
  await bed.install();
  assert.is(await traffic.errors(), "");
});

test("the driver's keys are changed in the Secret: running and new volumes go on with the new ones", async () => {
  const { key } = bed.s3.accounts.create("main", markedKey("ROTATED"));
  await applySecret(bed.cluster.kubectl, driverNamespace, "s3-secret", key);
  // kubelet renews mounted Secrets about once a minute, and republishes volumes as often.
  const used = watchKeys();
  await eventually("only the new key is used", 240, async () => {
    used.clear();
    await delay(2000);
    return used.has(key.accessKeyId) && !used.has(bed.s3.key.accessKeyId);
  });
  bed.s3.accounts.revoke(bed.s3.key.accessKeyId);
  await traffic.goesOn();
  assert.is(await traffic.errors(), "");
});

test("uninstall with nothing mounted leaves nothing but the CRD; installing again works", async () => {
  await work.remove();
  await eventually("no attachment is left", 60, async () => (await bed.cluster.kubectl(["get", "s3pa", "-o", "name"])) === "");
  // The attachment goes first, then the node service unmounts and the Mountpoint Pod goes: only then is nothing mounted.
  await eventually("no Mountpoint Pod is left", 60, async () => (await bed.cluster.kubectl(["get", "pods", "-n", "mount-s3", "-o", "name"])) === "");
  await uninstallDriver(bed.cluster.helm, signal);
  const left = await bed.cluster.kubectl(["get", "all,serviceaccounts,roles,rolebindings,configmaps,networkpolicies,poddisruptionbudgets", "-A", "-l", "app.kubernetes.io/name=scality-mountpoint-s3-csi-driver", "-o", "name"]);
  assert.is(left, "");
  const global = await bed.cluster.kubectl(["get", "csidrivers,clusterroles,clusterrolebindings,priorityclasses,namespaces,validatingadmissionpolicies", "-l", "app.kubernetes.io/name=scality-mountpoint-s3-csi-driver", "-o", "name"]);
  assert.is(global, "");
  assert.match(await bed.cluster.kubectl(["get", "crd", "-o", "name"]), /mountpoints3podattachments/);
  if (bed.cluster.own) assert.not.match(await nodeExec(["cat", "/proc/self/mountinfo"]), /\/kubelet\/.*mountpoint-s3/, "a mount is left");
  await bed.install();
});

test("cleanupCRDOnUninstall takes the CRD along", async () => {
  await bed.install({ cleanupCRDOnUninstall: true });
  await uninstallDriver(bed.cluster.helm, signal);
  await eventually("the CRD is gone", 30, async () => !(await bed.cluster.kubectl(["get", "crd", "-o", "name"])).includes("mountpoints3podattachments"));
});

test.run();

/** The access keys that S3 was asked with since the set was last cleared. */
function watchKeys(): Set<string> {
  const { accounts } = bed.s3;
  const used = new Set<string>();
  const find = accounts.find.bind(accounts);
  accounts.find = (accessKeyId) => {
    used.add(accessKeyId);
    return find(accessKeyId);
  };
  return used;
}
