// Which operation a request is, by method, query and headers; and who carries it out.
import * as buckets from "./buckets.ts";
import type { Handler } from "./call.ts";
import * as listing from "./listing.ts";
import * as multipart from "./multipart.ts";
import * as objects from "./objects.ts";

export const handlers = {
  ListBuckets: buckets.listBuckets,
  CreateBucket: buckets.createBucket,
  HeadBucket: buckets.headBucket,
  DeleteBucket: buckets.deleteBucket,
  GetBucketLocation: buckets.getBucketLocation,
  GetBucketVersioning: buckets.getBucketVersioning,
  GetBucketTagging: buckets.getBucketTagging,
  PutBucketTagging: buckets.putBucketTagging,
  DeleteBucketTagging: buckets.deleteBucketTagging,
  CreateSession: buckets.createSession,
  ListObjectsV2: listing.listObjectsV2,
  ListObjects: listing.listObjectsV1,
  ListObjectVersions: listing.listObjectVersions,
  ListMultipartUploads: listing.listMultipartUploads,
  GetObject: objects.getObject,
  HeadObject: objects.headObject,
  PutObject: objects.putObject,
  DeleteObject: objects.deleteObject,
  DeleteObjects: objects.deleteObjects,
  CopyObject: objects.copyObject,
  RenameObject: objects.renameObject,
  CreateMultipartUpload: multipart.createMultipartUpload,
  UploadPart: multipart.uploadPart,
  UploadPartCopy: multipart.uploadPartCopy,
  CompleteMultipartUpload: multipart.completeMultipartUpload,
  AbortMultipartUpload: multipart.abortMultipartUpload,
  ListParts: multipart.listParts,
} satisfies Record<string, Handler>;

export type Operation = keyof typeof handlers;

type Rule = readonly [operation: Operation, method: string, query?: string, header?: string];

// Within each table the first rule that fits wins.
const bucketRules: readonly Rule[] = [
  ["CreateSession", "GET", "session"],
  ["GetBucketLocation", "GET", "location"],
  ["GetBucketVersioning", "GET", "versioning"],
  ["GetBucketTagging", "GET", "tagging"],
  ["PutBucketTagging", "PUT", "tagging"],
  ["DeleteBucketTagging", "DELETE", "tagging"],
  ["ListMultipartUploads", "GET", "uploads"],
  ["ListObjectVersions", "GET", "versions"],
  ["ListObjectsV2", "GET", "list-type"],
  ["DeleteObjects", "POST", "delete"],
  ["ListObjects", "GET"],
  ["CreateBucket", "PUT"],
  ["HeadBucket", "HEAD"],
  ["DeleteBucket", "DELETE"],
];

const objectRules: readonly Rule[] = [
  ["UploadPartCopy", "PUT", "uploadId", "x-amz-copy-source"],
  ["UploadPart", "PUT", "uploadId"],
  ["RenameObject", "PUT", "renameObject"],
  ["CopyObject", "PUT", undefined, "x-amz-copy-source"],
  ["PutObject", "PUT"],
  ["ListParts", "GET", "uploadId"],
  ["GetObject", "GET"],
  ["HeadObject", "HEAD"],
  ["CreateMultipartUpload", "POST", "uploads"],
  ["CompleteMultipartUpload", "POST", "uploadId"],
  ["AbortMultipartUpload", "DELETE", "uploadId"],
  ["DeleteObject", "DELETE"],
];

/** Queries that name a sub-resource this server does not have: they must not fall through to the plain operation. */
const unknownQueries = ["acl", "policy", "cors", "lifecycle", "encryption", "object-lock", "retention", "legal-hold", "torrent", "website", "attributes"];

export function operationOf(method: string, bucket: string, key: string, query: URLSearchParams, headers: Record<string, unknown>): Operation | undefined {
  if (bucket === "") return method === "GET" ? "ListBuckets" : undefined;
  if (query.size > 0 && unknownQueries.some((q) => query.has(q))) return undefined;
  if (key !== "" && query.has("tagging")) return undefined;
  const rules = key === "" ? bucketRules : objectRules;
  return rules.find(([, m, q, h]) => m === method && (q === undefined || query.has(q)) && (h === undefined || headers[h] !== undefined))?.[0];
}
