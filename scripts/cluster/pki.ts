// Certificates for a Kubernetes of our own: one authority, and what it signs. openssl makes them; Node can't.
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { runTool } from "../tools/run-tool.ts";
import { ensureTool } from "../tools/ensure-tool.ts";

export interface Identity {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly organization?: string;
  /** "DNS:…" and "IP:…" */
  readonly altNames?: readonly string[];
}

export interface Authority extends Identity {
  issue(name: string, request: CertificateRequest): Promise<Identity>;
}

export async function createAuthority(folder: string, signal?: AbortSignal): Promise<Authority> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await makeCertificate(
    identity(folder, "ca"),
    "/CN=s3-csi-driver-test-ca",
    ["keyUsage=critical,keyCertSign,digitalSignature"],
    [],
    signal,
  );
  return openAuthority(folder, signal);
}

/** The one that was created in that folder before. */
export function openAuthority(folder: string, signal?: AbortSignal): Authority {
  const authority = identity(folder, "ca");
  return {
    ...authority,
    async issue(name, request) {
      const issued = identity(folder, name);
      const subject = `${request.organization ? `/O=${request.organization}` : ""}/CN=${request.commonName}`;
      // req's own configuration makes every certificate an authority unless told otherwise.
      const extensions = [
        "basicConstraints=critical,CA:FALSE",
        "keyUsage=critical,digitalSignature",
        "extendedKeyUsage=serverAuth,clientAuth",
      ];
      if (request.altNames?.length) extensions.push(`subjectAltName=${request.altNames.join(",")}`);
      await makeCertificate(issued, subject, extensions, ["-CA", authority.certFile, "-CAkey", authority.keyFile], signal);
      return issued;
    },
  };
}

async function makeCertificate(
  to: Identity,
  subject: string,
  extensions: readonly string[],
  more: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const openssl = await ensureTool("openssl", { signal });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", to.keyFile];
  const certificate = ["-days", "365", "-out", to.certFile, "-subj", subject, ...extensions.flatMap((extension) => ["-addext", extension])];
  await runTool(openssl, ["req", "-x509", ...key, ...certificate, ...more], { signal });
}

/** The key pair that signs service account tokens. */
export async function createServiceAccountKeys(folder: string): Promise<{ readonly privateFile: string; readonly publicFile: string }> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const files = { privateFile: path.join(folder, "service-account.key"), publicFile: path.join(folder, "service-account.pub") };
  await writeFile(files.privateFile, privateKey.export({ type: "sec1", format: "pem" }), { mode: 0o600 });
  await writeFile(files.publicFile, publicKey.export({ type: "spki", format: "pem" }));
  return files;
}

/** A kubeconfig that needs no other file. */
export async function writeKubeconfig(file: string, server: string, authority: Identity, user: Identity): Promise<void> {
  const data = async (of: string) => (await readFile(of)).toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server, "certificate-authority-data": await data(authority.certFile) } }],
    users: [{ name: "test", user: { "client-certificate-data": await data(user.certFile), "client-key-data": await data(user.keyFile) } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    "current-context": "test",
  };
  await writeFile(file, JSON.stringify(config, null, 2), { mode: 0o600 });
}

function identity(folder: string, name: string): Identity {
  return { certFile: path.join(folder, `${name}.crt`), keyFile: path.join(folder, `${name}.key`) };
}
