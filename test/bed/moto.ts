// moto: slow and careless with signatures, but the only server at hand that knows STS (AssumeRole, AssumeRoleWithWebIdentity) and IAM.
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { startProcess } from "./process.ts";
import { type S3Server, testAccount } from "./s3-server.ts";

export interface MotoOptions {
  readonly signal?: AbortSignal;
}

/** The endpoint answers for every service: S3, STS, IAM. */
export async function startMoto(options: MotoOptions = {}): Promise<S3Server> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = await startProcess({
    name: "moto",
    file: await ensureTool("moto", options),
    args: ["--host", "127.0.0.1", "--port", String(port)],
    ready: async (signal) => (await fetch(`${endpoint}/moto-api/`, { signal })).ok,
    readyTimeoutMs: 60_000,
    signal: options.signal,
  });
  const stop = () => server.stop();
  return { ...testAccount, endpoint, region: "us-east-1", pid: server.pid, stop, [Symbol.asyncDispose]: stop };
}
