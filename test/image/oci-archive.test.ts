import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { writeOciArchive } from "../../scripts/image/oci-archive.ts";
import { runTool as run } from "../../scripts/tools/run-tool.ts";

const test = suite<{ dir: string; rootfs: string }>("oci archive");

test.before.each(async (context) => {
  context.dir = await mkdtemp(path.join(os.tmpdir(), "oci-test-"));
  context.rootfs = path.join(context.dir, "rootfs");
  await mkdir(path.join(context.rootfs, "bin"), { recursive: true });
  await writeFile(path.join(context.rootfs, "bin/hello"), "#!/bin/hello\n", { mode: 0o755 });
});
test.after.each(async (context) => rm(context.dir, { recursive: true, force: true }));

test("every blob is named by its digest, and the index leads to the layer", async ({ dir, rootfs }) => {
  const out = path.join(dir, "image.tar");
  const archive = await writeOciArchive({ name: "example.org/hello:1.2", rootfs, out, config: { user: "65532:65532", cmd: ["/bin/hello"] } });
  const unpacked = path.join(dir, "unpacked");
  await mkdir(unpacked);
  await run("tar", ["-C", unpacked, "-xf", out]);
  const blob = async (digest: string) => {
    const bytes = await readFile(path.join(unpacked, "blobs/sha256", digest.slice("sha256:".length)));
    assert.is(`sha256:${createHash("sha256").update(bytes).digest("hex")}`, digest);
    return bytes;
  };
  const index = JSON.parse(await readFile(path.join(unpacked, "index.json"), "utf8"));
  assert.is(index.manifests[0].annotations["io.containerd.image.name"], "example.org/hello:1.2");
  assert.is(index.manifests[0].annotations["org.opencontainers.image.ref.name"], "1.2");
  assert.is(index.manifests[0].digest, archive.digest);
  const manifest = JSON.parse((await blob(archive.digest)).toString());
  const config = JSON.parse((await blob(manifest.config.digest)).toString());
  assert.is(config.config.User, "65532:65532");
  assert.equal(config.config.Cmd, ["/bin/hello"]);
  assert.equal(config.rootfs.diff_ids, [manifest.layers[0].digest]);
  await blob(manifest.layers[0].digest);
  const layer = path.join(unpacked, "blobs/sha256", manifest.layers[0].digest.slice("sha256:".length));
  assert.match(await run("tar", ["-tvf", layer]), /-rwxr-xr-x 0\/0 +13 1970-01-01 .* \.\/bin\/hello/);
});

test("the same root file system gives the same digest", async ({ dir, rootfs }) => {
  const first = await writeOciArchive({ name: "a:1", rootfs, out: path.join(dir, "1.tar") });
  await writeFile(path.join(rootfs, "bin/hello"), "#!/bin/hello\n");
  const second = await writeOciArchive({ name: "a:1", rootfs, out: path.join(dir, "2.tar") });
  assert.is(first.digest, second.digest);
});

test("a missing root file system is an error that names it, and leaves nothing behind", async ({ dir }) => {
  const out = path.join(dir, "none/image.tar");
  try {
    await writeOciArchive({ name: "a:1", rootfs: path.join(dir, "absent"), out });
    assert.unreachable();
  } catch (thrown) {
    assert.match((thrown as Error).message, /absent/);
  }
  assert.is(await run("ls", ["-A", path.dirname(out)]), "");
});

test.run();
