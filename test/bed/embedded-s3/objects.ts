// Operations on objects: get, head, put (with append), delete, copy, rename.
import { bucketOf, type Call, checkWriteConditions, emptyReply, header, noContent, type Reply, sameTag, xmlReply } from "./call.ts";
import { checksumNameOf, checksumOf } from "./checksums.ts";
import { Content } from "./content.ts";
import { accessDenied, invalidArgument, invalidRequest, malformedXml, noSuchKey, notImplemented, preconditionFailed, S3Error } from "./s3-error.ts";
import { type Bucket, md5, type StoredObject } from "./state.ts";
import { readXml, textOf, type XmlElement } from "./xml.ts";

export function getObject(call: Call): Reply {
  const object = bucketOf(call).object(call.key);
  const refused = checkReadConditions(call, object);
  if (refused) return refused;
  const headers = objectHeaders(call, object);
  const range = rangeOf(header(call, "range"), object.content.size) ?? partRange(call, object);
  if (!range) return { status: 200, headers, body: object.content.segments };
  delete headers["x-amz-checksum-type"];
  for (const name of Object.keys(headers)) if (name.startsWith("x-amz-checksum-")) delete headers[name];
  headers["content-range"] = `bytes ${range.from}-${range.to - 1}/${object.content.size}`;
  headers["content-length"] = String(range.to - range.from);
  return { status: 206, headers, body: object.content.range(range.from, range.to) };
}

export function headObject(call: Call): Reply {
  const object = bucketOf(call).object(call.key);
  return checkReadConditions(call, object) ?? { status: 200, headers: objectHeaders(call, object) };
}

export function putObject(call: Call): Reply {
  const bucket = writable(call);
  if (Buffer.byteLength(call.key) > 1024) throw new S3Error(400, "KeyTooLongError", "Your key is too long");
  const current = bucket.objects.get(call.key);
  checkWriteConditions(call, current, () => noSuchKey(call.key));
  const offset = header(call, "x-amz-write-offset-bytes");
  if (offset !== undefined) return appendObject(call, bucket, current, Number(offset));
  const { data, checksum } = call.body;
  const object: StoredObject = {
    content: new Content([data]),
    etag: md5([data]),
    lastModifiedMs: Date.now(),
    headers: keptHeaders(call),
    ...(checksum ? { checksum: { ...checksum, type: "FULL_OBJECT" as const } } : {}),
  };
  bucket.objects.set(call.key, object);
  return { status: 200, headers: { etag: `"${object.etag}"`, ...checksumHeaders(object) } };
}

function appendObject(call: Call, bucket: Bucket, current: StoredObject | undefined, offset: number): Reply {
  if (!bucket.isDirectory) throw notImplemented("x-amz-write-offset-bytes");
  if (offset !== (current?.content.size ?? 0))
    throw new S3Error(400, "InvalidWriteOffset", "The write offset value that you specified does not match the current object size.");
  const { data, checksum } = call.body;
  const content = new Content([...(current?.content.segments ?? []), data]);
  // What came is proven; what is kept is of the whole, whatever the object had before.
  const whole = checksum && { ...checksum, value: checksumOf(checksum.name, content.segments) };
  const object: StoredObject = {
    content,
    etag: md5([Buffer.from(`${current?.etag}${md5([data])}`)]),
    lastModifiedMs: Date.now(),
    headers: current?.headers ?? keptHeaders(call),
    ...(whole ? { checksum: { ...whole, type: "FULL_OBJECT" as const } } : {}),
  };
  bucket.objects.set(call.key, object);
  return { status: 200, headers: { etag: `"${object.etag}"`, "x-amz-object-size": String(content.size), ...checksumHeaders(object) } };
}

export function deleteObject(call: Call): Reply {
  const bucket = writable(call);
  checkWriteConditions(call, bucket.objects.get(call.key), () => noSuchKey(call.key));
  bucket.objects.delete(call.key);
  return noContent;
}

