// The controller as it runs in production: its own process, its settings, its socket.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ControllerDefinition, IdentityDefinition } from "../../../generated/proto/csi.ts";
import { connect } from "../../../src/grpc/client.ts";
import { type RunningProcess, startProcess } from "../../bed/process.ts";
import { temporaryFolder } from "../../bed/temporary-folder.ts";

export interface S3Access {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const entry = path.join(import.meta.dirname, "../../../src/bin/controller.ts");

export async function startController(s3: S3Access, options: { readonly logLevel?: string } = {}) {
  const folder = await temporaryFolder("controller", "memory");
  const socket = path.join(folder.path, "csi.sock");
  const credentials = path.join(folder.path, "credentials");
  await writeKeys(credentials, s3);
  const launch = (): Promise<RunningProcess> =>
    startProcess({
      name: "controller",
      file: process.execPath,
      args: [entry],
      env: {
        CSI_ENDPOINT: `unix://${socket}`,
        AWS_ENDPOINT_URL: s3.endpoint,
        AWS_REGION: s3.region,
        S3_CREDENTIALS_DIR: credentials,
        METRICS_PORT: "0",
        LOG_LEVEL: options.logLevel ?? "debug",
      },
      ready: async () => {
        using client = connect(IdentityDefinition, { endpoint: socket });
        return (await client.call.probe({}, { signal: AbortSignal.timeout(1000) })).ready === true;
      },
    });
  let running = await launch();
  let logs = "";
  const client = connect(ControllerDefinition, { endpoint: socket });
  const stop = async () => {
    client.close();
    await running.stop();
    await folder.remove();
  };
  return {
    socket,
    call: client.call,
    log: () => logs + running.log(),
    process: () => running,
    /** SIGKILL, then a new one. */
    async restart() {
      await running.kill();
      logs += running.log();
      running = await launch();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The driver's own keys, as a mounted Secret has them: one file a field. */
export async function writeKeys(directory: string, keys: Pick<S3Access, "accessKeyId" | "secretAccessKey">): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, "access_key_id"), keys.accessKeyId);
  await writeFile(path.join(directory, "secret_access_key"), keys.secretAccessKey);
}
