// A ListObjectsV2 reply as a ListPage.
import type { ListPage, ObjectStat } from "./object-store.ts";
import { eachElement, elementText } from "./xml.ts";

export function parseListPage(document: string): ListPage {
  const objects: ObjectStat[] = [];
  const commonPrefixes: string[] = [];
  eachElement(document, "Contents", (entry) => {
    const storageClass = elementText(entry, "StorageClass");
    const restored = elementText(entry, "IsRestoreInProgress");
    objects.push({
      key: copied(elementText(entry, "Key") ?? ""),
      size: Number(elementText(entry, "Size")),
      etag: elementText(entry, "ETag") ?? "",
      lastModifiedMs: Date.parse(elementText(entry, "LastModified") ?? ""),
      ...(storageClass === undefined || storageClass === "STANDARD" ? {} : { storageClass }),
      ...(restored === undefined ? {} : { restored: restored === "false" && elementText(entry, "RestoreExpiryDate") !== undefined }),
    });
  });
  eachElement(document, "CommonPrefixes", (entry) => commonPrefixes.push(copied(elementText(entry, "Prefix") ?? "")));
  const nextToken = elementText(document, "NextContinuationToken");
  return { objects, commonPrefixes, ...(nextToken === undefined ? {} : { nextToken }) };
}

/** A piece of a string keeps the whole of it alive; a name may live long, the page it came on must not. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}
