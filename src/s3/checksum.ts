// A body's checksum as S3's headers carry it.
import { crc32 } from "node:zlib";
import { crc32c, crc64nvme } from "./crc.ts";
import type { ChecksumAlgorithm } from "./object-store.ts";

/** base64; undefined for "off". */
export function checksumOf(algorithm: ChecksumAlgorithm, body: readonly Uint8Array[]): string | undefined {
  if (algorithm === "off") return undefined;
  const crc = algorithm === "crc32c" ? crc32c() : crc64nvme();
  for (const part of body) crc.update(part);
  return crc.base64();
}

export function checksumHeaders(algorithm: ChecksumAlgorithm, value: string | undefined): Record<string, string> {
  if (value === undefined) return {};
  return { "x-amz-sdk-checksum-algorithm": algorithm.toUpperCase(), [`x-amz-checksum-${algorithm}`]: value };
}

/** True when the reply's headers give a checksum of the whole object and the body has another one. */
export function contradictsChecksum(headers: ReadonlyMap<string, string>, body: Uint8Array): boolean {
  if (headers.get("x-amz-checksum-type") === "COMPOSITE") return false;
  for (const [name, compute] of provable) {
    const said = headers.get(`x-amz-checksum-${name}`);
    // A multipart object's composite checksum ends in "-parts" and says nothing about the whole.
    if (said !== undefined && !said.includes("-")) return compute(body) !== said;
  }
  return false;
}

const provable: readonly (readonly [string, (body: Uint8Array) => string])[] = [
  ["crc64nvme", (body) => crc64nvme().update(body).base64()],
  ["crc32c", (body) => crc32c().update(body).base64()],
  ["crc32", plainCrc32],
];

function plainCrc32(body: Uint8Array): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString("base64");
}
