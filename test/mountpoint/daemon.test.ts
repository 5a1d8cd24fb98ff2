// The daemon as a process of uid 1000 without capabilities, served by the kernel and the embedded S3 server.
import { chownSync, closeSync, mkdirSync, writeFileSync } from "node:fs";
import { open, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { StatusResponse_Phase as Phase } from "../../generated/proto/mountpoint.ts";
import { DriverError, type ErrorCode } from "../../src/core/errors.ts";
import { mountFuse } from "../../src/fuse/mount.ts";
import { umount } from "../../src/linux/mount.ts";
import { isMountPoint } from "../../src/linux/mount-info.ts";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { markedKey, markedSecret } from "../../scripts/test/secrets/mark.ts";
import { startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { keysMessage, startDaemon } from "./daemon-bed.ts";

const s3 = await startEmbeddedS3({ buckets: ["data"] });
s3.bucket("data").put("dir/hello.txt", "hello");
const env = { AWS_ENDPOINT_URL: s3.endpoint, AWS_REGION: "us-east-1" };
const request = { bucketName: "data", args: ["--allow-delete", "--allow-other", "--force-path-style"], env, credentials: keysMessage(s3.key) };

test("mount, read, write, status, stop: exit 0 and the file is in S3", async () => {
  await using daemon = await startDaemon();
  assert.is((await daemon.call.status({})).phase, Phase.WAITING);
  const state = await daemon.mount(request);
  assert.ok(state.length > 0);
  assert.equal(await readdir(path.join(daemon.mountPoint, "dir")), ["hello.txt"]);
  assert.is(await readFile(path.join(daemon.mountPoint, "dir/hello.txt"), "utf8"), "hello");
  await writeFile(path.join(daemon.mountPoint, "new.txt"), "written");
  const status = await daemon.call.status({});
  assert.equal([status.phase, status.bucketName, status.message, status.pid], [Phase.SERVING, "data", "", daemon.process.pid]);
  assert.ok(status.secondsSinceS3Success >= 0 && status.secondsSinceS3Success < 60);
  const { lostUploads } = await daemon.call.stop({ force: false });
  assert.equal([...lostUploads], []);
  assert.is(await daemon.exit(), 0, daemon.log());
  assert.is(s3.bucket("data").object("new.txt").content.size, 7);
});

test("an upload under way is finished by Stop", async () => {
  await using daemon = await startDaemon();
  await daemon.mount(request);
  const file = await open(path.join(daemon.mountPoint, "late.txt"), "w");
  await file.write("late");
  assert.is((await daemon.call.status({})).openUploads, 1);
  assert.equal([...(await daemon.call.stop({ force: false })).lostUploads], []);
  assert.is(await daemon.exit(), 0, daemon.log());
  assert.is(s3.bucket("data").object("late.txt").content.size, 4);
  umount(daemon.mountPoint, { lazy: true });
  await file.close().catch(() => {});
});

test("the same request again is answered from the running mount; another one is refused", async () => {
  await using daemon = await startDaemon();
  const state = await daemon.mount(request);
  const again = { ...request, token: "none", volumeId: "test", resumeState: Buffer.alloc(0), readOnly: false };
  assert.ok((await daemon.call.mount(again)).sessionState.equals(state));
  await refused(daemon.call.mount({ ...again, bucketName: "other" }), "FailedPrecondition", /another bucket/);
});

test("the true cause at once, and a second try may succeed", async () => {
  await using daemon = await startDaemon();
  await refused(daemon.mount({ ...request, bucketName: "missing" }), "BucketMissing", /"missing" does not exist/);
  await refused(daemon.mount({ ...request, credentials: keysMessage({ ...s3.key, secretAccessKey: markedSecret() }) }), "BadCredentials", /SignatureDoesNotMatch/);
  await refused(daemon.mount({ ...request, args: ["--no-such-option", "--uid=x"] }), "InvalidArgument", /unknown option --no-such-option.*--uid/);
  await refused(daemon.mount({ ...request, args: ["--cache-xz=b"] }), "InvalidArgument", /--cache-xz is not offered/);
  const closed = `http://127.0.0.1:${await freePort()}`;
  await refused(daemon.mount({ ...request, env: { ...env, AWS_ENDPOINT_URL: closed } }), "Unreachable", /cannot be reached/);
  const other = s3.accounts.create("other");
  await refused(daemon.mount({ ...request, credentials: keysMessage(other.key) }), "AccessDenied", /access denied/);
  s3.knobs.clockOffsetMs = 3_600_000;
  await refused(daemon.mount(request), "ClockSkew", /clocks differ.*set the clock/).finally(() => (s3.knobs.clockOffsetMs = 0));
  assert.match((await daemon.call.status({})).message, /clocks differ/);
  assert.not(isMountPoint(daemon.mountPoint));
  await daemon.mount(request);
  assert.is((await daemon.call.status({})).phase, Phase.SERVING);
});

test("credentials are exchanged without a remount; bad ones are refused and change nothing", async () => {
  await using daemon = await startDaemon();
  const session = s3.accounts.createSession(s3.account);
  await daemon.mount({ ...request, credentials: keysMessage(session) });
  await refused(daemon.call.updateCredentials({ credentials: keysMessage(markedKey("NOBODY")), skipCheck: false }), "BadCredentials", /./);
  assert.is(await readFile(path.join(daemon.mountPoint, "dir/hello.txt"), "utf8"), "hello");
  await daemon.call.updateCredentials({ credentials: keysMessage(s3.accounts.createSession(s3.account)), skipCheck: false });
  s3.accounts.revoke(session.accessKeyId);
  s3.bucket("data").put("after-rotation", "x");
  assert.is(await readFile(path.join(daemon.mountPoint, "after-rotation"), "utf8"), "x");
});

test("credential files are read again when they change", async () => {
  await using daemon = await startDaemon();
  const folder = path.join(daemon.comm, "credentials");
  mkdirSync(folder);
  chownSync(folder, 1000, 1000);
  const write = (key: { accessKeyId: string; secretAccessKey: string }) =>
    writeFileSync(path.join(folder, "credentials"), `[s3-csi]\naws_access_key_id = ${key.accessKeyId}\naws_secret_access_key = ${key.secretAccessKey}\n`);
  const first = s3.accounts.create("main").key;
  write(first);
  const files = { profile: "s3-csi", configFile: "", credentialsFile: path.join(folder, "credentials") };
  await daemon.mount({ ...request, credentials: { source: { $case: "files", files } } });
  write(s3.accounts.create("main").key);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  s3.accounts.revoke(first.accessKeyId);
  s3.bucket("data").put("after-rewrite", "x");
  assert.is(await readFile(path.join(daemon.mountPoint, "after-rewrite"), "utf8"), "x");
});

test("hand-over: the next daemon goes on with open files and an upload, the first exits 0", async () => {
  await using first = await startDaemon();
  await using second = await startDaemon();
  const { fd } = mountFuse({ mountPoint: first.mountPoint, allowOther: true, defaultPermissions: true });
  try {
    await first.serve(fd, request);
    const reading = await open(path.join(first.mountPoint, "dir/hello.txt"));
    const writing = await open(path.join(first.mountPoint, "handed-over"), "w");
    await writing.write("before ");
    const { state } = await first.call.handOver({});
    assert.is(await first.exit(), 0, first.log());
    await second.serve(fd, { ...request, resumeState: state });
    assert.is((await reading.readFile()).toString(), "hello");
    await writing.write("after");
    await writing.close();
    await reading.close();
    assert.is(Buffer.concat(s3.bucket("data").object("handed-over").content.segments).toString(), "before after");
  } finally {
    closeSync(fd);
    umount(first.mountPoint, { lazy: true });
  }
});

test("SIGTERM: nothing mounted ends it with 0; a mount is served on until it is unmounted, then exit 0", async () => {
  await using idle = await startDaemon();
  idle.process.kill("SIGTERM");
  assert.is(await idle.exit(), 0);
  await using daemon = await startDaemon();
  await daemon.mount(request);
  daemon.process.kill("SIGTERM");
  assert.is(await readFile(path.join(daemon.mountPoint, "dir/hello.txt"), "utf8"), "hello");
  assert.is(daemon.process.exitCode, null);
  umount(daemon.mountPoint);
  assert.is(await daemon.exit(), 0, daemon.log());
});

test("metrics and probes; no secret in the log", async () => {
  const port = await freePort();
  await using daemon = await startDaemon({ env: { METRICS_PORT: String(port), LOG_LEVEL: "debug" } });
  const get = async (what: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}/${what}`);
    return [reply.status, await reply.text()] as const;
  };
  assert.is((await get("healthz"))[0], 200);
  assert.is((await get("readyz"))[0], 200, "it waits for options, which is what the Mountpoint Pod is ready for");
  await daemon.mount(request);
  await readFile(path.join(daemon.mountPoint, "dir/hello.txt"));
  assert.is((await get("readyz"))[0], 200);
  const [, metrics] = await get("metrics");
  assert.match(metrics, /s3csi_mount_s3_requests_total\{operation="GetObject",outcome="ok"\} 1/);
  assert.match(metrics, /s3csi_mount_serving 1/);
  assert.match(metrics, /s3csi_mount_s3_request_seconds_bucket\{operation="ListObjectsV2",le="\+Inf"\} \d+/);
  assert.not.match(daemon.log(), new RegExp(s3.key.secretAccessKey));
});

test.after(() => s3.stop());
test.run();

async function refused(promise: Promise<unknown>, code: ErrorCode, message: RegExp): Promise<void> {
  const error = await promise.then(
    () => assert.unreachable(`should have failed with ${code}`),
    (e: unknown) => e,
  );
  assert.instance(error, DriverError);
  assert.match((error as DriverError).message, message);
  assert.is((error as DriverError).code, code, (error as DriverError).message);
}
