// Our signatures are those of the SDK, byte by byte: its requests are caught on the way out and signed once more by us.
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { canonicalQuery, createSigner, encodeKey } from "../../src/s3/sign.ts";

interface Caught {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Record<string, string>;
}

const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", sessionToken: "a token" };
const caught: Caught[] = [];
const requestHandler = {
  handle: async (request: Caught) => {
    caught.push(request);
    throw new Error("caught");
  },
};
const s3 = new S3Client({ region: "eu-west-1", endpoint: "https://store.example.com", forcePathStyle: true, credentials, maxAttempts: 1, requestHandler });

const keys = ["plain", "a b/c+d/é/(1)*!'~.txt", "dir//double", "%41", "ü/😀"];
for (const key of keys) {
  test(`a read of ${key}`, async () => {
    const request = await catchOne(() => s3.send(new GetObjectCommand({ Bucket: "bucket", Key: key, Range: "bytes=0-1", IfMatch: '"e  t"' })));
    assert.is(request.path, `/bucket/${encodeKey(key)}`);
    assert.is(resigned(request), request.headers["authorization"]);
  });
}

test("a listing with everything in its query", async () => {
  const request = await catchOne(() => s3.send(new ListObjectsV2Command({ Bucket: "bucket", Prefix: "a b/&=+", Delimiter: "/", StartAfter: "é(*)", MaxKeys: 7 })));
  assert.is(resigned(request), request.headers["authorization"]);
  assert.match(canonicalQuery(Object.entries(request.query)), /prefix=a%20b%2F%26%3D%2B&start-after=%C3%A9%28%2A%29/);
});

test.after(() => s3.destroy());
test.run();

async function catchOne(send: () => Promise<unknown>): Promise<Caught> {
  caught.length = 0;
  await send().catch(() => {});
  const [request] = caught;
  if (!request) throw new Error("the SDK sent nothing");
  return request;
}

function resigned(request: Caught): string | undefined {
  const { authorization: _, ...headers } = request.headers;
  const at = new Date((headers["x-amz-date"] ?? "").replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const payloadHash = headers["x-amz-content-sha256"] ?? "";
  createSigner({ region: "eu-west-1", service: "s3" }).sign({ ...request, query: Object.entries(request.query), headers, payloadHash }, credentials, at);
  return (headers as Record<string, string>)["authorization"];
}