export function deleteObjects(call: Call): Reply {
  const bucket = writable(call);
  const root = readXml(call.body.data.toString());
  const wanted = root.children.filter((c) => c.name === "Object");
  if (root.name !== "Delete" || wanted.length === 0 || wanted.length > 1000) throw malformedXml();
  const quiet = textOf(root, "Quiet") === "true";
  const deleted: XmlElement[] = [];
  const errors: XmlElement[] = [];
  for (const item of wanted) {
    const key = textOf(item, "Key") ?? "";
    const tag = textOf(item, "ETag");
    if (tag !== undefined && !sameTag(tag, bucket.objects.get(key))) errors.push({ Key: key, Code: "PreconditionFailed", Message: "The ETag differs" });
    else {
      bucket.objects.delete(key);
      if (!quiet) deleted.push({ Key: key });
    }
  }
  return xmlReply("DeleteResult", { Deleted: deleted, Error: errors });
}

export function copyObject(call: Call): Reply {
  const bucket = writable(call);
  const { object: source, same } = copySource(call);
  checkWriteConditions(call, bucket.objects.get(call.key), () => noSuchKey(call.key));
  const replace = header(call, "x-amz-metadata-directive") === "REPLACE";
  if (same && !replace && header(call, "x-amz-storage-class") === undefined)
    throw invalidRequest("This copy request is illegal because it is trying to copy an object to itself without changing anything.");
  if (source.content.size > 5 * 1024 ** 3) throw invalidRequest("The specified copy source is larger than the maximum allowable size for a copy source: 5368709120");
  const storageClass = header(call, "x-amz-storage-class");
  const algorithm = checksumNameOf(header(call, "x-amz-checksum-algorithm"));
  const object: StoredObject = {
    content: source.content,
    etag: source.partSizes ? md5(source.content.segments) : source.etag,
    lastModifiedMs: Date.now(),
    headers: replace ? keptHeaders(call) : { ...source.headers, ...(storageClass ? { "x-amz-storage-class": storageClass } : {}) },
    ...(algorithm ? { checksum: { name: algorithm, value: checksumOf(algorithm, source.content.segments), type: "FULL_OBJECT" as const } } : {}),
  };
  bucket.objects.set(call.key, object);
  return xmlReply("CopyObjectResult", { ETag: `"${object.etag}"`, LastModified: new Date(object.lastModifiedMs).toISOString() });
}

