// What a process needs to go on serving a connection that another one negotiated. INIT happens once in a connection's life,
// so whoever keeps the descriptor keeps this beside it.
import { DriverError } from "../core/errors.ts";
import type { Agreed } from "./negotiation.ts";

export interface SessionState {
  readonly format: 1;
  readonly agreed: Agreed;
}

export function encodeSessionState(state: SessionState): Uint8Array {
  return Buffer.from(JSON.stringify(state));
}

export function decodeSessionState(bytes: Uint8Array): SessionState {
  let state: unknown;
  try {
    state = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (error) {
    throw new DriverError("InvalidArgument", "the state of the FUSE session cannot be read", { cause: error });
  }
  const { format, agreed } = (state ?? {}) as { format?: unknown; agreed?: Record<string, unknown> };
  const complete = format === 1 && agreed !== undefined && fields.every((field) => Number.isSafeInteger(agreed[field]));
  if (!complete) throw new DriverError("InvalidArgument", "the state of the FUSE session is not of this format");
  return state as SessionState;
}

const fields = Object.keys({
  major: 0, minor: 0, offeredFlags: 0, offeredFlags2: 0, flags: 0, flags2: 0, maxWrite: 0, maxReadahead: 0, maxBackground: 0,
} satisfies Record<keyof Agreed, number>);
