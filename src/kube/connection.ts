// How to reach and convince an API server, whatever the source of that knowledge.
import { existsSync } from "node:fs";
import { inClusterConnection, serviceAccountDirectory } from "./in-cluster.ts";

export interface TlsMaterial {
  readonly ca?: string | Buffer | undefined;
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
}

export interface Connection {
  readonly server: URL;
  readonly tls: TlsMaterial;
  /** Asked before each request, for tokens expire. */
  headers(): Promise<Readonly<Record<string, string>>>;
}

export interface ConnectionOptions {
  /** A kubeconfig file; without it $KUBECONFIG, then the service account of this pod, then ~/.kube/config. */
  readonly kubeconfig?: string;
  readonly context?: string;
}

export async function connect(options: ConnectionOptions = {}): Promise<Connection> {
  const explicit = options.kubeconfig ?? process.env.KUBECONFIG;
  if (!explicit && process.env.KUBERNETES_SERVICE_HOST && existsSync(`${serviceAccountDirectory}/token`)) return inClusterConnection();
  // Loaded on demand: client-node brings 80 MB of resident memory that a process inside the cluster never needs.
  const { kubeconfigConnection } = await import("./kubeconfig.ts");
  return kubeconfigConnection(options);
}
