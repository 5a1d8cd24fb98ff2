// Names in a directory and the keys they stand for.

/** Can this component of a key be a name? Others are invisible: "a//b", "a/./b", "/a". */
export function isVisibleName(name: string): boolean {
  return (
    name !== "" &&
    name !== "." &&
    name !== ".." &&
    !name.includes("/") &&
    !name.includes("\0") &&
    name.isWellFormed() &&
    !name.includes("\ufffd")
  );
}

/** A string that sorts before the key and as near to it as can be said shortly: for start-after. */
export function justBefore(key: string): string {
  const last = key.charCodeAt(key.length - 1);
  return key.slice(0, last >= 0xdc00 && last <= 0xdfff ? -2 : -1);
}

/** The part of a listed key or common prefix below the directory, without the closing slash. */
export function nameBelow(directoryKey: string, key: string): string {
  return key.slice(directoryKey.length, key.endsWith("/") ? -1 : undefined);
}
