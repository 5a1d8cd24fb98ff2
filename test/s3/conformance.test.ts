// One suite of S3 calls, run through the AWS SDK on the embedded server and on versitygw: what the embedded server does is
// what a real server does. Where versitygw cannot do something, the case says so in `embeddedOnly` with the reason.
import {
  AbortMultipartUploadCommand, CompleteMultipartUploadCommand, CopyObjectCommand, CreateBucketCommand, CreateMultipartUploadCommand,
  DeleteBucketCommand, DeleteBucketTaggingCommand, DeleteObjectCommand, DeleteObjectsCommand, GetBucketTaggingCommand, GetObjectCommand, HeadBucketCommand, HeadObjectCommand,
  ListBucketsCommand, ListMultipartUploadsCommand, ListObjectsV2Command, ListPartsCommand, PutBucketTaggingCommand, PutObjectCommand,
  RenameObjectCommand, type S3Client, UploadPartCommand, UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type S3Server, startServers } from "./servers.ts";

interface Case {
  readonly title: string;
  readonly run: (s3: S3Client, bucket: string, server: S3Server) => Promise<void>;
  /** Why versitygw is left out. */
  readonly embeddedOnly?: string;
}

const cases: Case[] = [];
const check = (title: string, run: Case["run"], embeddedOnly?: string) => cases.push({ title, run, ...(embeddedOnly ? { embeddedOnly } : {}) });

check("put, head, get: bytes, ETag, type and metadata come back", async (s3, Bucket) => {
  const put = await s3.send(new PutObjectCommand({ Bucket, Key: "a/b c+d&é.txt", Body: "hello", ContentType: "text/plain", Metadata: { color: "blue" } }));
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "a/b c+d&é.txt" }));
  assert.is(head.ETag, put.ETag);
  assert.is(head.ContentLength, 5);
  assert.is(head.ContentType, "text/plain");
  assert.equal(head.Metadata, { color: "blue" });
  const get = await s3.send(new GetObjectCommand({ Bucket, Key: "a/b c+d&é.txt" }));
  assert.is(await get.Body?.transformToString(), "hello");
});

check("an empty object", async (s3, Bucket) => {
  await s3.send(new PutObjectCommand({ Bucket, Key: "empty", Body: new Uint8Array() }));
  const get = await s3.send(new GetObjectCommand({ Bucket, Key: "empty" }));
  assert.is(get.ContentLength, 0);
  assert.is(await get.Body?.transformToString(), "");
});

check("ranges: inside, open-ended, suffix, beyond the end", async (s3, Bucket) => {
  await s3.send(new PutObjectCommand({ Bucket, Key: "r", Body: "0123456789" }));
  const range = async (Range: string) => {
    const get = await s3.send(new GetObjectCommand({ Bucket, Key: "r", Range }));
    return [await get.Body?.transformToString(), get.ContentRange];
  };
  assert.equal(await range("bytes=2-4"), ["234", "bytes 2-4/10"]);
  assert.equal(await range("bytes=7-"), ["789", "bytes 7-9/10"]);
  assert.equal(await range("bytes=-3"), ["789", "bytes 7-9/10"]);
  assert.equal(await range("bytes=8-99"), ["89", "bytes 8-9/10"]);
  await fails(range("bytes=10-11"), 416, "InvalidRange");
});

check("conditional reads", async (s3, Bucket) => {
  const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key: "c", Body: "x" }));
  await s3.send(new GetObjectCommand({ Bucket, Key: "c", IfMatch: ETag }));
  await fails(s3.send(new GetObjectCommand({ Bucket, Key: "c", IfMatch: '"0123456789abcdef0123456789abcdef"' })), 412, "PreconditionFailed");
  await fails(s3.send(new GetObjectCommand({ Bucket, Key: "c", IfNoneMatch: ETag })), 304);
});

check("conditional writes", async (s3, Bucket) => {
  const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key: "w", Body: "1", IfNoneMatch: "*" }));
  await fails(s3.send(new PutObjectCommand({ Bucket, Key: "w", Body: "2", IfNoneMatch: "*" })), 412, "PreconditionFailed");
  await s3.send(new PutObjectCommand({ Bucket, Key: "w", Body: "2", IfMatch: ETag }));
  await fails(s3.send(new PutObjectCommand({ Bucket, Key: "w", Body: "3", IfMatch: ETag })), 412, "PreconditionFailed");
  await fails(s3.send(new DeleteObjectCommand({ Bucket, Key: "w", IfMatch: ETag })), 412, "PreconditionFailed");
  const get = await s3.send(new GetObjectCommand({ Bucket, Key: "w" }));
  assert.is(await get.Body?.transformToString(), "2");
});

