// The pure half of the pod mounter: who serves a workload, and why a Mountpoint Pod is not ready.
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Volume } from "../../../src/csi/node/mounter.ts";
import { findAssignment, whyNotAssigned } from "../../../src/csi/node/pod-mounter/assignment.ts";
import { whyNotRunning } from "../../../src/csi/node/pod-mounter/explain-pod.ts";
import type { MountpointS3PodAttachment, Pod } from "../../../src/kube/resources.ts";

const volume = { volumeId: "vol", volumeName: "pv", podUid: "uid-1", fsGroup: "" } as Volume;
const attachment = (spec: Partial<MountpointS3PodAttachment["spec"]> = {}, status?: MountpointS3PodAttachment["status"]) =>
  ({
    metadata: { name: "s3pa-x" },
    spec: {
      nodeName: "n1",
      persistentVolumeName: "pv",
      volumeID: "vol",
      mountOptions: "",
      workloadFSGroup: "",
      mountpointS3PodAttachments: { "mp-a": [], "mp-b": [{ workloadPodUID: "uid-1", attachmentTime: "2026-01-01T00:00:00Z" }] },
      ...spec,
    },
    status,
  }) as MountpointS3PodAttachment;

test("the attachment that lists the workload names its Mountpoint Pod", () => {
  assert.equal(findAssignment([attachment()], "n1", volume), { mountpointPod: "mp-b" });
});

const others: [string, Partial<MountpointS3PodAttachment["spec"]>, Partial<Volume>][] = [
  ["another node", { nodeName: "n2" }, {}],
  ["another PersistentVolume", { persistentVolumeName: "pv2" }, {}],
  ["another volume", { volumeID: "vol2" }, {}],
  ["another fsGroup", { workloadFSGroup: "1000" }, { fsGroup: "2000" }],
  ["another workload", {}, { podUid: "uid-2" }],
];
for (const [title, spec, more] of others) {
  test(`not this one: ${title}`, () => assert.is(findAssignment([attachment(spec)], "n1", { ...volume, ...more }), undefined));
}

test("without an attachment the error names the workload and where to look", () => {
  assert.match(whyNotAssigned([], "n1", volume), /uid-1.*kubectl logs/);
});

test("an attachment that is not ready says why", () => {
  const status = { conditions: [{ type: "Ready", status: "False" as const, reason: "Unschedulable", message: "no room", lastTransitionTime: "2026-01-01T00:00:00Z" }] };
  assert.match(whyNotAssigned([attachment({ mountpointS3PodAttachments: {} }, status)], "n1", volume), /s3pa-x: Unschedulable: no room/);
});

const pods: [string, unknown, RegExp | undefined][] = [
  ["missing", undefined, /does not exist/],
  ["running", { status: { phase: "Running" } }, undefined],
  ["unschedulable", { status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes: Too many pods" }] } }, /cannot be scheduled: Unschedulable: 0\/3 nodes: Too many pods/],
  ["image", { status: { phase: "Pending", containerStatuses: [{ name: "mountpoint", state: { waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image x" } } }] } }, /container mountpoint: ImagePullBackOff: Back-off pulling image x/],
  ["init container", { status: { phase: "Pending", initContainerStatuses: [{ name: "install-ca-cert", state: { waiting: { reason: "CreateContainerConfigError", message: "configmap not found" } } }] } }, /install-ca-cert: CreateContainerConfigError: configmap not found/],
  ["crash loop", { status: { phase: "Running", containerStatuses: [{ name: "mountpoint", state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: { terminated: { exitCode: 1, message: "bad option" } } }] } }, /CrashLoopBackOff; it last ended with code 1: bad option/],
  ["evicted", { status: { phase: "Failed", reason: "Evicted", message: "low on memory" } }, /Failed: Evicted: low on memory/],
  ["deleted", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" }, status: { phase: "Running" } }, /being deleted/],
  ["just pending", { status: { phase: "Pending" } }, /kubelet has not started it yet/],
];
for (const [title, pod, text] of pods) {
  test(`a Mountpoint Pod that is ${title}`, () => {
    const why = whyNotRunning(pod as Pod);
    if (text) assert.match(why ?? "", text);
    else assert.is(why, undefined);
  });
}

test.run();
