// A page of a listing as names of a directory.
import type { ListPage } from "../s3/object-store.ts";
import type { Remote } from "./directory-index.ts";
import { isVisibleName, nameBelow } from "./names.ts";
import { reaches, versionOf } from "./query.ts";

export interface ListedNames {
  readonly names: Map<string, Remote>;
  /** Files of which the next page may show that a directory shadows them ("a" is here, "a/" only behind "a-1", "a.b", ...). */
  readonly undecided: Map<string, Remote>;
}

/** `earlier` are the undecided names of the page before. */
export function listedNames(directoryKey: string, page: ListPage, earlier: ReadonlyMap<string, Remote>): ListedNames {
  const names = new Map<string, Remote>();
  const undecided = new Map<string, Remote>();
  const place = (name: string, remote: Remote) => (reaches(page, `${directoryKey}${name}/`) ? names : undecided).set(name, remote);
  for (const [name, remote] of earlier) place(name, remote);
  for (const object of page.objects) {
    // The directory's own marker, and whatever can't be a name.
    const name = object.key.endsWith("/") ? "" : nameBelow(directoryKey, object.key);
    if (isVisibleName(name)) place(name, { kind: "file", version: versionOf(object) });
  }
  for (const prefix of page.commonPrefixes) {
    const name = nameBelow(directoryKey, prefix);
    if (!isVisibleName(name)) continue;
    undecided.delete(name);
    names.set(name, { kind: "directory" });
  }
  return { names, undecided };
}
