// An S3 server behind a certificate that only its own authority has signed, as many companies run theirs.
import { readFile } from "node:fs/promises";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { createAuthority } from "../../scripts/cluster/pki.ts";
import { type EmbeddedS3, startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";
import type { ClusterBed } from "./bed.ts";

export interface SecureS3 {
  readonly server: EmbeddedS3;
  /** As pods reach it. */
  readonly endpointUrl: string;
  /** The authority's certificate, PEM. */
  readonly authority: string;
  stop(): Promise<void>;
}

/** Takes the same keys as the bed's own server. */
export async function startSecureS3(bed: ClusterBed, signal: AbortSignal): Promise<SecureS3> {
  await using folder = await temporaryFolder("authority");
  // The certificate is for the address that pods use, so that comes first.
  const port = await freePort();
  const address = await bed.expose(port);
  const authority = await createAuthority(folder.path, signal);
  const identity = await authority.issue("s3", { commonName: "s3", altNames: [`IP:${address.slice(0, address.lastIndexOf(":"))}`] });
  const tls = { key: await readFile(identity.keyFile, "utf8"), cert: await readFile(identity.certFile, "utf8") };
  const server = await startEmbeddedS3({ port, tls, key: bed.s3.key });
  return { server, endpointUrl: `https://${address}`, authority: await readFile(authority.certFile, "utf8"), stop: () => server.stop() };
}
