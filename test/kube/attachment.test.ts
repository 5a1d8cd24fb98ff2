import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../src/core/log.ts";
import { attachmentFault, validAttachment } from "../../src/kube/attachment.ts";
import type { MountpointS3PodAttachment } from "../../src/kube/resources.ts";

const test = suite("attachment at the edge");

const workload = { workloadPodUID: "5b7d3f0a-98c1-4c55-8a43-0a3c1e6c9d11", attachmentTime: "2026-04-01T12:00:00Z" };

function attachment(spec: Record<string, unknown> = {}): MountpointS3PodAttachment {
  const whole = {
    nodeName: "n", persistentVolumeName: "p", volumeID: "v", mountOptions: "", workloadFSGroup: "",
    mountpointS3PodAttachments: { "mp-0a1b": [workload] }, ...spec,
  };
  return {
    apiVersion: "s3.csi.scality.com/v2",
    kind: "MountpointS3PodAttachment",
    metadata: { name: "s3pa-x7k2p", managedFields: [{ manager: "somebody" }] },
    spec: whole as MountpointS3PodAttachment["spec"],
  };
}

test("what the driver before wrote passes, without its managed fields", () => {
  const passed = validAttachment(createLogger({ level: "warn", component: "test", write: () => assert.unreachable("nothing to warn of") }))(attachment());
  assert.equal([passed?.metadata.name, passed?.metadata.managedFields], ["s3pa-x7k2p", undefined]);
});

const wrong: [string, Record<string, unknown>, string][] = [
  ["a Mountpoint Pod that leaves its directory", { mountpointS3PodAttachments: { "../../etc": [workload] } }, '"../../etc" is not the name of a pod'],
  ["a Mountpoint Pod of two dots", { mountpointS3PodAttachments: { "..": [workload] } }, "is not the name of a pod"],
  ["a Mountpoint Pod with an endless name", { mountpointS3PodAttachments: { ["a".repeat(254)]: [workload] } }, "is not the name of a pod"],
  ["a workload UID that is a path", { mountpointS3PodAttachments: { mp: [{ ...workload, workloadPodUID: "../x" }] } }, "workloadPodUID must match pattern"],
  ["no map of workloads", { mountpointS3PodAttachments: undefined }, "mountpointS3PodAttachments"],
  ["an fsGroup that is no number", { workloadFSGroup: "staff" }, "workloadFSGroup must match pattern"],
];
for (const [title, spec, message] of wrong) {
  test(`ignored with a warning: ${title}`, () => {
    assert.match(attachmentFault(attachment(spec)) ?? "", message);
    const lines: string[] = [];
    assert.is(validAttachment(createLogger({ level: "warn", component: "test", write: (line) => lines.push(line) }))(attachment(spec)), undefined);
    assert.match(lines.join(""), "s3pa-x7k2p");
  });
}

test.run();
