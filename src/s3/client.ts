// The ObjectStore that speaks to servers. Reading, writing and listing go over our own requests; copies and bulk deletes go
// through the SDK, which is only loaded when first needed.
import { hasCode } from "../core/errors.ts";
import { ControlCalls } from "./control-calls.ts";
import { getObject } from "./get-object.ts";
import type { HttpReply } from "./http/message.ts";
import { parseListPage } from "./list-parser.ts";
import * as multipart from "./multipart.ts";
import type { HeadResult, ListOptions, ListPage, ObjectStore } from "./object-store.ts";
import { putObject } from "./put-object.ts";
import { Requester, type RequesterOptions } from "./requester.ts";
import { encodeKey } from "./sign.ts";

export type S3StoreOptions = RequesterOptions;

export function createS3Store(options: S3StoreOptions): ObjectStore {
  const requester = new Requester(options);
  const control = new ControlCalls(options, () => requester.region);
  return {
    bucket: options.bucket,
    head: async (key, signal) => headResult(key, await requester.send({ operation: "HeadObject", method: "HEAD", key, signal })),
    list: (list) => listObjects(requester, list),
    get: (get) => getObject(requester, get),
    put: (put) => putObject(requester, put),
    delete: async (key, { ifMatch, signal } = {}) => {
      const headers: Record<string, string> = ifMatch === undefined ? {} : { "if-match": ifMatch };
      try {
        await requester.send({ operation: "DeleteObject", method: "DELETE", key, headers, onPrecondition: "Stale", signal });
      } catch (error) {
        if (!hasCode(error, "NotFound")) throw error;
      }
    },
    deleteMany: (keys, signal) => control.deleteMany(keys, signal),
    createUpload: (key, write, signal) => multipart.createUpload(requester, key, write, signal),
    uploadPart: (upload, number, body, signal) => multipart.uploadPart(requester, upload, number, body, signal),
    copyPart: (upload, number, source, signal) => control.copyPart(upload, number, source, signal),
    completeUpload: (upload, parts, complete) => multipart.completeUpload(requester, upload, parts, complete),
    abortUpload: (upload, signal) => multipart.abortUpload(requester, upload, signal),
    listUploads: (prefix, signal) => control.listUploads(prefix, signal),
    hasParts: (upload, signal) => control.hasParts(upload, signal),
    copy: (copy) => control.copy(copy),
    rename: async ({ sourceKey, key, noReplace, signal }) => {
      const headers = { "x-amz-rename-source": encodeKey(sourceKey), ...(noReplace ? { "if-none-match": "*" } : {}) };
      const call = { operation: "RenameObject", method: "PUT", key, query: [["renameObject", ""]], idempotent: false, signal } as const;
      await requester.send({ ...call, headers, onPrecondition: "AlreadyExists" });
    },
    close: async () => {
      requester.close();
      await control.close();
    },
  };
}

async function listObjects(requester: Requester, list: ListOptions): Promise<ListPage> {
  const query: (readonly [string, string])[] = [
    ["list-type", "2"],
    ["prefix", list.prefix],
  ];
  if (list.delimiter !== undefined) query.push(["delimiter", list.delimiter]);
  if (list.maxKeys !== undefined) query.push(["max-keys", String(list.maxKeys)]);
  if (list.startAfter !== undefined) query.push(["start-after", list.startAfter]);
  if (list.continuationToken !== undefined) query.push(["continuation-token", list.continuationToken]);
  const headers = { "x-amz-optional-object-attributes": "RestoreStatus" };
  const reply = await requester.send({ operation: "ListObjectsV2", method: "GET", query, headers, signal: list.signal });
  return parseListPage(Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.length).toString());
}

function headResult(key: string, { headers }: HttpReply): HeadResult {
  const metadata: Record<string, string> = {};
  for (const [name, value] of headers) if (name.startsWith("x-amz-meta-")) metadata[name.slice(11)] = value;
  const storageClass = headers.get("x-amz-storage-class");
  const restore = headers.get("x-amz-restore");
  const contentType = headers.get("content-type");
  return {
    key,
    size: Number(headers.get("content-length")),
    etag: headers.get("etag") ?? "",
    lastModifiedMs: Date.parse(headers.get("last-modified") ?? ""),
    metadata,
    ...(contentType === undefined ? {} : { contentType }),
    ...(storageClass === undefined ? {} : { storageClass }),
    ...(restore === undefined ? {} : { restored: restore.includes('ongoing-request="false"') }),
  };
}
