// One name, asked of S3.
import { hasCode } from "../core/errors.ts";
import { compareKeys } from "../s3/key-order.ts";
import type { ListPage, ObjectStat, ObjectStore } from "../s3/object-store.ts";
import type { Remote } from "./directory-index.ts";
import type { BucketType } from "./options.ts";

/** What a key is to a file system: `key/…` makes it a directory, whatever else there is; undefined when it is nothing. */
export function queryName(store: ObjectStore, bucketType: BucketType, key: string, signal?: AbortSignal): Promise<Remote | undefined> {
  return bucketType === "directory" ? queryBoth(store, key, signal) : queryByListing(store, key, signal);
}

/** One LIST answers for the object and the directory together, unless names such as "key-1" or "key.txt", which sort before
 *  "key/", fill the page. */
async function queryByListing(store: ObjectStore, key: string, signal: AbortSignal | undefined): Promise<Remote | undefined> {
  const page = await store.list({ prefix: key, delimiter: "/", maxKeys: 2, signal });
  if (page.commonPrefixes.includes(`${key}/`)) return { kind: "directory" };
  const object = page.objects.find((candidate) => candidate.key === key);
  if (reaches(page, `${key}/`)) return fileOf(object);
  return (await isDirectory(store, key, signal)) ? { kind: "directory" } : fileOf(object);
}

/** Directory buckets list in no order and only below a "/". */
async function queryBoth(store: ObjectStore, key: string, signal: AbortSignal | undefined): Promise<Remote | undefined> {
  const [directory, object] = await Promise.all([
    isDirectory(store, key, signal),
    store.head(key, signal).catch((error: unknown) => {
      if (hasCode(error, "NotFound")) return undefined;
      throw error;
    }),
  ]);
  return directory ? { kind: "directory" } : fileOf(object);
}

async function isDirectory(store: ObjectStore, key: string, signal: AbortSignal | undefined): Promise<boolean> {
  const page = await store.list({ prefix: `${key}/`, delimiter: "/", maxKeys: 1, signal });
  return page.objects.length + page.commonPrefixes.length > 0;
}

function fileOf(object: ObjectStat | undefined): Remote | undefined {
  return object && { kind: "file", version: versionOf(object) };
}

export function versionOf({ etag, size, lastModifiedMs, storageClass, restored }: ObjectStat) {
  return storageClass === undefined ? { etag, size, lastModifiedMs } : { etag, size, lastModifiedMs, storageClass, restored };
}

/** Does an ordered page say whether this key exists? */
export function reaches(page: ListPage, key: string): boolean {
  return page.nextToken === undefined || compareKeys(lastKeyOf(page), key) >= 0;
}

export function lastKeyOf(page: ListPage): string {
  const object = page.objects.at(-1)?.key ?? "";
  const prefix = page.commonPrefixes.at(-1) ?? "";
  return compareKeys(object, prefix) > 0 ? object : prefix;
}
