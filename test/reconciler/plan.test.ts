// The plan as a table: what is seen, and what is done about it.
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { MountpointS3PodAttachment } from "../../src/kube/resources.ts";
import type { MountpointPod } from "../../src/reconciler/observed-pods.ts";
import { type Action, type Entries, isSuitable, type Observation, plan, type WorkloadState } from "../../src/reconciler/plan.ts";
import { mountpointPodName } from "../../src/reconciler/sharing-key.ts";

const key = { nodeName: "n", persistentVolumeName: "pv", volumeID: "id", mountOptions: "", workloadFSGroup: "" };
const now = Date.parse("2026-01-01T01:00:00Z");
const threshold = 120_000;
const ago = (ms: number) => new Date(now - ms).toISOString();
const [gen0, gen1] = [mountpointPodName(key, 0), mountpointPodName(key, 1)];

const workload = (more: Partial<WorkloadState> = {}): WorkloadState => ({ life: "starting", terminating: false, wants: true, attachedBefore: false, ...more });
const running = workload({ life: "running" });
const ended = workload({ life: "ended", wants: false });

function pod(name: string, more: Partial<MountpointPod> = {}): MountpointPod {
  const metadata = { name, namespace: "mount-s3", uid: `uid-${name}`, resourceVersion: "1" };
  const state = { createdAt: now - 10_000, nodeName: "n", phase: "Running", terminating: false, started: true, ready: true, reason: "", message: "" };
  return { role: "mountpoint", metadata, ...state, version: "1", needsUnmount: false, needsUnmountSince: now, noNewWorkload: false, sharingKey: "", ...more };
}

const fresh = { phase: "Pending", started: false, ready: false } as const;

function attachment(entries: Readonly<Record<string, readonly (string | readonly [string, number])[]>>, name = "s3pa-a", age = 60_000): MountpointS3PodAttachment {
  const list = (uids: readonly (string | readonly [string, number])[]) =>
    uids.map((uid) => (typeof uid === "string" ? { workloadPodUID: uid, attachmentTime: ago(30_000) } : { workloadPodUID: uid[0], attachmentTime: ago(uid[1]) }));
  const mountpointS3PodAttachments = Object.fromEntries(Object.entries(entries).map(([podName, uids]) => [podName, list(uids)]));
  return {
    apiVersion: "s3.csi.scality.com/v2",
    kind: "MountpointS3PodAttachment",
    metadata: { name, creationTimestamp: ago(age) },
    spec: { ...key, mountpointS3PodAttachments },
  };
}

interface Seen {
  readonly attachments?: readonly MountpointS3PodAttachment[];
  readonly pods?: readonly MountpointPod[];
  readonly workloads?: Readonly<Record<string, WorkloadState>>;
  readonly notBefore?: Readonly<Record<string, number>>;
}

