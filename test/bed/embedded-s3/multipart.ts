// Multipart uploads.
import { createHash, randomBytes } from "node:crypto";
import { bucketOf, type Call, checkWriteConditions, header, noContent, type Reply, xmlReply } from "./call.ts";
import { type ChecksumName, checksumElement, checksumNameOf, checksumNames, checksumOf } from "./checksums.ts";
import { Content } from "./content.ts";
import { copySource, keptHeaders, writable } from "./objects.ts";
import { invalidArgument, malformedXml, noSuchKey, S3Error } from "./s3-error.ts";
import { md5, type Part, type StoredObject, type Upload } from "./state.ts";
import { readXml, textOf, type XmlNode } from "./xml.ts";

const minPartSize = 5 * 1024 * 1024;

export function createMultipartUpload(call: Call): Reply {
  const bucket = writable(call);
  const id = randomBytes(24).toString("base64url");
  const checksum = checksumNameOf(header(call, "x-amz-checksum-algorithm"));
  const asked = header(call, "x-amz-checksum-type");
  const checksumType = asked === "FULL_OBJECT" || checksum === "crc64nvme" ? "FULL_OBJECT" : "COMPOSITE";
  bucket.uploads.set(id, { id, key: call.key, initiatedMs: Date.now(), headers: keptHeaders(call), checksum, checksumType, parts: new Map() });
  return xmlReply(
    "InitiateMultipartUploadResult",
    { Bucket: bucket.name, Key: call.key, UploadId: id },
    checksum ? { "x-amz-checksum-algorithm": checksum.toUpperCase(), "x-amz-checksum-type": checksumType } : {},
  );
}

export function uploadPart(call: Call): Reply {
  const upload = uploadOf(call);
  const { data, checksum } = call.body;
  if (upload.checksum && checksum && checksum.name !== upload.checksum)
    throw new S3Error(400, "InvalidRequest", `Checksum Type mismatch occurred, expected checksum Type: ${upload.checksum}, actual checksum Type: ${checksum.name}`);
  const etag = md5([data]);
  upload.parts.set(partNumberOf(call), { content: data, etag, checksum, lastModifiedMs: Date.now() });
  return { status: 200, headers: { etag: `"${etag}"`, ...(checksum ? { [`x-amz-checksum-${checksum.name}`]: checksum.value } : {}) } };
}

export function uploadPartCopy(call: Call): Reply {
  const upload = uploadOf(call);
  const { object } = copySource(call);
  const { size } = object.content;
  const range = header(call, "x-amz-copy-source-range");
  const match = /^bytes=(\d+)-(\d+)$/.exec(range ?? `bytes=0-${size - 1}`);
  const from = Number(match?.[1]);
  const to = Number(match?.[2]) + 1;
  if (!match || to > size || from >= to) throw invalidArgument(`Range specified is not valid for source object of size: ${size}`);
  const content = Buffer.concat(object.content.range(from, to));
  const etag = md5([content]);
  const checksum = upload.checksum ? { name: upload.checksum, value: checksumOf(upload.checksum, [content]) } : undefined;
  upload.parts.set(partNumberOf(call), { content, etag, checksum, lastModifiedMs: Date.now() });
  return xmlReply("CopyPartResult", {
    ETag: `"${etag}"`,
    LastModified: new Date().toISOString(),
    ...(checksum ? { [checksumElement(checksum.name)]: checksum.value } : {}),
  });
}

