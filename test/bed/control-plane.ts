// A real etcd and a real kube-apiserver on loopback, for tests of everything that talks to Kubernetes. No controller-manager and no
// kubelet: nobody creates service accounts, collects garbage, empties namespaces or runs pods, unless the test does.
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import path from "node:path";
import { createAuthority, createServiceAccountKeys, writeKubeconfig } from "../../scripts/cluster/pki.ts";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { type Etcd, startEtcd } from "./etcd.ts";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { type RunningProcess, startProcess } from "./process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface ControlPlaneOptions {
  /** Aborting it stops everything. */
  readonly signal?: AbortSignal;
  /** More flags for kube-apiserver, e.g. --watch-cache=false. */
  readonly apiServerFlags?: readonly string[];
}

/** What a client needs, as PEM. */
export interface AdminClientConfig {
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface ControlPlane extends AsyncDisposable {
  /** Path of a kubeconfig for a cluster administrator. */
  readonly kubeconfig: string;
  readonly url: string;
  readonly admin: AdminClientConfig;
  readonly etcd: Etcd;
  /** The pid of kube-apiserver, which changes with a restart. */
  apiServerPid(): number;
  /** SIGKILL; connections break as in a crash. */
  killApiServer(): Promise<void>;
  /** On the same address; resolves when it is ready again. */
  restartApiServer(): Promise<void>;
  /** Forgets all history in etcd: after a restart (or without the watch cache) older resource versions are answered 410 Gone. */
  compact(): Promise<void>;
  stop(): Promise<void>;
}

export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { signal } = options;
  const binary = await ensureTool("kube-apiserver", { signal });
  const folder = await temporaryFolder("control-plane");
  const pki = path.join(folder.path, "pki");
  const started: RunningProcess[] = [];
  const stop = async () => {
    for (const process of started.toReversed()) await process.stop();
    await folder.remove();
  };
  try {
    const etcd = await startEtcd(folder.path, signal);
    started.push(etcd.process);
    const authority = await createAuthority(pki, signal);
    const [server, admin, serviceAccount, port] = await Promise.all([
      authority.issue("apiserver", { commonName: "kube-apiserver", altNames: ["DNS:localhost", "IP:127.0.0.1"] }),
      authority.issue("admin", { commonName: "admin", organization: "system:masters" }),
      createServiceAccountKeys(pki),
      freePort(),
    ]);
    const url = `https://127.0.0.1:${port}`;
    const kubeconfig = path.join(folder.path, "kubeconfig");
    await writeKubeconfig(kubeconfig, url, authority, admin);
    const client: AdminClientConfig = {
      server: url,
      ca: await readFile(authority.certFile, "utf8"),
      cert: await readFile(admin.certFile, "utf8"),
      key: await readFile(admin.keyFile, "utf8"),
    };
    const startApiServer = () =>
      startProcess({
        name: "kube-apiserver",
        file: binary,
        args: [
          `--etcd-servers=${etcd.url}`,
          "--bind-address=127.0.0.1",
          `--secure-port=${port}`,
          `--tls-cert-file=${server.certFile}`,
          `--tls-private-key-file=${server.keyFile}`,
          `--client-ca-file=${authority.certFile}`,
          `--service-account-key-file=${serviceAccount.publicFile}`,
          `--service-account-signing-key-file=${serviceAccount.privateFile}`,
          "--service-account-issuer=https://kubernetes.default.svc",
          "--service-cluster-ip-range=10.96.0.0/16",
          "--authorization-mode=RBAC",
          "--allow-privileged=true",
          // Without a controller-manager there is no default service account, and every pod would be refused.
          "--disable-admission-plugins=ServiceAccount",
          // Its ready check would otherwise hold back a stop for a minute.
          "--shutdown-delay-duration=0s",
          ...(options.apiServerFlags ?? []),
        ],
        cwd: folder.path,
        logFile: path.join(folder.path, "kube-apiserver.log"),
        ready: () => isReady(client),
        readyTimeoutMs: 60_000,
        signal,
      });
    let apiServer = await startApiServer();
    started.push(apiServer);
    return {
      kubeconfig,
      url,
      admin: client,
      etcd,
      apiServerPid: () => apiServer.pid,
      killApiServer: () => apiServer.kill(),
      async restartApiServer() {
        await apiServer.kill();
        apiServer = await startApiServer();
        started.push(apiServer);
      },
      compact: () => etcd.compact(),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function isReady(client: AdminClientConfig): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const { ca, cert, key } = client;
    // A connection of its own each time: none may survive into the test.
    const asked = request(`${client.server}/readyz`, { agent: new Agent({ ca, cert, key, keepAlive: false }), timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer")));
    asked.on("error", reject);
    asked.end();
  });
}
