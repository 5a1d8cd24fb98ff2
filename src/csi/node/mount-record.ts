// What was asked of a daemon, kept as a file in its comm directory, so that a node service that starts anew can hand the mount
// to another daemon. It names files of keys, but holds no keys; it is read back only to be sent to that same daemon's successor.
import { MountRequest } from "../../../generated/proto/mountpoint.ts";
import { hasCode } from "../../core/errors.ts";
import { CommDirectory } from "./comm-directory.ts";
import type { MountWithoutTokens } from "./daemon.ts";

const fileName = "mount.record";
const maxBytes = 16 * 1024 * 1024;

export async function writeMountRecord(directory: string, request: MountWithoutTokens): Promise<void> {
  await using comm = await CommDirectory.open(directory);
  await comm.write(fileName, MountRequest.encode({ ...request, token: "", crashRecordToken: "" }).finish(), 0o600);
}

/** Undefined when there is none that can be read. */
export async function readMountRecord(directory: string): Promise<MountWithoutTokens | undefined> {
  try {
    await using comm = await CommDirectory.open(directory);
    return decode(await comm.read(fileName));
  } catch (error) {
    if (hasCode(error, "NotFound")) return undefined;
    throw error;
  }
}

function decode(bytes: Uint8Array | undefined): MountWithoutTokens | undefined {
  if (!bytes || bytes.length === 0 || bytes.length > maxBytes) return undefined;
  try {
    const { token: _, crashRecordToken: __, ...request } = MountRequest.decode(bytes);
    return request;
  } catch {
    return undefined;
  }
}
