// The checksums S3 knows, over whole bodies; and the rules by which a request names one.
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { crc32 } from "node:zlib";
import { crc32c, crc64nvme } from "../../../src/s3/crc.ts";
import { invalidRequest, S3Error } from "./s3-error.ts";

export const checksumNames = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"] as const;
export type ChecksumName = (typeof checksumNames)[number];

export interface Checksum {
  readonly name: ChecksumName;
  readonly value: string;
}

export function checksumOf(name: ChecksumName, segments: readonly Uint8Array[]): string {
  if (name === "crc32") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(segments.reduce((crc, s) => crc32(s, crc), 0));
    return bytes.toString("base64");
  }
  if (name === "sha1" || name === "sha256") {
    const hash = createHash(name);
    for (const segment of segments) hash.update(segment);
    return hash.digest("base64");
  }
  const crc = name === "crc32c" ? crc32c() : crc64nvme();
  for (const segment of segments) crc.update(segment);
  return crc.base64();
}

/** The checksum given with a body, in its headers or trailers, proven right; undefined when there is none. */
export function verifyChecksum(headers: IncomingHttpHeaders, trailers: ReadonlyMap<string, string>, body: Uint8Array): Checksum | undefined {
  const given: Checksum[] = [];
  for (const name of checksumNames) {
    const value = headers[`x-amz-checksum-${name}`] ?? trailers.get(`x-amz-checksum-${name}`);
    if (typeof value === "string") given.push({ name, value });
  }
  if (given.length > 1) throw invalidRequest("Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.");
  const [checksum] = given;
  const announced = headers["x-amz-trailer"];
  if (!checksum && typeof announced === "string") throw new S3Error(400, "MalformedTrailerError", "The request contained trailing data that was not well-formed");
  if (checksum && checksumOf(checksum.name, [body]) !== checksum.value)
    throw new S3Error(400, "BadDigest", `The ${checksum.name.toUpperCase()} you specified did not match the calculated checksum.`);
  const md5 = headers["content-md5"];
  if (typeof md5 === "string" && createHash("md5").update(body).digest("base64") !== md5)
    throw new S3Error(400, "BadDigest", "The Content-MD5 you specified did not match what we received.");
  return checksum;
}

export function checksumNameOf(text: string | undefined): ChecksumName | undefined {
  const name = checksumNames.find((n) => n === text?.toLowerCase());
  if (text !== undefined && !name) throw invalidRequest("Checksum algorithm provided is unsupported.");
  return name;
}

/** CRC64NVME → ChecksumCRC64NVME */
export function checksumElement(name: ChecksumName): string {
  return `Checksum${name.toUpperCase()}`;
}
