import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { layerFaults } from "../../scripts/check/layers.ts";

const test = suite("layers", { root: "" });
test.before.each(async (context) => {
  context.root = await mkdtemp(path.join(os.tmpdir(), "layers-"));
});
test.after.each((context) => rm(context.root, { recursive: true }));

async function faults(root: string, file: string, text: string): Promise<string[]> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
  return layerFaults(root);
}

const allowed: [string, string][] = [
  ["src/csi/node/publish.ts", 'import { x } from "../../kube/informer.ts";'],
  ["src/bin/node.ts", 'import { x } from "../csi/node/service.ts";'],
  ["src/core/log.ts", 'import { x } from "../../generated/proto/secret-fields.ts";'],
  ["src/kube/client.ts", 'import { KubeConfig } from "@kubernetes/client-node";'],
  ["src/filesystem/read.ts", 'import type { ObjectStore } from "../s3/object-store.ts";'],
  ["src/core/a.ts", 'import { readFile } from "node:fs/promises";'],
];
for (const [file, text] of allowed) test(`allowed: ${file}: ${text}`, async ({ root }) => assert.equal(await faults(root, file, text), []));

const refused: [string, string, string][] = [
  ["src/core/log.ts", 'import { x } from "../kube/client.ts";', "src/core/log.ts:1: src/core imports src/kube, but may import only generated"],
  ["src/csi/a.ts", 'import { x } from "../reconciler/plan.ts";', "src/csi imports src/reconciler"],
  ["src/reconciler/a.ts", '\nimport {\n  x,\n} from "../mountpoint/main.ts";', "src/reconciler/a.ts:2: src/reconciler imports src/mountpoint"],
  ["src/filesystem/a.ts", 'import { x } from "../s3/client.ts";', "src/filesystem imports src/s3"],
  ["src/csi/a.ts", 'import koffi from "koffi";', "koffi belongs to src/linux"],
  ["src/csi/a.ts", 'export { S3Client } from "@aws-sdk/client-s3";', "@aws-sdk/client-s3 belongs to src/s3"],
  ["src/csi/a.ts", 'const m = await import("fuse-native");', "fuse-native belongs to src/fuse/fuse-native"],
  ["src/csi/a.ts", 'import lodash from "lodash";', "the package lodash has no owner"],
  ["src/csi/a.ts", 'import fs from "fs";', "write node:fs"],
  ["src/csi/a.ts", 'import { x } from "../../test/bed/etcd.ts";', "test/bed/etcd.ts, which is not part of the product"],
  ["src/novel/a.ts", 'import { x } from "../core/log.ts";', "src/novel has no place among the layers"],
];
for (const [file, text, message] of refused) {
  test(`refused: ${file}: ${text.replaceAll("\n", " ")}`, async ({ root }) => {
    const [fault = "", ...more] = await faults(root, file, text);
    assert.match(fault, message);
    assert.equal(more, []);
  });
}

test.run();
