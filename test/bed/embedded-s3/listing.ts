// Listings: objects (version 2, and 1 for old clients), versions (every object has one, "null"), uploads.
import { bucketOf, type Call, type Reply, xmlReply } from "./call.ts";
import { invalidArgument } from "./s3-error.ts";
import type { Bucket, StoredObject } from "./state.ts";
import { escapeXml, type XmlElement } from "./xml.ts";

interface Page {
  readonly entries: { readonly key: string; readonly object: StoredObject }[];
  readonly prefixes: string[];
  /** The last key or prefix on the page, when there is more. */
  readonly next?: string;
}

export function listObjectsV2(call: Call): Reply {
  const { query } = call;
  const token = query.get("continuation-token");
  const startAfter = query.get("start-after") ?? "";
  const from = token === null ? startAfter : Buffer.from(token, "base64url").toString();
  if (token === "") throw invalidArgument("The continuation token provided is incorrect");
  const { encode, maxKeys, prefix, delimiter } = listParameters(call);
  const page = walk(bucketOf(call), { prefix, delimiter, after: from, maxKeys });
  let text = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`;
  text += `<Name>${call.bucketName}</Name><Prefix>${encode(prefix)}</Prefix><MaxKeys>${maxKeys}</MaxKeys>`;
  text += `<KeyCount>${page.entries.length + page.prefixes.length}</KeyCount><IsTruncated>${page.next !== undefined}</IsTruncated>`;
  if (delimiter !== "") text += `<Delimiter>${encode(delimiter)}</Delimiter>`;
  if (query.get("encoding-type") === "url") text += "<EncodingType>url</EncodingType>";
  if (startAfter !== "") text += `<StartAfter>${encode(startAfter)}</StartAfter>`;
  if (token !== null) text += `<ContinuationToken>${token}</ContinuationToken>`;
  if (page.next !== undefined) text += `<NextContinuationToken>${Buffer.from(page.next).toString("base64url")}</NextContinuationToken>`;
  for (const { key, object } of page.entries) {
    text += `<Contents><Key>${encode(key)}</Key><LastModified>${new Date(object.lastModifiedMs).toISOString()}</LastModified>`;
    text += `<ETag>&quot;${object.etag}&quot;</ETag>`;
    if (object.checksum) text += `<ChecksumAlgorithm>${object.checksum.name.toUpperCase()}</ChecksumAlgorithm>`;
    text += `<Size>${object.content.size}</Size><StorageClass>${storageClassOf(object)}</StorageClass></Contents>`;
  }
  for (const common of page.prefixes) text += `<CommonPrefixes><Prefix>${encode(common)}</Prefix></CommonPrefixes>`;
  return { status: 200, headers: { "content-type": "application/xml" }, body: [Buffer.from(`${text}</ListBucketResult>`)] };
}

export function listObjectsV1(call: Call): Reply {
  const { encode, maxKeys, prefix, delimiter } = listParameters(call);
  const marker = call.query.get("marker") ?? "";
  const page = walk(bucketOf(call), { prefix, delimiter, after: marker, maxKeys });
  return xmlReply("ListBucketResult", {
    Name: call.bucketName,
    Prefix: prefix,
    Marker: marker,
    MaxKeys: maxKeys,
    IsTruncated: page.next !== undefined,
    ...(delimiter === "" ? {} : { Delimiter: delimiter }),
    ...(page.next === undefined ? {} : { NextMarker: page.next }),
    Contents: page.entries.map(({ key, object }) => describe(encode === escapeXml ? key : encodeKey(key), object)),
    CommonPrefixes: page.prefixes.map((p) => ({ Prefix: p })),
  });
}

export function listObjectVersions(call: Call): Reply {
  const { maxKeys, prefix, delimiter } = listParameters(call);
  const page = walk(bucketOf(call), { prefix, delimiter, after: call.query.get("key-marker") ?? "", maxKeys });
  return xmlReply("ListVersionsResult", {
    Name: call.bucketName,
    Prefix: prefix,
    MaxKeys: maxKeys,
    IsTruncated: page.next !== undefined,
    ...(page.next === undefined ? {} : { NextKeyMarker: page.next, NextVersionIdMarker: "null" }),
    Version: page.entries.map(({ key, object }) => ({ ...describe(key, object), VersionId: "null", IsLatest: true })),
    CommonPrefixes: page.prefixes.map((p) => ({ Prefix: p })),
  });
}

export function listMultipartUploads(call: Call): Reply {
  const { query } = call;
  const prefix = query.get("prefix") ?? "";
  const keyMarker = query.get("key-marker") ?? "";
  const idMarker = query.get("upload-id-marker") ?? "";
  const max = Number(query.get("max-uploads") ?? 1000);
  const all = [...bucketOf(call).uploads.values()]
    .filter((u) => u.key.startsWith(prefix) && (u.key > keyMarker || (u.key === keyMarker && idMarker !== "" && u.id > idMarker)))
    .sort((a, b) => (a.key === b.key ? (a.id < b.id ? -1 : 1) : a.key < b.key ? -1 : 1));
  const page = all.slice(0, max);
  const last = page.at(-1);
  return xmlReply("ListMultipartUploadsResult", {
    Bucket: call.bucketName,
    KeyMarker: keyMarker,
    UploadIdMarker: idMarker,
    Prefix: prefix,
    MaxUploads: max,
    IsTruncated: all.length > max,
    ...(all.length > max && last ? { NextKeyMarker: last.key, NextUploadIdMarker: last.id } : {}),
    Upload: page.map((u) => ({ Key: u.key, UploadId: u.id, StorageClass: "STANDARD", Initiated: new Date(u.initiatedMs).toISOString() })),
  });
}

function listParameters(call: Call): { encode: (text: string) => string; maxKeys: number; prefix: string; delimiter: string } {
  const asked = Number(call.query.get("max-keys") ?? 1000);
  if (!Number.isInteger(asked) || asked < 0) throw invalidArgument("Argument maxKeys must be an integer between 0 and 2147483647");
  return {
    encode: call.query.get("encoding-type") === "url" ? encodeKey : escapeXml,
    maxKeys: Math.min(asked, 1000),
    prefix: call.query.get("prefix") ?? "",
    delimiter: call.query.get("delimiter") ?? "",
  };
}

function walk(bucket: Bucket, at: { prefix: string; delimiter: string; after: string; maxKeys: number }): Page {
  const { prefix, delimiter, after, maxKeys } = at;
  const page: { entries: Page["entries"]; prefixes: string[] } = { entries: [], prefixes: [] };
  if (maxKeys === 0) return page;
  let last = "";
  let cursor = after >= prefix || after.startsWith(prefix) ? bucket.objects.first(after, true) : bucket.objects.first(prefix);
  // A page that ended with a common prefix goes on behind everything below it.
  if (delimiter !== "" && after.startsWith(prefix) && after.length > prefix.length && after.endsWith(delimiter) && cursor?.startsWith(after))
    cursor = bucket.objects.first(behind(after));
  while (cursor?.startsWith(prefix)) {
    if (page.entries.length + page.prefixes.length >= maxKeys) return { ...page, next: last };
    const cut = delimiter === "" ? -1 : cursor.indexOf(delimiter, prefix.length);
    if (cut >= 0) {
      last = cursor.slice(0, cut + delimiter.length);
      page.prefixes.push(last);
      cursor = bucket.objects.first(behind(last));
      continue;
    }
    let next: string | undefined;
    for (const key of bucket.objects.keysFrom(cursor)) {
      next = key;
      const full = page.entries.length + page.prefixes.length >= maxKeys;
      if (full || !key.startsWith(prefix) || (delimiter !== "" && key.indexOf(delimiter, prefix.length) >= 0)) break;
      page.entries.push({ key, object: bucket.object(key) });
      last = key;
      next = undefined;
    }
    cursor = next;
  }
  return page;
}

/** The least string that is greater than every string starting with this one. */
function behind(prefix: string): string {
  return prefix + "\u{10FFFF}";
}

function describe(key: string, object: StoredObject): XmlElement {
  return {
    Key: key,
    LastModified: new Date(object.lastModifiedMs).toISOString(),
    ETag: `"${object.etag}"`,
    Size: object.content.size,
    StorageClass: storageClassOf(object),
  };
}

function storageClassOf(object: StoredObject): string {
  return object.headers["x-amz-storage-class"] ?? "STANDARD";
}

function encodeKey(key: string): string {
  return encodeURIComponent(key).replaceAll("%2F", "/").replaceAll("%20", "+");
}