check("what is missing is said to be missing", async (s3, Bucket) => {
  await fails(s3.send(new GetObjectCommand({ Bucket, Key: "none" })), 404, "NoSuchKey");
  await fails(s3.send(new HeadObjectCommand({ Bucket, Key: "none" })), 404);
  await fails(s3.send(new ListObjectsV2Command({ Bucket: "no-such-bucket-here" })), 404, "NoSuchBucket");
  await fails(s3.send(new HeadBucketCommand({ Bucket: "no-such-bucket-here" })), 404);
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "none" }));
  await fails(s3.send(new AbortMultipartUploadCommand({ Bucket, Key: "none", UploadId: "none" })), 404, "NoSuchUpload");
});

check("listing: prefix, delimiter, pages, start-after, max-keys 0", async (s3, Bucket) => {
  for (const Key of ["d/a", "d/b/1", "d/b/2", "d/c", "d/e/1", "f"]) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  const list = async (more: object) => {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, ...more }));
    return { keys: page.Contents?.map((o) => o.Key) ?? [], dirs: page.CommonPrefixes?.map((p) => p.Prefix) ?? [], next: page.NextContinuationToken, count: page.KeyCount };
  };
  const whole = await list({ Prefix: "d/", Delimiter: "/" });
  assert.equal([whole.keys, whole.dirs, whole.next], [["d/a", "d/c"], ["d/b/", "d/e/"], undefined]);
  assert.equal((await list({ Prefix: "d/" })).keys, ["d/a", "d/b/1", "d/b/2", "d/c", "d/e/1"]);
  assert.equal((await list({ Prefix: "d/", StartAfter: "d/b/1" })).keys, ["d/b/2", "d/c", "d/e/1"]);
  const seen: (string | undefined)[] = [];
  let token: string | undefined;
  do {
    const page = await list({ Prefix: "d/", Delimiter: "/", MaxKeys: 1, ...(token ? { ContinuationToken: token } : {}) });
    assert.is(page.count, 1);
    seen.push(...page.keys, ...page.dirs);
    token = page.next;
  } while (token && seen.length < 10);
  assert.equal(seen, ["d/a", "d/b/", "d/c", "d/e/"]);
  const none = await list({ Prefix: "d/", MaxKeys: 0 });
  assert.equal([none.keys, none.next], [[], undefined]);
});

check("listing is bytewise", async (s3, Bucket) => {
  const keys = ["o/a", "o/a-b", "o/a/b", "o/a0", "o/\u{e000}", "o/\u{1f600}"];
  for (const Key of [...keys].reverse()) await s3.send(new PutObjectCommand({ Bucket, Key, Body: "-" }));
  const page = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "o/" }));
  assert.equal(page.Contents?.map((o) => o.Key), keys);
}, "a key can't be both a file and a prefix there, and its order is that of a directory walk");

check("odd keys survive listing with url encoding", async (s3, Bucket) => {
  const keys = ["odd/a b", "odd/a%2Fb", "odd/a+b", "odd/q\"q", "odd/ü&<>"];
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: "-" }));
  const page = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "odd/", EncodingType: "url" }));
  assert.equal(page.Contents?.map((o) => decodeURIComponent((o.Key ?? "").replaceAll("+", "%20"))).sort(), [...keys].sort());
}, "it answers encoding-type=url with plain keys");

for (const algorithm of ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const) {
  check(`${algorithm}: kept, given back, and a wrong one refused`, async (s3, Bucket) => {
    const Key = `sum-${algorithm}`;
    const put = await s3.send(new PutObjectCommand({ Bucket, Key, Body: "checksummed", ChecksumAlgorithm: algorithm }));
    const field = `Checksum${algorithm}` as "ChecksumCRC32";
    assert.ok(put[field]);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }));
    assert.is(head[field], put[field]);
    const wrong = { Bucket, Key: `${Key}-bad`, Body: "another body", [field]: put[field] };
    await fails(s3.send(new PutObjectCommand(wrong)), 400);
    await fails(s3.send(new HeadObjectCommand({ Bucket, Key: `${Key}-bad` })), 404);
  });
}

