// Names in a directory and the keys they stand for.
import { DriverError } from "../core/errors.ts";
import { invalid } from "./errors.ts";

export const maxNameBytes = 255;

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

/** May something be made under this name? The kernel lets a FUSE file system have names of 1,024 bytes: the limit is ours to keep. */
export function checkNewName(name: string): void {
  if (!isVisibleName(name)) throw invalid(`${JSON.stringify(name)} can't be a name here`);
  if (Buffer.byteLength(name) > maxNameBytes) throw new DriverError("NameTooLong", `a name has at most ${maxNameBytes} bytes`);
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