export function renameObject(call: Call): Reply {
  const bucket = writable(call);
  if (!bucket.isDirectory) throw notImplemented("renameObject");
  const raw = decodeURIComponent(header(call, "x-amz-rename-source") ?? "").replace(/^\//, "");
  const sourceKey = raw.startsWith(`${bucket.name}/`) ? raw.slice(bucket.name.length + 1) : raw;
  const source = bucket.object(sourceKey);
  checkWriteConditions(call, bucket.objects.get(call.key), () => noSuchKey(call.key));
  const ifMatch = header(call, "x-amz-rename-source-if-match");
  if (ifMatch !== undefined && !sameTag(ifMatch, source)) throw preconditionFailed("x-amz-rename-source-if-match");
  bucket.objects.delete(sourceKey);
  bucket.objects.set(call.key, source);
  return emptyReply;
}

/** The object named by x-amz-copy-source, its conditions met. */
export function copySource(call: Call): { object: StoredObject; same: boolean } {
  const [path = "", versionId] = decodeURIComponent(header(call, "x-amz-copy-source") ?? "").split("?versionId=");
  const cut = path.replace(/^\//, "").indexOf("/");
  const name = path.replace(/^\//, "");
  if (cut <= 0) throw invalidArgument("Copy Source must mention the source bucket and key: sourcebucket/sourcekey");
  if (versionId !== undefined && versionId !== "null") throw notImplemented("versionId");
  const object = call.state.bucket(name.slice(0, cut), call.identity?.account).object(name.slice(cut + 1));
  const ifMatch = header(call, "x-amz-copy-source-if-match");
  if (ifMatch !== undefined && !sameTag(ifMatch, object)) throw preconditionFailed("x-amz-copy-source-If-Match");
  const ifNoneMatch = header(call, "x-amz-copy-source-if-none-match");
  if (ifNoneMatch !== undefined && sameTag(ifNoneMatch, object)) throw preconditionFailed("x-amz-copy-source-If-None-Match");
  return { object, same: name === `${call.bucketName}/${call.key}` };
}

/** What a client may say of an object and gets back with it. */
export function keptHeaders(call: Call): Record<string, string> {
  const kept: Record<string, string> = { "content-type": "binary/octet-stream" };
  for (const name in call.headers) {
    const value = header(call, name) ?? "";
    if (name === "content-encoding") {
      const encoding = value.split(",").filter((e) => e.trim() !== "aws-chunked").join(",");
      if (encoding !== "") kept[name] = encoding;
    } else if (keptNames.has(name) || name.startsWith("x-amz-meta-")) kept[name] = value;
  }
  return kept;
}

const keptNames = new Set([
  "content-type", "cache-control", "content-disposition", "content-language", "expires", "x-amz-storage-class", "x-amz-server-side-encryption",
  "x-amz-server-side-encryption-aws-kms-key-id",
]);

export function checksumHeaders(object: StoredObject): Record<string, string> {
  if (!object.checksum) return {};
  return { [`x-amz-checksum-${object.checksum.name}`]: object.checksum.value, "x-amz-checksum-type": object.checksum.type };
}

export function writable(call: Call): Bucket {
  const bucket = bucketOf(call);
  if (bucket.owner.id !== call.identity?.account.id) throw accessDenied();
  return bucket;
}

function objectHeaders(call: Call, object: StoredObject): Record<string, string> {
  return {
    ...object.headers,
    "content-length": String(object.content.size),
    etag: `"${object.etag}"`,
    "last-modified": new Date(object.lastModifiedMs).toUTCString(),
    "accept-ranges": "bytes",
    ...(header(call, "x-amz-checksum-mode") === "ENABLED" ? checksumHeaders(object) : {}),
    ...(object.partSizes && call.query.has("partNumber") ? { "x-amz-mp-parts-count": String(object.partSizes.length) } : {}),
  };
}

function checkReadConditions(call: Call, object: StoredObject): Reply | undefined {
  const ifMatch = header(call, "if-match");
  if (ifMatch !== undefined && !sameTag(ifMatch, object)) throw preconditionFailed("If-Match");
  const ifNoneMatch = header(call, "if-none-match");
  const headers = { etag: `"${object.etag}"` };
  if (ifNoneMatch !== undefined) return sameTag(ifNoneMatch, object) ? { status: 304, headers } : undefined;
  const seconds = Math.floor(object.lastModifiedMs / 1000) * 1000;
  const since = Date.parse(header(call, "if-modified-since") ?? "");
  if (!Number.isNaN(since) && seconds <= since) return { status: 304, headers };
  const until = Date.parse(header(call, "if-unmodified-since") ?? "");
  if (ifMatch === undefined && !Number.isNaN(until) && seconds > until) throw preconditionFailed("If-Unmodified-Since");
  return undefined;
}

function rangeOf(text: string | undefined, size: number): { from: number; to: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(text ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const [, first = "", last = ""] = match;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (from >= size || (first === "" && Number(last) === 0))
    throw new S3Error(416, "InvalidRange", "The requested range is not satisfiable", { ActualObjectSize: String(size) }, { "content-range": `bytes */${size}` });
  return to <= from ? undefined : { from, to };
}

function partRange(call: Call, object: StoredObject): { from: number; to: number } | undefined {
  const asked = call.query.get("partNumber");
  if (asked === null) return undefined;
  const sizes = object.partSizes ?? [object.content.size];
  const index = Number(asked) - 1;
  const size = sizes[index];
  if (size === undefined) throw new S3Error(416, "InvalidPartNumber", "The requested partnumber is not satisfiable");
  const from = sizes.slice(0, index).reduce((sum, s) => sum + s, 0);
  return { from, to: from + size };
}
