// A bucket of versitygw. Apart from mounted-bucket.ts, which is loaded by processes whose memory is measured.
import { createBucketAdmin } from "../../src/s3/bucket-admin.ts";
import { staticCredentials } from "../../src/s3/credentials.ts";
import { startVersityGw, type VersityGwOptions } from "../bed/versitygw.ts";
import type { Server } from "./mounted-bucket.ts";

export async function withVersityGw<T>(use: (server: Server) => Promise<T>, options: VersityGwOptions = {}): Promise<T> {
  const server = await startVersityGw({ signal: AbortSignal.timeout(60_000), ...options });
  try {
    await createAdminBucket(server, "bucket");
    return await use(server);
  } finally {
    await server.stop();
  }
}

async function createAdminBucket(server: Server, bucket: string): Promise<void> {
  const admin = createBucketAdmin({
    region: "us-east-1",
    endpointUrl: server.endpoint,
    pathStyle: true,
    credentials: staticCredentials(server),
  });
  await admin.createBucket(bucket);
  await admin.close();
}
