// The service account of the pod this process runs in. The kubelet rotates the token file, so it is read again now and then.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Connection } from "./connection.ts";

export const serviceAccountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";

const tokenLifeMs = 60_000;

export function inClusterConnection(directory = serviceAccountDirectory, env: NodeJS.ProcessEnv = process.env): Connection {
  const host = env.KUBERNETES_SERVICE_HOST ?? "kubernetes.default.svc";
  const port = env.KUBERNETES_SERVICE_PORT ?? "443";
  let token = "";
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    server: new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    tls: { ca: readFileSync(`${directory}/ca.crt`) },
    async headers() {
      if (performance.now() - readAt > tokenLifeMs) {
        token = (await readFile(`${directory}/token`, "utf8")).trim();
        readAt = performance.now();
      }
      return { authorization: `Bearer ${token}` };
    },
  };
}