const rows: readonly (readonly [title: string, seen: Seen, wanted: readonly string[], againMs?: number])[] = [
  // attach
  ["nothing at all: nothing to do", {}, []],
  ["a starting workload: a pod, then an attachment", { workloads: { a: workload() } }, [`create ${gen0} new`, `attach ${gen0}=a`]],
  ["two at once share from the start", { workloads: { a: workload(), b: workload() } }, [`create ${gen0} new`, `attach ${gen0}=a,b`]],
  ["a second one joins", { attachments: [attachment({ m: ["a"] })], pods: [pod("m")], workloads: { a: running, b: workload() } }, ["update s3pa-a m=a,b"]],
  ["it joins a pod that is still pending", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", fresh)], workloads: { a: workload(), b: workload() } }, ["update s3pa-a m=a,b"]],
  ["already listed: nothing to do", { attachments: [attachment({ m: ["a"] })], pods: [pod("m")], workloads: { a: workload() } }, []],
  ["running without an attachment, from v1: nothing to do", { workloads: { a: running } }, []],
  ["running without an attachment beside a v2 workload: nothing to do", { attachments: [attachment({ m: ["b"] })], pods: [pod("m")], workloads: { a: running, b: running } }, []],
  ["running, its attachment lost, its pod still there: attached again", { pods: [pod("m")], workloads: { a: running } }, ["attach m=a"]],
  ["running, attached before: this one got lost", { workloads: { a: workload({ life: "running", attachedBefore: true }) } }, [`create ${gen0} new`, `attach ${gen0}=a`]],
  ["terminating before it was attached: nothing to do", { workloads: { a: workload({ terminating: true }) } }, []],
  ["ended before it was attached: nothing to do", { workloads: { a: ended } }, []],
  ["a pod half-made before is used", { pods: [pod("m", fresh)], workloads: { a: workload() } }, ["attach m=a"]],
  ["attached under another key, since its volume was edited: stays there", { workloads: { a: workload({ elsewhereSince: now - 5 }) } }, []],
  // unsuitable pods
  ["needs-unmount takes nobody", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", { needsUnmount: true })], workloads: { a: running, b: workload() } }, [`create ${gen0} new`, `update s3pa-a m=a ${gen0}=b`]],
  ["no-new-workload takes nobody", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", { noNewWorkload: true })], workloads: { a: running, b: workload() } }, [`create ${gen0} new`, `update s3pa-a m=a ${gen0}=b`]],
  ["another driver version takes nobody", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", { version: "0" })], workloads: { a: running, b: workload() } }, [`create ${gen0} new`, `update s3pa-a m=a ${gen0}=b`]],
  ["terminating takes nobody", { attachments: [attachment({ [gen0]: ["a"] })], pods: [pod(gen0, { terminating: true })], workloads: { a: running, b: workload() } }, [`create ${gen1} new`, `update s3pa-a ${gen0}=a ${gen1}=b`]],
  ["failed takes nobody, its replacement does", { attachments: [attachment({ [gen0]: ["a"] })], pods: [pod(gen0, { phase: "Failed" })], workloads: { a: running, b: workload() } }, [`delete ${gen0} failed`, `update s3pa-a ${gen0}=a,b`]],
  ["of two pods the suitable one takes the next", { attachments: [attachment({ l: ["a"], m: ["b"] })], pods: [pod("l", { version: "0" }), pod("m")], workloads: { a: running, b: running, c: workload() } }, ["update s3pa-a l=a m=b,c"]],
  ["starting on a pod about to unmount: goes to another", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", { needsUnmount: true })], workloads: { a: workload() } }, [`create ${gen0} new`, `update s3pa-a ${gen0}=a`]],
  // detach
  ["one of two ends", { attachments: [attachment({ m: ["a", "b"] })], pods: [pod("m")], workloads: { a: ended, b: running } }, ["update s3pa-a m=b"]],
  ["the last one ends", { attachments: [attachment({ m: ["a"] })], pods: [pod("m")], workloads: { a: ended } }, ["unmount m", "remove s3pa-a"]],
  ["the last one ends before the pod ever ran", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", fresh)], workloads: { a: ended } }, ["delete m unused", "remove s3pa-a"]],
  ["the last one ends, its pod is gone already", { attachments: [attachment({ m: ["a"] })], workloads: { a: ended } }, ["remove s3pa-a"]],
  ["the last of one pod ends, another pod serves on", { attachments: [attachment({ l: ["a"], m: ["b"] })], pods: [pod("l", { version: "0" }), pod("m")], workloads: { a: ended, b: running } }, ["unmount l", "update s3pa-a m=b"]],
  ["ended and terminating comes back: newcomers wait for it", { attachments: [attachment({ [gen0]: ["a"] })], pods: [pod(gen0, { terminating: true, phase: "Succeeded" })], workloads: { a: running, b: workload() } }, [`update s3pa-a ${gen0}=a,b`]],
  ["terminating but still running keeps its attachment", { attachments: [attachment({ m: ["a"] })], pods: [pod("m")], workloads: { a: workload({ life: "running", terminating: true }) } }, []],
  ["terminating while its init containers run keeps its attachment", { attachments: [attachment({ m: ["a"] })], pods: [pod("m")], workloads: { a: workload({ terminating: true }) } }, []],
  ["the last one ends as a new one starts: the pod is kept", { attachments: [attachment({ m: ["a"] })], pods: [pod("m")], workloads: { a: ended, b: workload() } }, ["update s3pa-a m=b"]],
  ["marked, unmounted, ended: the pod goes", { pods: [pod("m", { needsUnmount: true, phase: "Succeeded" })] }, ["delete m ended"]],
  ["marked and still unmounting: wait", { pods: [pod("m", { needsUnmount: true })] }, []],
  ["crash after the mark: the rest is done", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", { needsUnmount: true })], workloads: { a: ended } }, ["remove s3pa-a"]],
  // heal
  ["deleted under its workloads: made again under its name", { attachments: [attachment({ m: ["a"] })], workloads: { a: running } }, ["create m lost"]],
  ["deleted under its workloads, a new one comes: shares the replacement", { attachments: [attachment({ m: ["a"] })], workloads: { a: running, b: workload() } }, ["create m lost", "update s3pa-a m=a,b"]],
  ["lost again and again: not at once", { attachments: [attachment({ m: ["a"] })], workloads: { a: running }, notBefore: { m: now + 3_000 } }, [], 3_000],
  ["failed under its workloads: makes room for its replacement", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", { phase: "Failed" })], workloads: { a: running } }, ["delete m failed"]],
  ["ended under its workloads: makes room too", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", { phase: "Succeeded" })], workloads: { a: running } }, ["delete m ended"]],
  ["terminating under its workloads: wait until it is gone", { attachments: [attachment({ m: ["a"] })], pods: [pod("m", { terminating: true })], workloads: { a: running } }, []],
  ["missing, but none of its workloads is known: wait", { attachments: [attachment({ m: ["a"] })] }, []],
  // repair
  ["two attachments of one key become one, the older", { attachments: [attachment({ m: ["b"] }, "s3pa-b", 10), attachment({ l: ["a"] }, "s3pa-a", 99)], pods: [pod("l"), pod("m")], workloads: { a: running, b: running } }, ["update s3pa-a l=a m=b", "remove s3pa-b"]],
  ["crash after the merge: the duplicate goes", { attachments: [attachment({ l: ["a"], m: ["b"] }, "s3pa-a", 99), attachment({ m: ["b"] }, "s3pa-b", 10)], pods: [pod("l"), pod("m")], workloads: { a: running, b: running } }, ["remove s3pa-b"]],
  ["an empty duplicate goes", { attachments: [attachment({ l: ["a"] }, "s3pa-a", 99), attachment({}, "s3pa-b", 10)], pods: [pod("l")], workloads: { a: running } }, ["remove s3pa-b"]],
  ["an empty attachment goes", { attachments: [attachment({})] }, ["remove s3pa-a"]],
  ["an empty list goes", { attachments: [attachment({ l: [], m: ["a"] })], pods: [pod("l"), pod("m")], workloads: { a: running } }, ["unmount l", "update s3pa-a m=a"]],
  ["an empty attachment is filled where one is needed", { attachments: [attachment({})], workloads: { a: workload() } }, [`create ${gen0} new`, `update s3pa-a ${gen0}=a`]],
  ["listed at two pods: stays at the one that serves", { attachments: [attachment({ l: [["a", 50]], m: [["a", 10]] })], pods: [pod("l", { phase: "Failed" }), pod("m")], workloads: { a: running } }, ["delete l failed", "update s3pa-a m=a"]],
  ["listed at two pods that serve: stays at the older", { attachments: [attachment({ l: [["a", 10]], m: [["a", 50]] })], pods: [pod("l"), pod("m")], workloads: { a: running } }, ["unmount l", "update s3pa-a m=a"]],
  ["listed under two keys: stays under the older", { attachments: [attachment({ m: [["a", 10]] })], pods: [pod("m")], workloads: { a: workload({ life: "running", elsewhereSince: now - 50 }) } }, ["unmount m", "remove s3pa-a"]],
  ["listed under two keys: the older one does nothing", { attachments: [attachment({ m: [["a", 50]] })], pods: [pod("m")], workloads: { a: workload({ life: "running", elsewhereSince: now - 10 }) } }, []],
  // stale
  ["an unknown workload, young: perhaps we are behind", { attachments: [attachment({ m: [["a", threshold - 1]] })], pods: [pod("m")] }, []],
  ["an unknown workload past the threshold: gone", { attachments: [attachment({ m: [["a", threshold + 1]] })], pods: [pod("m")] }, ["unmount m", "remove s3pa-a"]],
  ["a pod without an attachment, young: perhaps it is on its way", { pods: [pod("m", { createdAt: now - threshold + 1 })] }, []],
  ["a pod without an attachment past the threshold: unmounted", { pods: [pod("m", { createdAt: now - threshold - 1 })] }, ["unmount m"]],
  ["one that never ran: deleted", { pods: [pod("m", { ...fresh, createdAt: now - threshold - 1 })] }, ["delete m unused"]],
  ["a failed pod without an attachment: deleted at once", { pods: [pod("m", { phase: "Failed" })] }, ["delete m failed"]],
  ["marked past the threshold and nobody unmounts: deleted", { pods: [pod("m", { needsUnmount: true, needsUnmountSince: now - threshold - 1 })] }, ["delete m overdue"]],
];

for (const [title, seen, wanted, againMs] of rows) {
  test(title, () => {
    const made = plan(observation(seen));
    assert.equal(made.actions.map(write).map(inOrder), wanted.map(inOrder));
    assert.is(made.againMs, againMs);
  });
}

test("a plan carried out leaves nothing to do", () => {
  for (const [title, seen] of rows) {
    let state = observation(seen);
    for (let round = 0; round < 6; round += 1) {
      const { actions } = plan(state);
      if (actions.length === 0) break;
      state = carryOut(state, actions);
      assert.ok(round < 5, `${title}: still busy after ${round} rounds`);
    }
  }
});

test("cut off after any step, the next plan leads to the same end", () => {
  for (const [title, seen] of rows) {
    const whole = settle(observation(seen));
    const { actions } = plan(observation(seen));
    for (let steps = 1; steps < actions.length; steps += 1) {
      const partly = settle(carryOut(observation(seen), actions.slice(0, steps)));
      const entries = (state: Observation) => JSON.stringify(state.attachments.map((item) => write({ type: "createAttachment", entries: item.spec.mountpointS3PodAttachments })));
      assert.is(entries(partly), entries(whole), `${title}, cut after step ${steps}`);
    }
  }
});

test("suitability, every way to lose it", () => {
  assert.ok(isSuitable(pod("m"), "1"));
  assert.ok(isSuitable(pod("m", fresh), "1"));
  for (const flaw of [{ terminating: true }, { phase: "Failed" }, { phase: "Succeeded" }, { needsUnmount: true }, { noNewWorkload: true }, { version: "2" }]) {
    assert.not.ok(isSuitable(pod("m", flaw), "1"), JSON.stringify(flaw));
  }
});

test.run();

function observation(seen: Seen): Observation {
  return {
    key,
    attachments: seen.attachments ?? [],
    pods: new Map(seen.pods?.map((item) => [item.metadata.name, item])),
    workloads: new Map(Object.entries(seen.workloads ?? {})),
    now,
    driverVersion: "1",
    staleThresholdMs: threshold,
    notBefore: new Map(Object.entries(seen.notBefore ?? {})),
  };
}

function write(action: Action): string {
  const entries = (map: Entries) => Object.entries(map).map(([name, list]) => `${name}=${list.map((entry) => entry.workloadPodUID)}`).sort().join(" ");
  if (action.type === "createPod") return `create ${action.name} ${action.because}`;
  if (action.type === "markUnmount") return `unmount ${action.pod.metadata.name}`;
  if (action.type === "deletePod") return `delete ${action.pod.metadata.name} ${action.because}`;
  if (action.type === "createAttachment") return `attach ${entries(action.entries)}`;
  if (action.type === "updateAttachment") return `update ${action.attachment.metadata.name} ${entries(action.entries)}`;
  return `remove ${action.attachment.metadata.name}`;
}

/** Entries are named in any order. */
function inOrder(text: string): string {
  return text.split(" ").sort().join(" ");
}

function settle(state: Observation): Observation {
  for (let round = 0; round < 6; round += 1) state = carryOut(state, plan(state).actions);
  return state;
}

/** The cluster after these actions, where pods do what they are told at once. */
function carryOut(state: Observation, actions: readonly Action[]): Observation {
  const pods = new Map(state.pods);
  let attachments = [...state.attachments];
  for (const action of actions) {
    if (action.type === "createPod") pods.set(action.name, pod(action.name, fresh));
    else if (action.type === "markUnmount") pods.set(action.pod.metadata.name, pod(action.pod.metadata.name, { needsUnmount: true }));
    else if (action.type === "deletePod") pods.delete(action.pod.metadata.name);
    else if (action.type === "createAttachment") attachments.push({ ...attachment({}, "s3pa-new", 0), spec: { ...key, mountpointS3PodAttachments: action.entries } });
    else if (action.type === "updateAttachment") {
      attachments = attachments.map((item) => (item === action.attachment || item.metadata.name === action.attachment.metadata.name ? { ...item, spec: { ...key, mountpointS3PodAttachments: action.entries } } : item));
    } else attachments = attachments.filter((item) => item.metadata.name !== action.attachment.metadata.name);
  }
  return { ...state, pods, attachments };
}
