// Which workloads share a Mountpoint Pod, and what each of them sees.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { mountpointNamespace } from "../../scripts/kubernetes/install-driver.ts";
import { type ClusterBed, startClusterBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { report } from "./report.ts";
import type { Workspace } from "./workspace.ts";

const test = suite("sharing and permissions");
const signal = AbortSignal.timeout(900_000);
let bed: ClusterBed;
let work: Workspace;

test.before(
  report(async () => {
    bed = await startClusterBed(signal);
    work = await bed.workspace("sharing");
    await work.volume("common");
    await work.readyPod({ name: "first", claims: { "/data": "common" }, securityContext: { fsGroup: 1000 } });
  }),
);
test.after(async () => {
  await work?.remove();
  await bed?.stop();
});

const served = (pod: string) => work.mountpointPodOf(pod);

test("same volume, options and fsGroup: one Mountpoint Pod for both, each sees the other's files", async () => {
  await work.readyPod({ name: "same", claims: { "/data": "common" }, securityContext: { fsGroup: 1000 } });
  assert.is(await served("same"), await served("first"));
  await work.exec("first", "echo hello > /data/from-first");
  assert.match(await work.exec("same", "cat /data/from-first"), /hello/);
});

test("another fsGroup: another Mountpoint Pod", async () => {
  await work.readyPod({ name: "other-group", claims: { "/data": "common" }, securityContext: { fsGroup: 2000 } });
  assert.is.not(await served("other-group"), await served("first"));
});

test("another volume of the same bucket with other options: another Mountpoint Pod", async () => {
  const bucket = work.unique("common");
  await work.volume("options", { bucket, mountOptions: ["read-only"] });
  await work.readyPod({ name: "other-options", claims: { "/data": "options" }, securityContext: { fsGroup: 1000 } });
  assert.is.not(await served("other-options"), await served("first"));
  assert.match(await work.exec("other-options", "cat /data/from-first; touch /data/no 2>&1; true"), /hello\n.*Read-only file system/s);
});

test("a workload that leaves does not disturb the others; the last one takes the Mountpoint Pod along", async () => {
  const pod = await served("other-group");
  await work.deletePod("same");
  assert.match(await work.exec("first", "cat /data/from-first"), /hello/);
  await work.deletePod("other-group");
  await eventually("its Mountpoint Pod is gone", 60, async () => (await bed.cluster.kubectl(["-n", mountpointNamespace, "get", "pod", `${pod}`, "--ignore-not-found", "-o", "name"])) === "");
  assert.ok(await served("first"));
});

test("fsGroup: files belong to the group, and a non-root container of it reads and writes", async () => {
  const securityContext = { runAsUser: 4321, runAsGroup: 4321, runAsNonRoot: true, fsGroup: 1000 };
  const said = await work.runPod({ name: "non-root", claims: { "/data": "common" }, securityContext, script: "id; echo mine > /data/own && cat /data/own && ls -ln /data/own && stat -c '%a %g' /data /data/own" });
  assert.match(said, /uid=4321.*1000/);
  assert.match(said, /mine\n/);
  assert.match(said, /770 1000\n660 1000/);
});

test("without allow-other and fsGroup a foreign user is kept out", async () => {
  await work.volume("closed", { mountOptions: [] });
  const script = "ls /data 2>&1; echo status $?";
  const said = await work.runPod({ name: "foreign", claims: { "/data": "closed" }, securityContext: { runAsUser: 4321, runAsNonRoot: true }, script });
  assert.match(said, /Permission denied/);
});

test("uid, gid and modes by mount options", async () => {
  await work.volume("modes", { mountOptions: ["allow-other", "uid=4321", "gid=4322", "file-mode=0640", "dir-mode=0750"] });
  const script = "echo x > /data/f && mkdir /data/d && stat -c '%u %g %a' /data /data/f /data/d";
  const said = await work.runPod({ name: "modes", claims: { "/data": "modes" }, securityContext: { runAsUser: 4321, runAsGroup: 4322, runAsNonRoot: true }, script });
  assert.is(said.trim(), "4321 4322 750\n4321 4322 640\n4321 4322 750");
});

test("read-only in the pod: refused by the kernel; the volume stays writable for others", async () => {
  const said = await work.runPod({ name: "reader", claims: { "/data": "common" }, securityContext: { fsGroup: 1000 }, readOnly: true, script: "cat /data/from-first; touch /data/no 2>&1; true" });
  assert.match(said, /hello\n.*Read-only file system/s);
  await work.exec("first", "echo more > /data/more");
});

test("ReadOnlyMany: read-only for everybody", async () => {
  const bucket = work.unique("common");
  await work.volume("rox", { bucket, accessModes: ["ReadOnlyMany"] });
  assert.match(await work.runPod({ name: "rox", claims: { "/data": "rox" }, script: "cat /data/from-first; touch /data/no 2>&1; true" }), /hello\n.*Read-only file system/s);
});

test("subPath: a directory of the bucket as the volume", async () => {
  bed.s3.bucket(work.unique("common")).put("inner/deep/file", "found\n");
  const said = await work.runPod({ name: "sub", claims: { "/data": "common" }, securityContext: { fsGroup: 1000 }, subPath: "inner/deep", script: "cat /data/file && echo new > /data/new" });
  assert.match(said, /found/);
  assert.ok(bed.s3.bucket(work.unique("common")).objects.get("inner/deep/new"));
});

test("several buckets in one pod", async () => {
  await work.volume("left");
  await work.volume("right");
  await work.runPod({ name: "both", claims: { "/left": "left", "/right": "right" }, script: "echo l > /left/x && cp /left/x /right/y" });
  assert.ok(bed.s3.bucket(work.unique("left")).objects.get("x"));
  assert.ok(bed.s3.bucket(work.unique("right")).objects.get("y"));
});

test.run();
