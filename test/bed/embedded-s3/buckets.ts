// Operations on buckets.
import { bucketOf, type Call, noContent, type Reply, xmlReply } from "./call.ts";
import { accessDenied, invalidRequest, malformedXml, S3Error } from "./s3-error.ts";
import { readXml, textOf } from "./xml.ts";

export function listBuckets(call: Call): Reply {
  const account = call.identity?.account;
  if (!account) throw accessDenied();
  const prefix = call.query.get("prefix") ?? "";
  const own = [...call.state.buckets.values()].filter((b) => b.owner.id === account.id && b.name.startsWith(prefix)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return xmlReply("ListAllMyBucketsResult", {
    Owner: { ID: account.id, DisplayName: account.name },
    Buckets: { Bucket: own.map((b) => ({ Name: b.name, CreationDate: new Date(b.createdMs).toISOString() })) },
  });
}

export function createBucket(call: Call): Reply {
  const account = call.identity?.account;
  if (!account) throw accessDenied();
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(call.bucketName)) throw new S3Error(400, "InvalidBucketName", "The specified bucket is not valid.");
  const existing = call.state.buckets.get(call.bucketName);
  if (existing && existing.owner.id !== account.id)
    throw new S3Error(409, "BucketAlreadyExists", "The requested bucket name is not available. Please select a different name and try again.");
  if (existing) throw new S3Error(409, "BucketAlreadyOwnedByYou", "Your previous request to create the named bucket succeeded and you already own it.");
  const bucket = call.state.create(call.bucketName, account);
  if (call.body.data.length > 0) bucket.tags = readTags(call.body.data.toString());
  return { status: 200, headers: { location: `/${call.bucketName}` } };
}

export function headBucket(call: Call): Reply {
  bucketOf(call);
  return { status: 200, headers: { "x-amz-bucket-region": "us-east-1" } };
}

export function deleteBucket(call: Call): Reply {
  const bucket = bucketOf(call);
  if (bucket.objects.size > 0) throw new S3Error(409, "BucketNotEmpty", "The bucket you tried to delete is not empty");
  call.state.buckets.delete(bucket.name);
  return noContent;
}

export function getBucketLocation(call: Call): Reply {
  bucketOf(call);
  return xmlReply("LocationConstraint", {});
}

export function getBucketVersioning(call: Call): Reply {
  bucketOf(call);
  return xmlReply("VersioningConfiguration", {});
}

export function getBucketTagging(call: Call): Reply {
  const bucket = bucketOf(call);
  if (bucket.tags.length === 0) throw new S3Error(404, "NoSuchTagSet", "The TagSet does not exist", { BucketName: bucket.name });
  return xmlReply("Tagging", { TagSet: { Tag: bucket.tags.map((t) => ({ Key: t.key, Value: t.value })) } });
}

export function putBucketTagging(call: Call): Reply {
  const bucket = bucketOf(call);
  if (call.body.data.length === 0) throw malformedXml();
  bucket.tags = readTags(call.body.data.toString());
  return noContent;
}

export function deleteBucketTagging(call: Call): Reply {
  bucketOf(call).tags = [];
  return noContent;
}

/** Credentials for one directory bucket, good for five minutes. */
export function createSession(call: Call): Reply {
  const bucket = bucketOf(call);
  if (!call.identity) throw accessDenied();
  if (!bucket.isDirectory) throw invalidRequest("CreateSession is for directory buckets");
  const ttlMs = 300_000;
  const key = call.accounts.createSession(call.identity.account, { ttlMs, bucket: bucket.name });
  return xmlReply("CreateSessionResult", {
    Credentials: {
      AccessKeyId: key.accessKeyId,
      SecretAccessKey: key.secretAccessKey,
      SessionToken: key.sessionToken,
      Expiration: new Date(Date.now() + ttlMs).toISOString(),
    },
  });
}

/** Of a Tagging document or the Tags of a CreateBucketConfiguration. */
function readTags(document: string): { key: string; value: string }[] {
  const tags: { key: string; value: string }[] = [];
  const walk = (node: ReturnType<typeof readXml>): void => {
    if (node.name === "Tag") tags.push({ key: textOf(node, "Key") ?? "", value: textOf(node, "Value") ?? "" });
    for (const inner of node.children) walk(inner);
  };
  walk(readXml(document));
  return tags;
}

