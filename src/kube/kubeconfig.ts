// A kubeconfig read by client-node, which knows every way to log in (certificates, tokens, exec plugins, OIDC).
import type { RequestOptions } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";
import { DriverError } from "../core/errors.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";

const headerLifeMs = 30_000;

export async function kubeconfigConnection(options: ConnectionOptions): Promise<Connection> {
  const config = new KubeConfig();
  if (options.kubeconfig) config.loadFromFile(options.kubeconfig);
  else config.loadFromDefault();
  if (options.context) config.setCurrentContext(options.context);
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new DriverError("InvalidArgument", "the kubeconfig has no current context: name one, or set current-context");

  const ask = async (): Promise<RequestOptions> => {
    const request: RequestOptions = {};
    await config.applyToHTTPSOptions(request);
    return request;
  };
  let answer = await ask();
  let askedAt = performance.now();
  return {
    server: new URL(cluster.server),
    tls: {
      ca: answer.ca as Buffer | undefined,
      cert: answer.cert as Buffer | undefined,
      key: answer.key as Buffer | undefined,
      servername: answer.servername,
      rejectUnauthorized: answer.rejectUnauthorized,
    },
    async headers() {
      if (performance.now() - askedAt > headerLifeMs) {
        answer = await ask();
        askedAt = performance.now();
      }
      const headers: Record<string, string> = { ...(answer.headers as Record<string, string> | undefined) };
      if (answer.auth) headers.authorization = `Basic ${Buffer.from(answer.auth).toString("base64")}`;
      return headers;
    },
  };
}
