// Sizes of request fields. The specification lets a plugin refuse strings beyond 128 bytes; volume handles that people
// write by hand are longer now and then, so the limits here are wider, yet small enough that nothing can be flooded.
import { DriverError } from "../core/errors.ts";

const maxIdBytes = 1024;
const maxPathBytes = 4096;
const maxMapBytes = 64 * 1024;

export function requireText(value: string, message: string): void {
  if (value === "") throw new DriverError("InvalidArgument", message);
}

/** An id or a name: not too long, and without control characters, which no name of ours has and every log dislikes. */
export function checkId(value: string, what: string): void {
  if (Buffer.byteLength(value) > maxIdBytes) throw tooLong(what, maxIdBytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) throw new DriverError("InvalidArgument", `${what} contains control characters`);
}

export function checkPathLength(value: string, what: string): void {
  if (Buffer.byteLength(value) > maxPathBytes) throw tooLong(what, maxPathBytes);
}

export function checkMap(map: Readonly<Record<string, string>>, what: string): void {
  let bytes = 0;
  for (const [key, value] of Object.entries(map)) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (bytes > maxMapBytes) throw tooLong(what, maxMapBytes);
}

export function checkList(list: readonly string[], what: string): void {
  let bytes = 0;
  for (const value of list) bytes += Buffer.byteLength(value);
  if (bytes > maxMapBytes) throw tooLong(what, maxMapBytes);
}

function tooLong(what: string, limit: number): DriverError {
  return new DriverError("InvalidArgument", `${what} is longer than ${limit} bytes`);
}
