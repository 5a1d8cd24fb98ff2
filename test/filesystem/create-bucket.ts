import { createBucketAdmin } from "../../src/s3/bucket-admin.ts";
import { staticCredentials } from "../../src/s3/credentials.ts";
import type { Server } from "./mounted-bucket.ts";

export async function createAdminBucket(server: Server, bucket: string): Promise<void> {
  const admin = createBucketAdmin({
    region: "us-east-1",
    endpointUrl: server.endpoint,
    pathStyle: true,
    credentials: staticCredentials(server),
  });
  await admin.createBucket(bucket);
  await admin.close();
}
