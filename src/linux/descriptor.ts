// Small things about descriptors that node:fs does not have.
import { checked, libc } from "./libc.ts";

const fDupfdCloexec = 1030;
const fGetfl = 3;
const fSetfl = 4;
const oNonblock = 0o4000;
const oCloexec = 0o2000000;
const mfdCloexec = 1;

/** A second descriptor for the same open file description, closed on exec. */
export function duplicate(fd: number): number {
  return checked(libc.fcntl(fd, fDupfdCloexec, 0), "duplicate a descriptor");
}

/** Puts the open file of `from` under the number `to`, closing what stood there. */
export function duplicateOver(from: number, to: number): void {
  checked(libc.dup3(from, to, oCloexec), "dup3");
}

/** The flags the file was opened with (O_RDWR, O_NONBLOCK ...). */
export function openFlags(fd: number): number {
  return checked(libc.fcntl(fd, fGetfl, 0), "F_GETFL");
}

export function setNonBlocking(fd: number): void {
  const flags = openFlags(fd);
  if ((flags & oNonblock) === 0) checked(libc.fcntl(fd, fSetfl, flags | oNonblock), "F_SETFL");
}

/** A file of memory without a name: it lives as long as somebody has a descriptor of it. */
export function memoryFile(name: string): number {
  return checked(libc.memfd_create(name, mfdCloexec), "memfd_create");
}

export function ioctl(fd: number, request: number, argument: Buffer, operation: string): number {
  return checked(libc.ioctl(fd, request, argument), operation);
}

export function pipe(): [readEnd: number, writeEnd: number] {
  const pair = new Int32Array(2);
  checked(libc.pipe2(pair, oCloexec | oNonblock), "pipe2");
  return [pair[0] as number, pair[1] as number];
}
