// The Kubernetes project's own suite for CSI drivers, against both running services, real S3 servers and the real kernel.
// Specs may only be skipped for what the driver does not claim to do; each skip has its reason here.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { startProcess } from "../bed/process.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";
import { startController } from "../csi/bed/controller-process.ts";
import { startNode } from "../csi/bed/node-process.ts";
import { servers } from "../csi/bed/servers.ts";

/** By the suite's own words for what it found missing; the first that matches counts. */
const reasons: [matching: RegExp, reason: string][] = [
  [/Snapshot/i, "S3 buckets have no snapshots"],
  [/ListVolumes|GetCapacity|ControllerGetVolume/i, "S3 has no capacity, and which buckets are volumes is Kubernetes' to know"],
  [/Modify ?volume|attribute class/i, "a bucket has no attributes to modify"],
  [/Expand/i, "a bucket has no size to expand"],
  [/Clon|existing source volume/i, "buckets are not cloned"],
  [/Controller ?Publish|Controller ?Unpublish/i, "there is nothing to attach"],
  [/NodeStage|NodeUnstage/i, "a mount is shared by its options and fsGroup, not by the volume alone, so it is made at publish"],
  [/GroupController/i, "there are no group snapshots"],
  [/StorageHealth|ListVolumeHealth/i, "health is told per volume, by the node"],
];

interface Spec {
  readonly LeafNodeText: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly State: string;
  readonly LeafNodeType: string;
  readonly Failure?: { readonly Message: string };
}

const test = suite("csi-sanity");
for (const [name, start] of Object.entries(servers)) {
  test(`all specs that apply, on ${name}`, async () => {
    const sanity = await ensureTool("csi-sanity");
    const s3 = await start();
    const folder = await temporaryFolder("sanity");
    const controller = await startController(s3);
    const node = await startNode(s3, { env: { MAX_VOLUMES_PER_NODE: "0" } });
    try {
      const pod = path.join(node.kubelet, "pods", "sanity");
      mkdirSync(pod, { recursive: true });
      const report = path.join(folder.path, "report.json");
      const parameters = path.join(folder.path, "parameters.yaml");
      writeFileSync(parameters, "onDelete: purge\n");
      const run = await startProcess({
        name: "csi-sanity",
        file: sanity,
        args: [
          `--csi.endpoint=unix://${node.socket}`,
          `--csi.controllerendpoint=unix://${controller.socket}`,
          `--csi.mountdir=${path.join(pod, "mount")}`,
          `--csi.stagingdir=${path.join(pod, "staging")}`,
          `--csi.testvolumeparameters=${parameters}`,
          `--ginkgo.json-report=${report}`,
          "--ginkgo.no-color",
        ],
      });
      await Promise.race([run.ended, new Promise((_, reject) => setTimeout(() => reject(new Error("csi-sanity did not end")), 300_000).unref())]);
      const specs = (JSON.parse(readFileSync(report, "utf8")) as { SpecReports: Spec[] }[])[0]?.SpecReports.filter((spec) => spec.LeafNodeType === "It") ?? [];
      const title = (spec: Spec) => [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(" ");
      const count = (state: string) => specs.filter((spec) => spec.State === state).length;
      const skipped = specs.filter((spec) => spec.State === "skipped" || spec.State === "pending");
      const failed = specs.filter((spec) => !["passed", "skipped", "pending"].includes(spec.State));
      process.stdout.write(`csi-sanity on ${name}: ${count("passed")} passed, ${failed.length} failed, ${skipped.length} do not apply\n`);
      const reasonOf = (spec: Spec) => reasons.find(([matching]) => matching.test(`${title(spec)} ${spec.Failure?.Message ?? ""}`))?.[1];
      const unexplained = skipped.filter((spec) => reasonOf(spec) === undefined).map(title);
      for (const [reason, group] of Object.entries(Object.groupBy(skipped, (spec) => reasonOf(spec) ?? "no reason"))) {
        process.stdout.write(`  ${group?.length} skipped: ${reason}\n`);
        for (const spec of group ?? []) process.stdout.write(`    ${title(spec)}\n`);
      }
      assert.equal(failed.map((spec) => `${title(spec)}: ${spec.Failure?.Message}`), [], run.log().slice(-3000));
      assert.equal(unexplained, []);
      assert.ok(count("passed") >= 30, "too few specs ran");
      assert.equal(node.mounts(), [], "no mount is left");
      assert.equal(node.daemons(), [], "no daemon is left");
    } finally {
      await node.stop();
      await controller.stop();
      await s3.stop();
      await folder.remove();
    }
  });
}

test.run();
