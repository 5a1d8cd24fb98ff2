// A request's body, whole, in one buffer, decoded from aws-chunked and proven against what the headers claim of it.
import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Checksum, verifyChecksum } from "./checksums.ts";
import { S3Error } from "./s3-error.ts";
import type { Identity } from "./signature.ts";

export interface Body {
  readonly data: Buffer;
  readonly checksum: Checksum | undefined;
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const announced = request.headers["content-length"];
  if (announced === undefined) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
  const length = Number(announced);
  if (length === 0) return Buffer.alloc(0);
  const data = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for await (const chunk of request) filled += (chunk as Buffer).copy(data, filled);
  if (filled < length) throw new S3Error(400, "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length HTTP header.");
  return data;
}

export function proveBody(request: IncomingMessage, raw: Buffer, identity: Identity | undefined): Body {
  const claimed = request.headers["x-amz-content-sha256"];
  const kind = typeof claimed === "string" ? claimed : "UNSIGNED-PAYLOAD";
  if (kind.startsWith("STREAMING-")) {
    const { data, trailers } = decodeChunks(raw, kind, identity);
    const announced = request.headers["x-amz-decoded-content-length"];
    if (announced === undefined) throw new S3Error(411, "MissingContentLength", "You must provide the x-amz-decoded-content-length HTTP header.");
    if (Number(announced) !== data.length) throw new S3Error(400, "IncompleteBody", "The decoded body has another length than announced.");
    return { data, checksum: verifyChecksum(request.headers, trailers, data) };
  }
  if (kind !== "UNSIGNED-PAYLOAD" && createHash("sha256").update(raw).digest("hex") !== kind)
    throw new S3Error(400, "XAmzContentSHA256Mismatch", "The provided 'x-amz-content-sha256' header does not match what was computed.");
  return { data: raw, checksum: verifyChecksum(request.headers, new Map(), raw) };
}

const emptyHash = createHash("sha256").digest("hex");

function decodeChunks(raw: Buffer, kind: string, identity: Identity | undefined): { data: Buffer; trailers: Map<string, string> } {
  const signed = kind.startsWith("STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
  const trailers = new Map<string, string>();
  const data = Buffer.allocUnsafeSlow(raw.length);
  let filled = 0;
  let at = 0;
  let previous = identity?.seed.signature ?? "";
  for (;;) {
    const lineEnd = raw.indexOf("\r\n", at);
    if (lineEnd < 0) throw broken();
    const [size = "", extension = ""] = raw.toString("latin1", at, lineEnd).split(";");
    const length = Number.parseInt(size, 16);
    if (Number.isNaN(length)) throw broken();
    at = lineEnd + 2;
    const chunk = raw.subarray(at, at + length);
    if (signed && identity) {
      const { signingKey, date, scope } = identity.seed;
      const hash = createHash("sha256").update(chunk).digest("hex");
      const toSign = `AWS4-HMAC-SHA256-PAYLOAD\n${date}\n${scope}\n${previous}\n${emptyHash}\n${hash}`;
      previous = createHmac("sha256", signingKey).update(toSign).digest("hex");
      if (extension !== `chunk-signature=${previous}`) throw new S3Error(403, "SignatureDoesNotMatch", "A chunk's signature does not match.");
    }
    if (length === 0) break;
    filled += chunk.copy(data, filled);
    at += length + 2;
  }
  for (const line of raw.toString("latin1", at).split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { data: filled === data.length ? data : Buffer.from(data.subarray(0, filled)), trailers };
}

function broken(): S3Error {
  return new S3Error(400, "IncompleteBody", "The aws-chunked body is not well-formed.");
}
