// NodePublishVolume and NodeUnpublishVolume through the running node service, the kernel and a real S3 server.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants, existsSync, mkdirSync, readdirSync } from "node:fs";
import { type FileHandle, mkdir, mkdtemp, open, readdir, readFile, rmdir, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VolumeCapability_AccessMode_Mode as Mode } from "../../../generated/proto/csi.ts";
import { markedKey } from "../../../scripts/test/secrets/mark.ts";
import { GrpcStatus, grpcStatusOf } from "../../../src/core/grpc-status.ts";
import { findMount } from "../../../src/linux/mount-info.ts";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { writeKeys } from "../bed/controller-process.ts";
import { eventually, type NodeProcess, publishRequest, startNode } from "../bed/node-process.ts";

type S3 = Awaited<ReturnType<typeof startEmbeddedS3>>;
const test = suite<{ s3: S3; node: NodeProcess }>("publish");
test.before(async (context) => {
  context.s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data", "other"] });
  context.node = await startNode({ endpoint: context.s3.endpoint, region: "us-east-1", ...testAccount });
});
test.after(async ({ node, s3 }) => {
  await node.stop();
  await s3.stop();
});
test.after.each(async ({ node }) => {
  for (const mount of node.mounts()) {
    if (mount.mountPoint.startsWith(path.join(node.kubelet, "pods"))) await node.call.nodeUnpublishVolume({ volumeId: "x", targetPath: mount.mountPoint });
  }
  assert.equal(node.mounts(), [], "no mount is left");
  assert.equal(node.daemons(), [], "no daemon is left");
  assert.equal(readdirSync(node.comm), [], "no comm directory is left");
});

const execute = promisify(execFile);
let pods = 0;
const target = (node: NodeProcess) => node.target(`pod-${++pods}`);
const { INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND, UNAUTHENTICATED, OK } = GrpcStatus;

async function outcome(call: Promise<unknown>): Promise<{ code: number; message: string }> {
  return call.then(
    () => ({ code: OK, message: "" }),
    (error: Error) => ({ code: grpcStatusOf(error), message: error.message }),
  );
}

async function readsAs(file: FileHandle, content: Buffer): Promise<boolean> {
  const read = Buffer.alloc(content.length);
  return (await file.read(read, 0, read.length, 0)).bytesRead === content.length && read.equals(content);
}

test("a bucket's objects are files at the target, and again when called again", async ({ node }) => {
  const at = target(node);
  await node.call.nodePublishVolume(publishRequest("data", at));
  await node.call.nodePublishVolume(publishRequest("data", at));
  await writeFile(path.join(at, "hello.txt"), "hello");
  assert.is(await readFile(path.join(at, "hello.txt"), "utf8"), "hello");
  assert.is(node.mounts().filter((mount) => mount.mountPoint === at).length, 1, "bound once");
  await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: at });
  await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: at });
  assert.not(readdirSync(path.dirname(at)).includes("mount"), "the target is removed");
});

test("same volume, options and fsGroup share a daemon; others do not", async ({ node }) => {
  const targets = [target(node), target(node), target(node), target(node)] as const;
  await node.call.nodePublishVolume(publishRequest("data", targets[0]));
  await node.call.nodePublishVolume(publishRequest("data", targets[1]));
  assert.is(node.daemons().length, 1);
  await node.call.nodePublishVolume(publishRequest("data", targets[2], { fsGroup: "2000" }));
  await node.call.nodePublishVolume(publishRequest("data", targets[3], { flags: ["allow-delete"] }));
  assert.is(node.daemons().length, 3);
  await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: targets[0] });
  assert.is(node.daemons().length, 3, "the daemon of the other workload goes on");
  assert.ok(Array.isArray(await readdir(targets[1])));
});

test("fsGroup is the group of all files, with 770 and 660", async ({ node }) => {
  const at = target(node);
  await node.call.nodePublishVolume(publishRequest("data", at, { fsGroup: "2345" }));
  await writeFile(path.join(at, "grouped"), "x");
  const [directory, file] = [await stat(at), await stat(path.join(at, "grouped"))];
  assert.equal([directory.gid, directory.mode & 0o777, file.gid, file.mode & 0o777], [2345, 0o770, 2345, 0o660]);
});

test("a read-only target cannot be written by anyone, its neighbour can", async ({ node }) => {
  const [reader, writer] = [target(node), target(node)];
  await node.call.nodePublishVolume(publishRequest("data", reader, { readonly: true }));
  await node.call.nodePublishVolume(publishRequest("data", writer));
  assert.is(node.daemons().length, 1);
  assert.is(await writeFile(path.join(reader, "x"), "x").catch((error: NodeJS.ErrnoException) => error.code), "EROFS");
  await writeFile(path.join(writer, "y"), "y");
  assert.is(await readFile(path.join(reader, "y"), "utf8"), "y");
});

