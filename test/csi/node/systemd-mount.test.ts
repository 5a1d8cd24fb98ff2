// A mount as version 1 of the driver left it: a process of its own that mounted the target itself, keys in files of the plugin
// directory. It goes on working, its keys are renewed, and it is unmounted like any other.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { findMount, isMountPoint, mountRefs } from "../../../src/linux/mount-info.ts";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { writeKeys } from "../bed/controller-process.ts";
import { eventually, publishRequest, startNode } from "../bed/node-process.ts";

const cli = path.join(import.meta.dirname, "../../../src/bin/cli.ts");

test("a mount of version 1 is recognised, left working, renewed and unmounted", async () => {
  const s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data"] });
  const node = await startNode({ endpoint: s3.endpoint, region: "us-east-1", ...testAccount });
  const target = node.target("old-pod");
  mkdirSync(target, { recursive: true });
  const plugin = path.join(node.kubelet, "plugins", "s3.csi.scality.com");
  const profile = "old-pod-data-s3-csi";
  const keyFile = path.join(plugin, `${profile}-credentials`);
  writeFileSync(keyFile, `[${profile}]\naws_access_key_id=${testAccount.accessKeyId}\naws_secret_access_key=${testAccount.secretAccessKey}\n`);
  const old = spawn(process.execPath, [cli, "mount", "data", target, "--force-path-style", "--foreground"], {
    env: { PATH: process.env["PATH"], AWS_ENDPOINT_URL: s3.endpoint, AWS_REGION: "us-east-1", AWS_PROFILE: profile, AWS_SHARED_CREDENTIALS_FILE: keyFile, AWS_CONFIG_FILE: "/dev/null" },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => old.once("exit", resolve));
  try {
    await eventually("the old mount is there", () => isMountPoint(target), 60_000);
    assert.is(findMount(target)?.source, "mountpoint-s3");
    assert.equal(mountRefs(target), [], "nothing else refers to it");
    await writeFile(path.join(target, "before"), "1");

    const { key } = s3.accounts.create(s3.account.name);
    await writeKeys(node.credentials, key);
    const { id } = findMount(target) ?? {};
    await node.call.nodePublishVolume(publishRequest("data", target));
    assert.is(findMount(target)?.id, id, "the mount is the same");
    assert.equal(node.daemons(), [], "no daemon was started for it");
    assert.ok(readFileSync(keyFile, "utf8").includes(key.secretAccessKey), "its keys are renewed");
    s3.accounts.revoke(testAccount.accessKeyId);
    await new Promise((resolve) => setTimeout(resolve, 1_100)); // how long a program may trust what it read of a profile
    await writeFile(path.join(target, "after"), "1");

    const other = node.target("new-pod");
    await node.call.nodePublishVolume(publishRequest("data", other));
    assert.is(node.daemons().length, 1, "a new workload gets a daemon");
    assert.equal((await readdir(other)).sort(), ["after", "before"]);
    await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: other });
    await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: target });
    assert.not(isMountPoint(target));
    assert.not(existsSync(target));
    await ended;
  } finally {
    old.kill("SIGKILL");
    await node.stop();
    await s3.stop();
  }
});

test.run();
