// The S3 servers that the suites of this folder run against, behind one face.
import { S3Client } from "@aws-sdk/client-s3";
import { type EmbeddedS3, startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { startVersityGw } from "../bed/versitygw.ts";

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Server {
  readonly name: "embedded" | "versitygw";
  readonly endpoint: string;
  readonly key: Keys;
  readonly embedded?: EmbeddedS3;
  client(key?: Keys): S3Client;
  stop(): Promise<void>;
}

export async function startServers(): Promise<S3Server[]> {
  const embedded = await startEmbeddedS3({ buckets: ["appendable--usw2-az1--x-s3"] });
  const real = await startVersityGw();
  return [
    { name: "embedded", endpoint: embedded.endpoint, key: embedded.key, embedded, client: clientFor(embedded.endpoint, embedded.key), stop: embedded.stop },
    { name: "versitygw", endpoint: real.endpoint, key: real, client: clientFor(real.endpoint, real), stop: () => real.stop() },
  ];
}

function clientFor(endpoint: string, own: Keys): S3Server["client"] {
  return (key = own) =>
    new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: { accessKeyId: key.accessKeyId, secretAccessKey: key.secretAccessKey, ...(key.sessionToken ? { sessionToken: key.sessionToken } : {}) }, maxAttempts: 1, disableS3ExpressSessionAuth: true });
}