for (const mode of [Mode.MULTI_NODE_READER_ONLY, Mode.SINGLE_NODE_READER_ONLY]) {
  test(`access mode ${mode} is read-only in the kernel's file system itself`, async ({ node }) => {
    const at = target(node);
    await node.call.nodePublishVolume(publishRequest("data", at, { mode }));
    const mount = findMount(at);
    assert.ok(mount?.superOptions.includes("ro") && mount.options.includes("ro"));
    assert.is(await writeFile(path.join(at, "x"), "x").catch((error: NodeJS.ErrnoException) => error.code), "EROFS");
  });
}

test("ReadWriteOncePod: a second target on the node is refused", async ({ node }) => {
  const [first, second] = [target(node), target(node)];
  const mode = Mode.SINGLE_NODE_SINGLE_WRITER;
  await node.call.nodePublishVolume(publishRequest("data", first, { mode }));
  await node.call.nodePublishVolume(publishRequest("data", first, { mode }));
  const refused = await outcome(node.call.nodePublishVolume(publishRequest("data", second, { mode })));
  assert.is(refused.code, FAILED_PRECONDITION);
  assert.match(refused.message, /ReadWriteOncePod/);
});

test("a volume of a shared bucket shows its prefix only", async ({ node }) => {
  const [whole, part] = [target(node), target(node)];
  await node.call.nodePublishVolume(publishRequest("data", part, { volumeId: "data/x", context: { prefix: "shop/one/" } }));
  await writeFile(path.join(part, "inside"), "1");
  await node.call.nodePublishVolume(publishRequest("data", whole));
  assert.is(await readFile(path.join(whole, "shop/one/inside"), "utf8"), "1");
  assert.equal(await readdir(part), ["inside"]);
});

const wrong = markedKey("WRONG");
const causes: [string, ReturnType<typeof publishRequest> extends infer R ? (at: string) => R : never, number, RegExp][] = [
  ["a missing bucket", (at) => publishRequest("no-such-bucket", at), NOT_FOUND, /no-such-bucket.*(does not exist|no such bucket)/i],
  ["wrong keys", (at) => publishRequest("data", at, { context: { authenticationSource: "secret" }, secrets: { access_key_id: wrong.accessKeyId, secret_access_key: wrong.secretAccessKey } }), UNAUTHENTICATED, /access key|credential|InvalidAccessKeyId/i],
  ["a secret that is not there", (at) => publishRequest("data", at, { context: { authenticationSource: "secret" } }), INVALID_ARGUMENT, /nodePublishSecretRef/],
  ["an option that does not exist", (at) => publishRequest("data", at, { flags: ["no-such-option"] }), INVALID_ARGUMENT, /no-such-option/],
];
for (const [title, request, code, text] of causes) {
  test(`the error names the cause and leaves nothing behind: ${title}`, async ({ node }) => {
    const at = target(node);
    const got = await outcome(node.call.nodePublishVolume(request(at)));
    assert.is(got.code, code, got.message);
    assert.match(got.message, text);
    for (const value of Object.values(wrong)) assert.not(got.message.includes(value));
    assert.equal([node.mounts(), node.daemons()], [[], []]);
    assert.not(existsSync(at), "no target directory");
  });
}

test("the daemon dies: its successor takes the mount over, open files included", async ({ node }) => {
  const at = target(node);
  await node.call.nodePublishVolume(publishRequest("data", at));
  const content = randomBytes(6 << 20);
  await writeFile(path.join(at, "read-on"), content);
  const file = await open(path.join(at, "read-on"), constants.O_RDONLY | constants.O_DIRECT);
  // As kubelet does for a volume with a subPath: the container sees no way there but this mount. Not from this process, which is the S3
  // server too: it would wait for itself.
  await mkdir(path.join(at, "part/of"), { recursive: true });
  await writeFile(path.join(at, "part/of/it"), "1");
  const part = await mkdtemp(path.join(os.tmpdir(), "sub-path-"));
  await execute("mount", ["--bind", path.join(at, "part"), part]);
  const written = await open(path.join(at, "written-on"), "w");
  for (let round = 0; round < 3; round++) {
    await written.write(`${round}`.repeat(50_000));
    const [pid] = node.daemons();
    process.kill(pid as number, "SIGKILL");
    await writeFile(path.join(at, `during-${round}`), "2");
    assert.ok((await readdir(at)).includes(`during-${round}`));
    assert.not(node.daemons().includes(pid as number));
    assert.ok(await readsAs(file, content), `death ${round}: what was open is read on`);
    assert.is((await file.stat()).size, content.length);
    await writeFile(path.join(part, `of/written-${round}`), "3");
    assert.ok((await readdir(path.join(at, "part/of"))).includes(`written-${round}`), "a subPath leads where it did");
    assert.is(await readFile(path.join(part, "of/it"), "utf8"), "1");
  }
  // The record of what is open outlives the node service as well.
  await node.kill();
  await node.start();
  await node.call.nodePublishVolume(publishRequest("data", at));
  process.kill(node.daemons()[0] as number, "SIGKILL");
  assert.ok(await readsAs(file, content), "after the deaths of both, one after the other");
  assert.ok((await readdir(path.join(part, "of"))).includes("it"));
  await written.close();
  assert.is(await readFile(path.join(at, "written-on"), "utf8"), ["0", "1", "2"].map((digit) => digit.repeat(50_000)).join(""), "a small file is written on");
  await file.close();
  await execute("umount", [part]);
  await rmdir(part);
});

