// The node service as it runs in production, with daemons as processes of their own (MOUNTER_KIND=process) and the real kernel.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { IdentityDefinition, NodeDefinition, VolumeCapability_AccessMode_Mode as Mode } from "../../../generated/proto/csi.ts";
import { abortConnection } from "../../../src/fuse/connection.ts";
import { connect } from "../../../src/grpc/client.ts";
import { umount } from "../../../src/linux/mount.ts";
import { type MountPoint, readMountInfo } from "../../../src/linux/mount-info.ts";
import { type RunningProcess, startProcess } from "../../bed/process.ts";
import { temporaryFolder } from "../../bed/temporary-folder.ts";
import { type S3Access, writeKeys } from "./controller-process.ts";

const entry = path.join(import.meta.dirname, "../../../src/bin/node.ts");

export type NodeProcess = Awaited<ReturnType<typeof startNode>>;

export async function startNode(s3: S3Access, options: { readonly logLevel?: string; readonly env?: Readonly<Record<string, string>> } = {}) {
  const folder = await temporaryFolder("node", "memory");
  const root = realpathSync(folder.path);
  const kubelet = path.join(root, "kubelet");
  const comm = path.join(root, "comm");
  const socket = path.join(root, "csi.sock");
  const credentials = path.join(root, "credentials");
  const logFile = path.join(root, "node.log");
  mkdirSync(path.join(kubelet, "pods"), { recursive: true });
  await writeKeys(credentials, s3);
  const launch = (): Promise<RunningProcess> =>
    startProcess({
      name: "node",
      file: process.execPath,
      args: [entry],
      logFile,
      env: {
        CSI_ENDPOINT: `unix://${socket}`,
        CSI_NODE_NAME: "test-node",
        KUBELET_PATH: kubelet,
        MOUNTER_KIND: "process",
        MOUNT_PROCESS_DIR: comm,
        AWS_ENDPOINT_URL: s3.endpoint,
        AWS_REGION: s3.region,
        S3_CREDENTIALS_DIR: credentials,
        METRICS_PORT: "0",
        PUBLISH_TIMEOUT: "60s",
        LOG_LEVEL: options.logLevel ?? "debug",
        ...options.env,
      },
      readyTimeoutMs: 60_000,
      ready: async () => {
        using client = connect(IdentityDefinition, { endpoint: socket });
        return (await client.call.probe({}, { signal: AbortSignal.timeout(1000) })).ready === true;
      },
    });
  let running = await launch();
  const client = connect(NodeDefinition, { endpoint: socket });
  const mounts = (): MountPoint[] => readMountInfo().filter((mount) => mount.mountPoint.startsWith(`${root}/`));
  const daemons = (): number[] => (existsSync(comm) ? readdirSync(comm) : []).flatMap((name) => pidIn(path.join(comm, name, "pid")));
  const stop = async () => {
    client.close();
    await running.stop();
    for (const pid of daemons()) kill(pid);
    for (const mount of mounts()) {
      if (mount.type === "fuse") abortConnection(mount.minor);
      umount(mount.mountPoint, { lazy: true });
    }
    rmSync(kubelet, { recursive: true, force: true });
    await folder.remove();
  };
  return {
    root,
    kubelet,
    comm,
    socket,
    credentials,
    call: client.call,
    mounts,
    daemons,
    log: () => readFileSync(logFile, "utf8"),
    process: () => running,
    /** A target as kubelet would choose it. */
    target: (pod: string, volume = "pv") => path.join(kubelet, "pods", pod, "volumes", "kubernetes.io~csi", volume, "mount"),
    async kill() {
      await running.kill();
    },
    async start() {
      running = await launch();
    },
    /** SIGKILL, then a new one; the daemons go on. */
    async restart() {
      await running.kill();
      running = await launch();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

export interface PublishOptions {
  readonly flags?: readonly string[];
  readonly mode?: Mode;
  readonly readonly?: boolean;
  readonly fsGroup?: string;
  readonly context?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly volumeId?: string;
}

export function publishRequest(bucket: string, target: string, options: PublishOptions = {}) {
  return {
    volumeId: options.volumeId ?? bucket,
    targetPath: target,
    volumeCapability: {
      accessType: { $case: "mount" as const, mount: { fsType: "", mountFlags: [...(options.flags ?? [])], volumeMountGroup: options.fsGroup ?? "" } },
      accessMode: { mode: options.mode ?? Mode.MULTI_NODE_MULTI_WRITER },
    },
    readonly: options.readonly ?? false,
    volumeContext: { bucketName: bucket, ...options.context },
    secrets: { ...options.secrets },
  };
}

/** For what has no event of its own, such as the end of another process's child. */
export async function eventually(what: string, check: () => boolean, limitMs = 10_000): Promise<void> {
  for (const until = performance.now() + limitMs; !check(); await delay(10)) {
    if (performance.now() > until) throw new Error(`not within ${limitMs} ms: ${what}`);
  }
}

function pidIn(file: string): number[] {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    const state = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /\) [ZX] /.test(state) ? [] : [pid];
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
