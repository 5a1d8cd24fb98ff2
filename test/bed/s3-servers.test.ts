// The servers are real ones, so this only asks whether they start, know their accounts, and end.
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { existsSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { markedKey } from "../../scripts/test/secrets/mark.ts";
import { startMoto } from "./moto.ts";
import type { S3Account, S3Server } from "./s3-server.ts";
import { startVersityGw } from "./versitygw.ts";

const limit = () => AbortSignal.timeout(120_000);

test.before(async () => {
  for (const name of ["versitygw", "moto"] as const) await ensureTool(name);
});

for (const [name, start] of [
  ["versitygw", startVersityGw],
  ["moto", startMoto],
] as const) {
  test(`${name} stores what it is given, and ends`, async () => {
    const server = await start({ signal: limit() });
    try {
      const client = clientOf(server);
      await client.send(new CreateBucketCommand({ Bucket: "first" }));
      await client.send(new PutObjectCommand({ Bucket: "first", Key: "a/b", Body: "hello" }));
      const got = await client.send(new GetObjectCommand({ Bucket: "first", Key: "a/b" }));
      assert.is(await got.Body?.transformToString(), "hello");
    } finally {
      await server.stop();
    }
    assert.not.ok(existsSync(`/proc/${server.pid}`));
  });
}

test("versitygw keeps its accounts apart", async () => {
  const one = markedKey("ACCOUNTONE");
  const two = markedKey("ACCOUNTTWO");
  await using server = await startVersityGw({ accounts: [one, two], signal: limit() });
  await clientOf(server, one).send(new CreateBucketCommand({ Bucket: "of-one" }));
  await clientOf(server, one).send(new ListObjectsV2Command({ Bucket: "of-one" }));
  const refused = await clientOf(server, two)
    .send(new ListObjectsV2Command({ Bucket: "of-one" }))
    .then(
      () => "allowed",
      (error: Error) => error.name,
    );
  assert.is(refused, "AccessDenied");
});

function clientOf(server: S3Server, account: S3Account = server): S3Client {
  const { accessKeyId, secretAccessKey } = account;
  return new S3Client({
    endpoint: server.endpoint,
    region: server.region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
}

test.run();
