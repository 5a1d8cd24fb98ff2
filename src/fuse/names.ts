// Names inside a request: bytes up to a NUL. The file system only ever sees valid UTF-8 without "/".
import { isUtf8 } from "node:buffer";

/** Where the NUL of the string that begins at `start` is; -1 when the message ends first. */
export function endOfName(bytes: Buffer, start: number, end: number): number {
  const at = bytes.indexOf(0, start);
  return at < 0 || at >= end ? -1 : at;
}

/** undefined when it is not UTF-8. */
export function decodeText(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString("utf8", start, end);
  // U+FFFD stands for what could not be decoded, and for itself.
  if (text.includes("\ufffd") && !isUtf8(bytes.subarray(start, end))) return undefined;
  return text;
}

export function isNodeName(text: string): boolean {
  return text !== "" && !text.includes("/");
}
