// The client against the embedded server and versitygw: every operation of the ObjectStore, and what it says when refused.
import { randomBytes } from "node:crypto";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DriverError, type ErrorCode } from "../../src/core/errors.ts";
import { createBucketAdmin } from "../../src/s3/bucket-admin.ts";
import { checkBucket } from "../../src/s3/check-bucket.ts";
import { createS3Store } from "../../src/s3/client.ts";
import { staticCredentials } from "../../src/s3/credentials.ts";
import { type Keys, type S3Server, startServers } from "./servers.ts";

const signal = AbortSignal.timeout(120_000);
const bucket = "client-test";
const servers = await startServers();

for (const server of servers) {
  const is = (title: string, run: () => Promise<void>) => test(`${server.name}: ${title}`, run);
  const options = optionsFor(server);
  const store = createS3Store(options);
  const sdk = server.client();
  test.after(async () => {
    await store.close();
    sdk.destroy();
  });
  const read = async (key: string, offset: number, length: number, ifMatch?: string) => {
    const into = Buffer.alloc(length);
    await store.get({ key, offset, length, into, signal, ...(ifMatch ? { ifMatch } : {}) });
    return into;
  };

  is("make the bucket", async () => {
    await sdk.send(new CreateBucketCommand({ Bucket: bucket }));
    await checkBucket({ ...options, signal });
  });

  is("put, head, get, list, delete", async () => {
    const key = "dir/a b+c'(é)*!.txt";
    const put = await store.put({ key, body: [Buffer.from("hel"), Buffer.from("lo")], contentType: "text/plain", metadata: { Color: "blue" }, signal });
    const head = await store.head(key, signal);
    assert.equal([head.size, head.etag, head.contentType, head.metadata], [5, put.etag, "text/plain", { color: "blue" }]);
    assert.ok(Math.abs(head.lastModifiedMs - Date.now()) < 60_000);
    assert.is((await read(key, 0, 5)).toString(), "hello");
    assert.is((await read(key, 1, 3, put.etag)).toString(), "ell");
    const page = await store.list({ prefix: "dir/", delimiter: "/", signal });
    assert.equal(page.objects.map((o) => [o.key, o.size, o.etag]), [[key, 5, put.etag]]);
    await store.delete(key, { signal });
    await store.delete(key, { signal });
    await refused(store.head(key, signal), "NotFound");
    await refused(read(key, 0, 1), "NotFound");
  });

  is("large and empty bodies, every checksum", async () => {
    const body = randomBytes(3_000_001);
    for (const checksum of ["crc32c", "crc64nvme", "off"] as const) {
      await store.put({ key: `big-${checksum}`, body: [body.subarray(0, 1_000_000), body.subarray(1_000_000)], checksum, signal });
      assert.ok((await read(`big-${checksum}`, 0, body.length)).equals(body));
      assert.ok((await read(`big-${checksum}`, 999_999, 1_500_000)).equals(body.subarray(999_999, 2_499_999)));
    }
    await store.put({ key: "empty", body: [], signal });
    assert.is((await store.head("empty", signal)).size, 0);
  });

  is("progress grows and never lies", async () => {
    const body = randomBytes(2_000_000);
    await store.put({ key: "progress", body: [body], signal });
    const into = Buffer.alloc(body.length);
    let last = 0;
    await store.get({ key: "progress", offset: 0, length: body.length, into, signal, onProgress: (filled) => {
      assert.ok(filled > last);
      assert.ok(into.subarray(last, filled).equals(body.subarray(last, filled)));
      last = filled;
    } });
    assert.is(last, body.length);
  });

  is("conditions: Stale and AlreadyExists", async () => {
    const first = await store.put({ key: "cond", body: [Buffer.from("1")], ifNoneMatch: true, signal });
    await refused(store.put({ key: "cond", body: [Buffer.from("2")], ifNoneMatch: true, signal }), "AlreadyExists");
    const second = await store.put({ key: "cond", body: [Buffer.from("2")], ifMatch: first.etag, signal });
    await refused(store.put({ key: "cond", body: [Buffer.from("3")], ifMatch: first.etag, signal }), "Stale");
    await refused(read("cond", 0, 1, first.etag), "Stale");
    await refused(store.delete("cond", { ifMatch: first.etag, signal }), "Stale");
    assert.is((await read("cond", 0, 1, second.etag)).toString(), "2");
  });

  is("multipart, with a copied part", async () => {
    const parts = [randomBytes(5 << 20), randomBytes(5 << 20), randomBytes(10)];
    for (const checksum of ["crc32c", "crc64nvme", "off"] as const) {
      const upload = await store.createUpload(`multi-${checksum}`, { checksum }, signal);
      assert.equal((await store.listUploads("multi-", signal)).map((u) => u.key), [`multi-${checksum}`]);
      const sent = await Promise.all(parts.map((p, i) => store.uploadPart(upload, i + 1, [p.subarray(0, 5), p.subarray(5)], signal)));
      const done = await store.completeUpload(upload, sent, { signal });
      const head = await store.head(upload.key, signal);
      assert.equal([head.size, head.etag], [(10 << 20) + 10, done.etag]);
      assert.ok((await read(upload.key, (5 << 20) - 3, 6)).equals(Buffer.concat([parts[0]!.subarray(-3), parts[1]!.subarray(0, 3)])));
    }
    // Without checksums: versitygw tells none of a copied part and then refuses to complete.
    const upload = await store.createUpload("multi-copy", { checksum: "off" }, signal);
    const copied = await store.copyPart(upload, 1, { key: "multi-crc32c", offset: 10, length: 5 << 20 }, signal);
    const own = await store.uploadPart(upload, 2, [Buffer.from("tail")], signal);
    await store.completeUpload(upload, [copied, own], { ifNoneMatch: true, signal });
    assert.is((await read("multi-copy", 5 << 20, 4)).toString(), "tail");
    const dropped = await store.createUpload("multi-dropped", {}, signal);
    await store.abortUpload(dropped, signal);
    await store.abortUpload(dropped, signal);
    assert.equal(await store.listUploads("", signal), []);
  });

  is("copy, delete many, pages", async () => {
    await store.put({ key: "c/src ü", body: [Buffer.from("copied")], signal });
    await store.copy({ sourceKey: "c/src ü", sourceSize: 4, key: "c/dst", signal });
    assert.is((await read("c/dst", 0, 6)).toString(), "copied");
    await refused(store.copy({ sourceKey: "c/none", sourceSize: 0, key: "c/dst2", signal }), "NotFound");
    const keys = Array.from({ length: 25 }, (_, i) => `page/${String(i).padStart(2, "0")}`);
    await Promise.all(keys.map((key) => store.put({ key, body: [Buffer.from(key)], signal })));
    const seen: string[] = [];
    let token: string | undefined;
    do {
      const page = await store.list({ prefix: "page/", maxKeys: 10, signal, ...(token ? { continuationToken: token } : {}) });
      seen.push(...page.objects.map((o) => o.key));
      token = page.nextToken;
    } while (token);
    assert.equal(seen, keys);
    assert.equal((await store.list({ prefix: "page/", startAfter: "page/22", signal })).objects.map((o) => o.key), ["page/23", "page/24"]);
    await store.deleteMany([...keys, "page/none"], signal);
    assert.equal((await store.list({ prefix: "page/", signal })).objects, []);
  });

  is("keys with quotes, newlines, backslashes and entities", async () => {
    const keys = ["odd/<&>\"'", "odd/new\nline", "odd/back\\slash", "odd/%2F", "odd/emoji 😀"];
    for (const key of keys) await store.put({ key, body: [Buffer.from("x")], signal });
    const found = (await store.list({ prefix: "odd/", signal })).objects.map((o) => o.key);
    assert.equal([...found].sort(), [...keys].sort());
    for (const key of keys) assert.is((await store.head(key, signal)).size, 1);
    await store.deleteMany(keys, signal);
    assert.equal((await store.list({ prefix: "odd/", signal })).objects, []);
  });

  is("an abort ends a call with Cancelled", async () => {
    await refused(store.head("cond", AbortSignal.abort()), "Cancelled");
  });

  is("the check says the true cause", async () => {
    await refused(checkBucket({ ...options, bucket: "no-such-bucket", signal }), "BucketMissing", /"no-such-bucket" does not exist/);
    await refused(checkBucket({ ...optionsFor(server, { accessKeyId: "AKIANOBODY", secretAccessKey: "x" }), signal }), "BadCredentials", /InvalidAccessKeyId/);
    await refused(checkBucket({ ...optionsFor(server, { ...server.key, secretAccessKey: "wrong" }), signal }), "BadCredentials", /SignatureDoesNotMatch/);
  });

  is("bucket administration", async () => {
    const admin = createBucketAdmin(options);
    const name = "admin-test";
    assert.is(await admin.createBucket(name, signal), "created");
    assert.is(await admin.createBucket(name, signal), "exists");
    await admin.headBucket(name, signal);
    assert.equal(await admin.getTags(name, signal), {});
    await admin.putTags(name, { "csi/volume": "pvc-1" }, signal);
    assert.equal(await admin.getTags(name, signal), { "csi/volume": "pvc-1" });
    assert.is(await admin.getText(name, ".marker", signal), undefined);
    await admin.putText(name, ".marker", "ours", signal);
    assert.is(await admin.getText(name, ".marker", signal), "ours");
    await refused(admin.deleteBucket(name, signal), "NotEmpty");
    for await (const page of admin.versions(name, signal)) await admin.deleteMany(name, page, signal);
    await admin.abortUploads(name, signal);
    await admin.deleteBucket(name, signal);
    await refused(admin.headBucket(name, signal), "BucketMissing");
    await refused(admin.deleteBucket(name, signal), "BucketMissing");
    await admin.close();
  });
}

test.after(async () => {
  await Promise.all(servers.map((s) => s.stop()));
});
test.run();

function optionsFor(server: S3Server, keys: Keys = server.key) {
  return { bucket, region: "us-east-1", endpointUrl: server.endpoint, pathStyle: true, credentials: staticCredentials(keys) };
}

async function refused(promise: Promise<unknown>, code: ErrorCode, message?: RegExp): Promise<void> {
  const error = await promise.then(
    () => assert.unreachable(`should have failed with ${code}`),
    (e: unknown) => e,
  );
  assert.instance(error, DriverError);
  assert.is((error as DriverError).code, code, (error as DriverError).message);
  if (message) assert.match((error as DriverError).message, message);
}