export function completeMultipartUpload(call: Call): Reply {
  const bucket = writable(call);
  const upload = uploadOf(call);
  const root = readXml(call.body.data.toString());
  if (root.name !== "CompleteMultipartUpload") throw malformedXml();
  const parts = chosenParts(upload, root.children);
  checkWriteConditions(call, bucket.objects.get(call.key), () => noSuchKey(call.key));
  const content = new Content(parts.map((p) => p.content));
  const expected = header(call, "x-amz-mp-object-size");
  if (expected !== undefined && Number(expected) !== content.size)
    throw new S3Error(400, "InvalidRequest", `The provided 'x-amz-mp-object-size' header does not match what was computed: ${content.size}`);
  const digests = createHash("md5");
  for (const part of parts) digests.update(Buffer.from(part.etag, "hex"));
  const object: StoredObject = {
    content,
    etag: `${digests.digest("hex")}-${parts.length}`,
    lastModifiedMs: Date.now(),
    headers: upload.headers,
    partSizes: parts.map((p) => p.content.length),
    ...(upload.checksum ? { checksum: { name: upload.checksum, value: wholeChecksum(upload, upload.checksum, parts), type: upload.checksumType } } : {}),
  };
  for (const name of checksumNames) {
    const claimed = header(call, `x-amz-checksum-${name}`);
    if (claimed !== undefined && object.checksum?.name === name && object.checksum.value !== claimed)
      throw new S3Error(400, "BadDigest", `The ${name} you specified did not match the calculated checksum.`);
  }
  bucket.objects.set(call.key, object);
  bucket.uploads.delete(upload.id);
  return xmlReply("CompleteMultipartUploadResult", {
    Location: `/${bucket.name}/${call.key}`,
    Bucket: bucket.name,
    Key: call.key,
    ETag: `"${object.etag}"`,
    ...(object.checksum ? { [checksumElement(object.checksum.name)]: object.checksum.value, ChecksumType: object.checksum.type } : {}),
  });
}

export function abortMultipartUpload(call: Call): Reply {
  writable(call).uploads.delete(uploadOf(call).id);
  return noContent;
}

export function listParts(call: Call): Reply {
  const upload = uploadOf(call);
  const marker = Number(call.query.get("part-number-marker") ?? 0);
  const max = Number(call.query.get("max-parts") ?? 1000);
  const all = [...upload.parts].filter(([number]) => number > marker).sort(([a], [b]) => a - b);
  const page = all.slice(0, max);
  return xmlReply("ListPartsResult", {
    Bucket: call.bucketName,
    Key: upload.key,
    UploadId: upload.id,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.[0] ?? 0,
    MaxParts: max,
    IsTruncated: all.length > max,
    Part: page.map(([number, part]) => ({
      PartNumber: number,
      LastModified: new Date(part.lastModifiedMs).toISOString(),
      ETag: `"${part.etag}"`,
      Size: part.content.length,
      ...(part.checksum ? { [checksumElement(part.checksum.name)]: part.checksum.value } : {}),
    })),
  });
}

function uploadOf(call: Call): Upload {
  return bucketOf(call).upload(call.query.get("uploadId") ?? "", call.key);
}

function partNumberOf(call: Call): number {
  const number = Number(call.query.get("partNumber"));
  if (!Number.isInteger(number) || number < 1 || number > 10_000) throw invalidArgument("Part number must be an integer between 1 and 10000, inclusive");
  return number;
}

function chosenParts(upload: Upload, nodes: readonly XmlNode[]): Part[] {
  const named = nodes.filter((n) => n.name === "Part");
  if (named.length === 0) throw malformedXml();
  let before = 0;
  return named.map((node, index) => {
    const number = Number(textOf(node, "PartNumber"));
    const part = upload.parts.get(number);
    if (!part || textOf(node, "ETag")?.replaceAll('"', "") !== part.etag)
      throw new S3Error(400, "InvalidPart", "One or more of the specified parts could not be found.", { PartNumber: String(number) });
    if (number <= before) throw new S3Error(400, "InvalidPartOrder", "The list of parts was not in ascending order.");
    before = number;
    if (index < named.length - 1 && part.content.length < minPartSize)
      throw new S3Error(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size", { PartNumber: String(number) });
    const claimed = upload.checksum && textOf(node, checksumElement(upload.checksum));
    if (claimed && claimed !== part.checksum?.value) throw new S3Error(400, "InvalidPart", "A part's checksum differs.", { PartNumber: String(number) });
    return part;
  });
}

/** Of the whole object, or of the parts' checksums, with their number. */
function wholeChecksum(upload: Upload, name: ChecksumName, parts: readonly Part[]): string {
  if (upload.checksumType === "FULL_OBJECT")
    return checksumOf(
      name,
      parts.map((p) => p.content),
    );
  const each = parts.map((p) => Buffer.from(p.checksum?.value ?? checksumOf(name, [p.content]), "base64"));
  return `${checksumOf(name, each)}-${parts.length}`;
}

