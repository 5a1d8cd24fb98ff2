// Which descriptors the broker accepts, and the kernel calls it makes with them.
//
// The kernel opens the backing file again for each application, with the application's flags and the credentials of whoever
// registered it. A server could therefore pass a read-only descriptor of somebody else's file and have it opened for
// writing. So: a regular file, of the server's own uid, on the cache's device, opened for reading and writing; and the call
// is made under the server's file-system uid.
import { fstatSync } from "node:fs";
import { DeviceIoctl, encodeBackingMap, structSize } from "../../../generated/fuse/kernel.ts";
import { DriverError } from "../../core/errors.ts";
import { ioctl, openFlags } from "../../linux/descriptor.ts";
import { libc } from "../../linux/libc.ts";

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

export interface BackingFileRule extends FileOwner {
  /** st_dev of the cache's directory. */
  readonly device: number;
}

const accessMode = 3;
const readWrite = 2;
const pathOnly = 0o10000000;

/** Throws NotPermitted with the reason, for the log; the server learns it too, since it is its own file. */
export function checkBackingFile(fd: number, rule: BackingFileRule): void {
  const flags = openFlags(fd);
  const found = fstatSync(fd);
  const refuse = (why: string) => new DriverError("NotPermitted", `refused as a backing file: ${why}`);
  if (!found.isFile()) throw refuse("not a regular file");
  if ((flags & pathOnly) !== 0 || (flags & accessMode) !== readWrite) throw refuse("not opened for reading and writing");
  if (found.uid !== rule.uid) throw refuse(`it belongs to uid ${found.uid}, not ${rule.uid}`);
  if (found.dev !== rule.device) throw refuse("it is not on the cache's device");
}

/** The id by which an OPEN reply refers to the file. */
export function registerBackingFile(fuseFd: number, fd: number, owner: FileOwner): number {
  const argument = Buffer.alloc(structSize.backingMap);
  encodeBackingMap(new Uint32Array(argument.buffer, argument.byteOffset, argument.length >> 2), 0, { fd, flags: 0 });
  return asFileSystemUser(owner, () => ioctl(fuseFd, DeviceIoctl.BACKING_OPEN, argument, "register a backing file"));
}

export function unregisterBackingFile(fuseFd: number, id: number): void {
  const argument = Buffer.alloc(4);
  argument.writeUInt32LE(id);
  ioctl(fuseFd, DeviceIoctl.BACKING_CLOSE, argument, "unregister a backing file");
}

/** The uid is the calling thread's alone, and nothing else runs on it until it is set back. */
function asFileSystemUser<T>({ uid, gid }: FileOwner, call: () => T): T {
  const oldGid = libc.setfsgid(gid) as number;
  const oldUid = libc.setfsuid(uid) as number;
  try {
    return call();
  } finally {
    libc.setfsuid(oldUid);
    libc.setfsgid(oldGid);
  }
}
