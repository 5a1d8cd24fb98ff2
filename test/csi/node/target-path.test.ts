import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { hasCode } from "../../../src/core/errors.ts";
import { parsePodVolume, resolveTargetPath } from "../../../src/csi/node/target-path.ts";
import { type TemporaryFolder, temporaryFolder } from "../../bed/temporary-folder.ts";

const test = suite<{ folder: TemporaryFolder; kubelet: string }>("target path");
test.before(async (context) => {
  context.folder = await temporaryFolder("target-path");
  context.kubelet = path.join(realpathSync(context.folder.path), "kubelet");
  mkdirSync(path.join(context.kubelet, "pods"), { recursive: true });
  symlinkSync("/etc", path.join(context.kubelet, "pods", "out"));
  symlinkSync(path.join(context.kubelet, "pods"), path.join(context.kubelet, "alias"));
});
test.after(({ folder }) => folder.remove());

test("kubelet's path is understood", ({ kubelet }) => {
  const target = `${kubelet}/pods/11111111-2222/volumes/kubernetes.io~csi/pv-1/mount`;
  assert.is(resolveTargetPath(target, kubelet), target);
  assert.is(resolveTargetPath(`${target}/`, kubelet), target);
  assert.equal(parsePodVolume(target), { podUid: "11111111-2222", volumeName: "pv-1" });
  assert.is(parsePodVolume("/some/where/else"), undefined);
});

test("links on the way are resolved, as the mount table has it", ({ kubelet }) => {
  assert.is(resolveTargetPath(`${kubelet}/alias/x/mount`, kubelet), `${kubelet}/pods/x/mount`);
});

test("everything else is refused", ({ kubelet }) => {
  const bad = ["", "relative/path", "/", "/etc/passwd", kubelet, `${kubelet}/`, `${kubelet}/../etc`, `${kubelet}/pods/../../etc/x`, `${kubelet}x/pods`];
  const worse = [`${kubelet}/pods//x`, `${kubelet}/pods/./x`, `${kubelet}/pods/out/x`, `${kubelet}/plugins/s3.csi.scality.com/mnt/x`, `${kubelet}/pods/x\0y`];
  for (const target of [...bad, ...worse, `${kubelet}/${"x".repeat(1_000_000)}`]) {
    assert.throws(
      () => resolveTargetPath(target, kubelet),
      (error: unknown) => hasCode(error, "InvalidArgument") && (error as Error).message.length < 1000,
      target.slice(0, 200),
    );
  }
});

test.run();
