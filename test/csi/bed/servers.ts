// The S3 servers that the CSI tests run against: each test, on each of them.
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { startVersityGw } from "../../bed/versitygw.ts";
import type { S3Access } from "./controller-process.ts";

export interface TestServer extends S3Access {
  readonly name: string;
  stop(): Promise<void>;
}

export const servers: Readonly<Record<"embedded" | "versitygw", () => Promise<TestServer>>> = {
  async embedded() {
    const server = await startEmbeddedS3({ key: testAccount });
    return { name: "embedded", endpoint: server.endpoint, region: "us-east-1", ...testAccount, stop: () => server.stop() };
  },
  async versitygw() {
    const server = await startVersityGw();
    return { name: "versitygw", endpoint: server.endpoint, region: server.region, ...testAccount, stop: () => server.stop() };
  },
};
