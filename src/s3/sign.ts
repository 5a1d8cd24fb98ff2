// AWS Signature Version 4 for our own data path. The signing key depends on the day, the region and the secret only, so it is
// computed once and kept; a request then costs two hashes.
import { createHash, createHmac } from "node:crypto";
import type { Credentials } from "./credentials.ts";

export interface Signable {
  readonly method: string;
  /** Encoded, without the query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Lower-case names. The signature's headers are added. */
  readonly headers: Record<string, string>;
  /** Hex SHA-256 of the body, or UNSIGNED-PAYLOAD. */
  readonly payloadHash: string;
}

export const emptyPayloadHash = createHash("sha256").digest("hex");
export const unsignedPayload = "UNSIGNED-PAYLOAD";

export interface Signer {
  sign(request: Signable, credentials: Credentials, at: Date): void;
}

export function createSigner(scope: { readonly region: string; readonly service: string }): Signer {
  let keyName = "";
  let key: Buffer = Buffer.alloc(0);
  return {
    sign(request, credentials, at) {
      const date = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
      const day = date.slice(0, 8);
      const name = `${credentials.secretAccessKey}/${day}`;
      if (name !== keyName) {
        key = hmac(hmac(hmac(hmac(`AWS4${credentials.secretAccessKey}`, day), scope.region), scope.service), "aws4_request");
        keyName = name;
      }
      const { headers } = request;
      headers["x-amz-date"] = date;
      headers["x-amz-content-sha256"] = request.payloadHash;
      if (credentials.sessionToken !== undefined) headers[credentials.isBucketSession ? "x-amz-s3session-token" : "x-amz-security-token"] = credentials.sessionToken;
      const names = Object.keys(headers).filter(isSigned).sort();
      const signedNames = names.join(";");
      const lines = names.map((n) => `${n}:${headers[n]?.trim().replace(/\s+/g, " ")}\n`).join("");
      const canonical = `${request.method}\n${request.path}\n${canonicalQuery(request.query)}\n${lines}\n${signedNames}\n${request.payloadHash}`;
      const scopeText = `${day}/${scope.region}/${scope.service}/aws4_request`;
      const toSign = `AWS4-HMAC-SHA256\n${date}\n${scopeText}\n${createHash("sha256").update(canonical).digest("hex")}`;
      const signature = createHmac("sha256", key).update(toSign).digest("hex");
      headers["authorization"] = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scopeText}, SignedHeaders=${signedNames}, Signature=${signature}`;
    },
  };
}

/** RFC 3986, as S3 wants it signed. */
export function encodeUri(text: string): string {
  if (/^[A-Za-z0-9_.~-]*$/.test(text)) return text;
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A key as a path: slashes stay. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodeUri).join("/");
}

export function canonicalQuery(query: Signable["query"]): string {
  return query
    .map(([name, value]) => `${encodeUri(name)}=${encodeUri(value)}`)
    .sort()
    .join("&");
}

/** Proxies change some headers on the way, and what S3 does not ask for may be left out. */
function isSigned(name: string): boolean {
  return name !== "user-agent" && name !== "connection" && name !== "expect" && name !== "authorization";
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
