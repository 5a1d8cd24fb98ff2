// versitygw: a real S3 server that checks signatures and checksums. Its data lies in memory, unless told otherwise.
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { runTool } from "../../scripts/tools/run-tool.ts";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { startProcess } from "./process.ts";
import { type S3Account, type S3Server, testAccount } from "./s3-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface VersityGwOptions {
  readonly signal?: AbortSignal;
  readonly region?: string;
  readonly host?: string;
  readonly versioning?: boolean;
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** More accounts beside the root one; each sees only its own buckets. */
  readonly accounts?: readonly S3Account[];
  /** Where its data lies: "disk" for more than memory should hold. */
  readonly place?: "memory" | "disk";
}

export interface VersityGw extends S3Server {
  /** Where the objects lie as files, one folder a bucket: for looking, not for changing. */
  readonly dataFolder: string;
}

export async function startVersityGw(options: VersityGwOptions = {}): Promise<VersityGw> {
  const { signal, region = "us-east-1", host = "127.0.0.1", tls, accounts = [] } = options;
  const file = await ensureTool("versitygw", { signal });
  const folder = await temporaryFolder("versitygw", options.place ?? "memory");
  const inside = (name: string) => path.join(folder.path, name);
  for (const name of ["data", "versions", "iam"]) await mkdir(inside(name));
  const port = await freePort();
  const endpoint = `${tls ? "https" : "http"}://${host}:${port}`;
  const root = { ROOT_ACCESS_KEY_ID: testAccount.accessKeyId, ROOT_SECRET_ACCESS_KEY: testAccount.secretAccessKey };
  try {
    const server = await startProcess({
      name: "versitygw",
      file,
      args: [
        ...["--quiet", "--keep-alive", "--port", `${host}:${port}`, "--region", region, "--health", "/healthz", "--iam-dir", inside("iam")],
        ...(tls ? ["--cert", tls.certFile, "--key", tls.keyFile] : []),
        ...["posix", ...(options.versioning ? ["--versioning-dir", inside("versions")] : []), inside("data")],
      ],
      env: root,
      ready: () => isHealthy(`${endpoint}/healthz`),
      signal,
    });
    const stop = async () => {
      await server.stop();
      await folder.remove();
    };
    void server.ended.then(() => folder.remove());
    for (const { accessKeyId, secretAccessKey } of accounts) {
      const admin = ["admin", "--endpoint-url", endpoint, "--region", region, "--allow-insecure"];
      const user = ["create-user", "--access", accessKeyId, "--secret", secretAccessKey, "--role", "userplus"];
      await runTool(file, [...admin, ...user], {
        signal,
        env: { ...process.env, ADMIN_ACCESS_KEY_ID: testAccount.accessKeyId, ADMIN_SECRET_ACCESS_KEY: testAccount.secretAccessKey },
      });
    }
    return { ...testAccount, endpoint, region, pid: server.pid, dataFolder: inside("data"), stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function isHealthy(url: string): Promise<boolean> {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // Only whether it listens and answers is asked here; whose certificate it has is the test's business.
    send(url, { agent: false, rejectUnauthorized: false, timeout: 1000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    })
      .on("error", reject)
      .end();
  });
}