test("the node service dies: mounts go on, and the next one holds them again", async ({ node }) => {
  const at = target(node);
  await node.call.nodePublishVolume(publishRequest("data", at));
  await node.kill();
  await writeFile(path.join(at, "alone"), "1");
  await node.start();
  await node.call.nodePublishVolume(publishRequest("data", at));
  process.kill(node.daemons()[0] as number, "SIGKILL");
  await writeFile(path.join(at, "taken-over"), "1");
});

test("both die: the next publish replaces the mount and binds every target anew", async ({ node }) => {
  const [one, two] = [target(node), target(node)];
  await node.call.nodePublishVolume(publishRequest("data", one));
  await node.call.nodePublishVolume(publishRequest("data", two, { readonly: true }));
  await node.kill();
  process.kill(node.daemons()[0] as number, "SIGKILL");
  await eventually("the mount is dead", () => node.daemons().length === 0);
  // Whoever asks while the kernel takes the connection down is told so; whoever asks later, that there is none.
  assert.match(String(await readdir(one).catch((error: NodeJS.ErrnoException) => error.code)), /^(ENOTCONN|ECONNABORTED)$/);
  await node.start();
  await node.call.nodePublishVolume(publishRequest("data", one));
  assert.ok((await readdir(one)).length > 0);
  assert.ok((await readdir(two)).length > 0, "the other target was bound anew too");
  assert.ok(findMount(two)?.options.includes("ro"));
});

test("unpublish of a dead mount works", async ({ node }) => {
  const at = target(node);
  await node.call.nodePublishVolume(publishRequest("data", at));
  await node.kill();
  process.kill(node.daemons()[0] as number, "SIGKILL");
  await eventually("the mount is dead", () => node.daemons().length === 0);
  await node.start();
  await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: at });
});

test("new keys reach the running daemon with the next republish, of whichever workload", async ({ node, s3 }) => {
  const [one, two] = [target(node), target(node)];
  const request = (at: string, key: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) => {
    const secrets = { access_key_id: key.accessKeyId, secret_access_key: key.secretAccessKey, ...(key.sessionToken ? { session_token: key.sessionToken } : {}) };
    return publishRequest("data", at, { context: { authenticationSource: "secret" }, secrets });
  };
  const first = s3.accounts.createSession(s3.account);
  await node.call.nodePublishVolume(request(one, first));
  await node.call.nodePublishVolume(request(two, first));
  const [pid] = node.daemons();
  const second = s3.accounts.createSession(s3.account);
  await node.call.nodePublishVolume(request(two, second));
  s3.accounts.revoke(first.accessKeyId);
  await writeFile(path.join(one, "rotated"), "1");
  assert.is(node.daemons()[0], pid, "without a remount");
  const bad = await outcome(node.call.nodePublishVolume(request(one, wrong)));
  assert.is(bad.code, UNAUTHENTICATED, bad.message);
  await writeFile(path.join(one, "still"), "1");
});

test("the driver's own keys are read anew on every republish", async ({ node, s3 }) => {
  const at = target(node);
  const { key } = s3.accounts.create(s3.account.name);
  await writeKeys(node.credentials, key);
  await node.call.nodePublishVolume(publishRequest("data", at));
  await writeKeys(node.credentials, testAccount);
  await node.call.nodePublishVolume(publishRequest("data", at));
  s3.accounts.revoke(key.accessKeyId);
  await writeFile(path.join(at, "driver-rotated"), "1");
});

test("stats and health of a published volume", async ({ node, s3 }) => {
  const at = target(node);
  await node.call.nodePublishVolume(publishRequest("data", at));
  const { usage } = await node.call.nodeGetVolumeStats({ volumeId: "data", volumePath: at });
  assert.equal(usage.map(({ unit }) => unit), [1, 2]);
  assert.ok((usage[0]?.total ?? 0n) > 0n);
  const { volumeHealth } = await node.call.nodeGetVolumeHealth({ volumeId: "data", volumePublishPath: at });
  assert.equal(volumeHealth, { volumeId: "data", healthStatuses: [] });
  assert.ok(s3.endpoint);
  const gone = await outcome(node.call.nodeGetVolumeStats({ volumeId: "data", volumePath: target(node) }));
  assert.is(gone.code, NOT_FOUND);
});

test("a target with something else mounted on it is left alone", async ({ node }) => {
  const at = target(node);
  mkdirSync(at, { recursive: true });
  const { bindMount, umount } = await import("../../../src/linux/mount.ts");
  bindMount("/etc", at);
  try {
    const got = await outcome(node.call.nodePublishVolume(publishRequest("data", at)));
    assert.is(got.code, FAILED_PRECONDITION, got.message);
    assert.is(findMount(at)?.mountPoint, at);
  } finally {
    umount(at);
  }
});

test.run();