check("multipart: create, parts, list, complete; the listing of uploads empties", async (s3, Bucket) => {
  const Key = "big/one";
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: "CRC32C" }));
  const bodies = [Buffer.alloc(5 << 20, "a"), Buffer.alloc(5 << 20, "b"), Buffer.from("tail")];
  const Parts = [];
  for (const [i, Body] of bodies.entries()) {
    const part = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: i + 1, Body, ChecksumAlgorithm: "CRC32C" }));
    Parts.push({ PartNumber: i + 1, ETag: part.ETag, ChecksumCRC32C: part.ChecksumCRC32C });
  }
  const uploads = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "big/" }));
  assert.equal(uploads.Uploads?.map((u) => [u.Key, u.UploadId]), [[Key, UploadId]]);
  const parts = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId }));
  assert.equal(parts.Parts?.map((p) => p.Size), [5 << 20, 5 << 20, 4]);
  const done = await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  assert.match(done.ETag ?? "", /-3"$/);
  assert.match(done.ChecksumCRC32C ?? "", /-3$/);
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key }));
  assert.is(head.ContentLength, (10 << 20) + 4);
  const across = await s3.send(new GetObjectCommand({ Bucket, Key, Range: `bytes=${(5 << 20) - 2}-${(5 << 20) + 1}` }));
  assert.is(await across.Body?.transformToString(), "aabb");
  assert.is((await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "big/" }))).Uploads?.length ?? 0, 0);
});

check("multipart: a small part that is not the last, an unknown part, an abort", async (s3, Bucket) => {
  const Key = "big/two";
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const first = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: "small" }));
  const second = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 2, Body: "small" }));
  const complete = (Parts: object[]) => s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  await fails(complete([{ PartNumber: 1, ETag: first.ETag }, { PartNumber: 2, ETag: second.ETag }]), 400, "EntityTooSmall");
  await fails(complete([{ PartNumber: 3, ETag: first.ETag }]), 400, "InvalidPart");
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  await fails(complete([{ PartNumber: 1, ETag: first.ETag }]), 404, "NoSuchUpload");
});

check("multipart: If-None-Match at completion", async (s3, Bucket) => {
  const Key = "big/three";
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: "there" }));
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const part = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: "new" }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: part.ETag }] };
  await fails(s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload, IfNoneMatch: "*" })), 412, "PreconditionFailed");
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
});

check("copy, and copy of a range into a part", async (s3, Bucket) => {
  const source = await s3.send(new PutObjectCommand({ Bucket, Key: "src ü", Body: "0123456789", Metadata: { a: "1" } }));
  const CopySource = `${Bucket}/${encodeURIComponent("src ü")}`;
  await s3.send(new CopyObjectCommand({ Bucket, Key: "dst", CopySource, CopySourceIfMatch: source.ETag }));
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "dst" }));
  assert.equal([head.ContentLength, head.Metadata], [10, { a: "1" }]);
  await fails(s3.send(new CopyObjectCommand({ Bucket, Key: "dst2", CopySource, CopySourceIfMatch: '"00000000000000000000000000000000"' })), 412);
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "dst3" }));
  const part = await s3.send(new UploadPartCopyCommand({ Bucket, Key: "dst3", UploadId, PartNumber: 1, CopySource, CopySourceRange: "bytes=2-5" }));
  const Parts = [{ PartNumber: 1, ETag: part.CopyPartResult?.ETag }];
  await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key: "dst3", UploadId, MultipartUpload: { Parts } }));
  const get = await s3.send(new GetObjectCommand({ Bucket, Key: "dst3" }));
  assert.is(await get.Body?.transformToString(), "2345");
});

check("delete many", async (s3, Bucket) => {
  for (const Key of ["m/1", "m/2"]) await s3.send(new PutObjectCommand({ Bucket, Key, Body: "-" }));
  const result = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: "m/1" }, { Key: "m/2" }, { Key: "m/3" }] } }));
  assert.equal(result.Errors ?? [], []);
  assert.is((await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "m/" }))).KeyCount, 0);
});

