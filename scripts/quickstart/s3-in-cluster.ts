// The embedded S3 server as a Deployment, so that the quickstart's cluster goes on working when the quickstart has ended.
// Its one file of script travels in a ConfigMap: no image has to be built for it.
import path from "node:path";
import { build } from "esbuild";
import type { CommandLine } from "../kubernetes/kubectl.ts";
import { markedSecret, secretMark } from "../test/secrets/mark.ts";

export interface ClusterS3 {
  readonly endpointUrl: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const name = "s3-server";
const port = 9000;
const accessKeyId = `QUICKSTART${secretMark}`;

/** image: one that has node (22 or newer) at its PATH. */
export async function deployS3(kubectl: CommandLine, namespace: string, image: string): Promise<ClusterS3> {
  const secretAccessKey = (await existingSecret(kubectl, namespace)) ?? markedSecret();
  const metadata = { name, namespace, labels: { app: name } };
  const args = ["/server/server.mjs", "--host=0.0.0.0", `--port=${port}`, `--access-key-id=${accessKeyId}`, "--keep"];
  const items = [
    { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "server.mjs": await bundle() } },
    { apiVersion: "v1", kind: "Secret", metadata, stringData: { secretAccessKey } },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: {
        selector: { matchLabels: { app: name } },
        // What it holds is in its memory: never two of them.
        strategy: { type: "Recreate" },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            volumes: [{ name: "server", configMap: { name } }],
            containers: [
              {
                name,
                image,
                command: ["node", ...args],
                env: [{ name: "EMBEDDED_S3_SECRET_ACCESS_KEY", valueFrom: { secretKeyRef: { name, key: "secretAccessKey" } } }],
                ports: [{ containerPort: port }],
                readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
                volumeMounts: [{ name: "server", mountPath: "/server" }],
              },
            ],
          },
        },
      },
    },
    { apiVersion: "v1", kind: "Service", metadata, spec: { selector: { app: name }, ports: [{ port }] } },
  ];
  await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], { input: JSON.stringify({ apiVersion: "v1", kind: "List", items }) });
  await kubectl(["-n", namespace, "rollout", "status", `deployment/${name}`, "--timeout=120s"]);
  // An address, not a name: a small cluster may have no DNS.
  const address = await kubectl(["-n", namespace, "get", "service", name, "-o", "jsonpath={.spec.clusterIP}"]);
  return { endpointUrl: `http://${address}:${port}`, accessKeyId, secretAccessKey };
}

async function existingSecret(kubectl: CommandLine, namespace: string): Promise<string | undefined> {
  const found = await kubectl(["-n", namespace, "get", "secret", name, "--ignore-not-found", "-o", "jsonpath={.data.secretAccessKey}"]);
  return found === "" ? undefined : Buffer.from(found, "base64").toString();
}

async function bundle(): Promise<string> {
  const result = await build({
    entryPoints: [path.resolve(import.meta.dirname, "../../test/bed/embedded-s3/main.ts")],
    bundle: true,
    write: false,
    platform: "node",
    target: "node22",
    format: "esm",
    minify: true,
    // For the CommonJS packages inside.
    banner: { js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);' },
    logLevel: "silent",
  });
  const text = result.outputFiles[0]?.text ?? "";
  if (text.length > 900_000) throw new Error("The embedded S3 server has grown too large for a ConfigMap.");
  return text;
}
