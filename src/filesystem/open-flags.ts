// Flags of open(2), as on x86-64 and arm64 Linux alike where we look at them.

const accessMode = 0o3;
const writeOnly = 0o1;
const readWrite = 0o2;

export interface OpenFlags {
  readonly mode: "read" | "write" | "both";
  readonly truncate: boolean;
  readonly append: boolean;
  readonly exclusive: boolean;
  readonly direct: boolean;
  /** O_SYNC or O_DSYNC. */
  readonly synchronous: boolean;
}

const directBit = process.arch === "arm64" ? 0o200000 : 0o40000;

export function openFlags(flags: number): OpenFlags {
  const access = flags & accessMode;
  return {
    mode: access === writeOnly ? "write" : access === readWrite ? "both" : "read",
    exclusive: (flags & 0o200) !== 0,
    truncate: (flags & 0o1000) !== 0,
    append: (flags & 0o2000) !== 0,
    synchronous: (flags & 0o4010000) !== 0,
    direct: (flags & directBit) !== 0,
  };
}