check("buckets: twice, not empty, listed, tagged", async (s3, Bucket) => {
  await fails(s3.send(new CreateBucketCommand({ Bucket })), 409, "BucketAlreadyOwnedByYou");
  await s3.send(new PutObjectCommand({ Bucket, Key: "full", Body: "-" }));
  await fails(s3.send(new DeleteBucketCommand({ Bucket })), 409, "BucketNotEmpty");
  assert.ok((await s3.send(new ListBucketsCommand({}))).Buckets?.some((b) => b.Name === Bucket));
  await fails(s3.send(new GetBucketTaggingCommand({ Bucket })), 404, "NoSuchTagSet");
  const TagSet = [{ Key: "owner", Value: "csi/ü" }];
  await s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
  assert.equal((await s3.send(new GetBucketTaggingCommand({ Bucket }))).TagSet, TagSet);
  await s3.send(new DeleteBucketTaggingCommand({ Bucket }));
  const other = `${Bucket}-other`;
  await s3.send(new CreateBucketCommand({ Bucket: other }));
  await s3.send(new DeleteBucketCommand({ Bucket: other }));
  await fails(s3.send(new HeadBucketCommand({ Bucket: other })), 404);
});

check("wrong keys are refused", async (_s3, Bucket, server) => {
  const unknown = server.client({ accessKeyId: "AKIANOBODY0000000000", secretAccessKey: "nothing" });
  await fails(unknown.send(new ListObjectsV2Command({ Bucket })), 403, "InvalidAccessKeyId");
  const wrong = server.client({ accessKeyId: server.key.accessKeyId, secretAccessKey: "wrong" });
  await fails(wrong.send(new ListObjectsV2Command({ Bucket })), 403, "SignatureDoesNotMatch");
  unknown.destroy();
  wrong.destroy();
});

check("append by write offset", async (s3) => {
  const Bucket = "appendable--usw2-az1--x-s3";
  const first = await s3.send(new PutObjectCommand({ Bucket, Key: "log", Body: "one", ChecksumAlgorithm: "CRC32C" }));
  const more = await s3.send(new PutObjectCommand({ Bucket, Key: "log", Body: "two", WriteOffsetBytes: 3, ChecksumAlgorithm: "CRC32C" }));
  assert.is.not(more.ETag, first.ETag);
  await fails(s3.send(new PutObjectCommand({ Bucket, Key: "log", Body: "x", WriteOffsetBytes: 3 })), 400, "InvalidWriteOffset");
  const get = await s3.send(new GetObjectCommand({ Bucket, Key: "log", ChecksumMode: "ENABLED" }));
  assert.is(await get.Body?.transformToString(), "onetwo");
}, "it has no append");

check("rename in a directory bucket", async (s3) => {
  const Bucket = "appendable--usw2-az1--x-s3";
  await s3.send(new PutObjectCommand({ Bucket, Key: "from", Body: "1" }));
  await s3.send(new PutObjectCommand({ Bucket, Key: "taken", Body: "2" }));
  await fails(s3.send(new RenameObjectCommand({ Bucket, Key: "taken", RenameSource: "from", DestinationIfNoneMatch: "*" })), 412);
  await s3.send(new RenameObjectCommand({ Bucket, Key: "to", RenameSource: "from" }));
  await fails(s3.send(new HeadObjectCommand({ Bucket, Key: "from" })), 404);
  assert.is((await s3.send(new HeadObjectCommand({ Bucket, Key: "to" }))).ContentLength, 1);
}, "it has no RenameObject");

const servers = await startServers();
for (const server of servers) {
  const Bucket = "conformance";
  const s3 = server.client();
  test(`${server.name}: make the bucket`, async () => {
    await s3.send(new CreateBucketCommand({ Bucket }));
  });
  for (const { title, run, embeddedOnly } of cases) {
    if (embeddedOnly !== undefined && server.name !== "embedded") continue;
    test(`${server.name}: ${title}`, () => run(s3, Bucket, server));
  }
  test.after(() => s3.destroy());
}
test.after(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});
test.run();

async function fails(promise: Promise<unknown>, status: number, code?: string): Promise<void> {
  const error = await promise.then(
    () => assert.unreachable(`should have failed with ${status} ${code ?? ""}`),
    (e: { name: string; $metadata?: { httpStatusCode?: number } }) => e,
  );
  assert.is(error?.$metadata?.httpStatusCode, status, `${error?.name}`);
  if (code !== undefined) assert.is(error?.name, code);
}
