// What operations take out of a request's bytes.
import { Errno } from "../../core/errno.ts";
import { DriverError } from "../../core/errors.ts";
import { decodeText, endOfName, isNodeName } from "../names.ts";
import type { Request } from "../request.ts";

const headerSize = 40;

/** The name behind the struct. Its NUL is known to be there. */
export function nameAfter(r: Request, bodySize: number): string {
  return nodeName(r, headerSize + bodySize);
}

export function twoNamesAfter(r: Request, bodySize: number): [string, string] {
  const start = headerSize + bodySize;
  return [nodeName(r, start), nodeName(r, endOfName(r.buffer.bytes, start, r.end) + 1)];
}

/** A name, then any text (the target of a symbolic link). */
export function nameAndText(r: Request, bodySize: number): [name: string, text: string, end: number] {
  const start = headerSize + bodySize;
  const second = endOfName(r.buffer.bytes, start, r.end) + 1;
  const end = endOfName(r.buffer.bytes, second, r.end);
  return [nodeName(r, start), text(r, second), end + 1];
}

/** Text that is no name of a node (an attribute's name), and where the bytes behind it begin. */
export function textAfter(r: Request, bodySize: number): [text: string, next: number] {
  const start = headerSize + bodySize;
  return [text(r, start), endOfName(r.buffer.bytes, start, r.end) + 1];
}

/** Offsets beyond 2^53 do not exist in any file we serve. */
export function safeOffset(offset: number): number {
  if (!Number.isSafeInteger(offset)) throw new DriverError("FileTooLarge", "the offset is beyond 2^53", { errno: Errno.EFBIG });
  return offset;
}

function nodeName(r: Request, start: number): string {
  const name = text(r, start);
  if (!isNodeName(name)) throw new DriverError("InvalidArgument", "a name must not be empty or contain a slash");
  return name;
}

function text(r: Request, start: number): string {
  const { bytes } = r.buffer;
  const decoded = decodeText(bytes, start, endOfName(bytes, start, r.end));
  if (decoded === undefined) throw new DriverError("InvalidArgument", "the name is not valid UTF-8");
  return decoded;
}
