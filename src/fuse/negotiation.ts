// INIT: what the kernel offers, what we take. The rule of the protocol is the smaller minor version and the common flags,
// which makes the same code right on every kernel from 5.10 (7.32) on.
import { abiMajor, abiMinor, Capability, type CapabilityName, decodeInitIn, decodeInitExtIn, encodeInitOut, type InitOut, structSize } from "../../generated/fuse/kernel.ts";
import { DriverError } from "../core/errors.ts";
import type { Negotiation } from "./file-system.ts";

/** What every file system gets, because only the transport is concerned. The rest is asked for by wantedCapabilities. */
export const transportCapabilities: readonly CapabilityName[] = [
  "ASYNC_READ", "BIG_WRITES", "ASYNC_DIO", "PARALLEL_DIROPS", "MAX_PAGES", "INIT_EXT", "SETXATTR_EXT", "HAS_RESEND", "ABORT_ERROR",
];

export interface NegotiationLimits {
  /** Largest WRITE, and through max_pages also the largest READ. */
  readonly maxWrite: number;
  readonly maxBackground: number;
}

/** Everything that was agreed. Plain data: another process can go on with it (see SessionState). */
export interface Agreed {
  readonly major: number;
  readonly minor: number;
  readonly offeredFlags: number;
  readonly offeredFlags2: number;
  readonly flags: number;
  readonly flags2: number;
  readonly maxWrite: number;
  readonly maxReadahead: number;
  readonly maxBackground: number;
}

const pageSize = 4096;
/** Without MAX_PAGES a request has 32 pages at most. */
const pagesWithoutNegotiation = 32;

/** undefined: the kernel speaks a newer major version and has to be answered with ours alone; it then asks again. */
export function negotiate(words: Uint32Array, at: number, size: number, wanted: readonly string[], limits: NegotiationLimits): Agreed | undefined {
  const init = decodeInitIn(words, at);
  if (init.major < abiMajor) throw new DriverError("NotSupported", `the kernel speaks FUSE ${init.major}.${init.minor}; 7 is needed`);
  if (init.major > abiMajor) return undefined;
  const extended = size >= structSize.initExtIn && (init.flags & bit("INIT_EXT")) !== 0;
  const offeredFlags2 = extended ? decodeInitExtIn(words, at).flags2 : 0;
  let flags = 0;
  let flags2 = 0;
  for (const name of new Set<string>([...transportCapabilities, ...wanted])) {
    const number = Capability[name as CapabilityName] as number | undefined;
    if (number === undefined) throw new DriverError("InvalidArgument", `${name} is no FUSE capability`);
    if (number < 32) flags |= init.flags & (1 << number);
    else flags2 |= offeredFlags2 & (1 << (number - 32));
  }
  // The kernel ignores one of the two silently if both are set.
  if (flags2 & bit("PASSTHROUGH")) flags &= ~bit("WRITEBACK_CACHE");
  const manyPages = (flags & bit("MAX_PAGES")) !== 0;
  return {
    major: abiMajor,
    minor: Math.min(init.minor, abiMinor),
    offeredFlags: init.flags >>> 0,
    offeredFlags2: offeredFlags2 >>> 0,
    flags: flags >>> 0,
    flags2: flags2 >>> 0,
    maxWrite: manyPages ? limits.maxWrite : Math.min(limits.maxWrite, pagesWithoutNegotiation * pageSize),
    maxReadahead: init.maxReadahead,
    maxBackground: limits.maxBackground,
  };
}

export function writeInitOut(words: Uint32Array, at: number, agreed: Agreed): void {
  const out: InitOut = {
    major: agreed.major,
    minor: agreed.minor,
    maxReadahead: agreed.maxReadahead,
    flags: agreed.flags,
    flags2: agreed.flags2,
    maxBackground: agreed.maxBackground,
    congestionThreshold: Math.ceil((agreed.maxBackground * 3) / 4),
    maxWrite: agreed.maxWrite,
    timeGran: 1,
    maxPages: Math.ceil(agreed.maxWrite / pageSize),
    mapAlignment: 0,
    maxStackDepth: agreed.flags2 & bit("PASSTHROUGH") ? 1 : 0,
    requestTimeout: 0,
  };
  encodeInitOut(words, at, out);
}

export function describeAgreed(agreed: Agreed): Negotiation {
  const { major, minor, maxWrite, maxReadahead } = agreed;
  return { major, minor, maxWrite, maxReadahead, offered: names(agreed.offeredFlags, agreed.offeredFlags2), granted: names(agreed.flags, agreed.flags2) };
}

export function has(agreed: Agreed, name: CapabilityName): boolean {
  return ((Capability[name] < 32 ? agreed.flags : agreed.flags2) & bit(name)) !== 0;
}

function bit(name: CapabilityName): number {
  return 1 << (Capability[name] & 31);
}

function names(flags: number, flags2: number): ReadonlySet<string> {
  return new Set(Object.entries(Capability).filter(([, n]) => ((n < 32 ? flags : flags2) & (1 << (n & 31))) !== 0).map(([name]) => name));
}
