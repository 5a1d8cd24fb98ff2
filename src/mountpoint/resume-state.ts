// What one daemon leaves to the next: the negotiated FUSE session, and, after an orderly hand-over, the file system's own record
// too. After a crash there is only the former; the kernel then asks anew for what it wants to know.
import { deserialize, serialize } from "node:v8";
import { DriverError } from "../core/errors.ts";
import type { MountRecord } from "../filesystem/record.ts";
import { decodeSessionState, encodeSessionState, type SessionState } from "../fuse/session-state.ts";

export interface ResumeState {
  readonly session: SessionState;
  readonly fileSystem?: MountRecord;
}

/** How every value that V8 wrote begins; a session's state alone is JSON. */
const serializedMark = 0xff;

export function encodeResumeState({ session, fileSystem }: ResumeState): Uint8Array {
  const state = encodeSessionState(session);
  return fileSystem ? serialize({ session: state, fileSystem }) : state;
}

export function decodeResumeState(bytes: Uint8Array): ResumeState {
  if (bytes[0] !== serializedMark) return { session: decodeSessionState(bytes) };
  try {
    const { session, fileSystem } = deserialize(bytes) as { session: Uint8Array; fileSystem: MountRecord };
    return { session: decodeSessionState(session), fileSystem };
  } catch (error) {
    if (error instanceof DriverError) throw error;
    throw new DriverError("InvalidArgument", "the state of the mount cannot be read", { cause: error });
  }
}
