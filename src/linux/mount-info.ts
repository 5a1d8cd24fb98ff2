// /proc/self/mountinfo, parsed. Reading it never touches the mounts themselves, so it is safe when their servers are dead.
import { readFileSync } from "node:fs";
import path from "node:path";

export interface MountPoint {
  readonly id: number;
  readonly parentId: number;
  /** Of the file system: equal for all bind mounts of it. For FUSE, `minor` is the connection's number in fusectl. */
  readonly major: number;
  readonly minor: number;
  /** What part of the file system is visible here. */
  readonly root: string;
  readonly mountPoint: string;
  readonly options: readonly string[];
  readonly propagation: readonly string[];
  readonly type: string;
  readonly source: string;
  readonly superOptions: readonly string[];
}

export function readMountInfo(file = "/proc/self/mountinfo"): MountPoint[] {
  return parseMountInfo(readFileSync(file, "utf8"));
}

/** What is mounted exactly there: the top-most when several are stacked. */
export function findMount(target: string, mounts: readonly MountPoint[] = readMountInfo()): MountPoint | undefined {
  const wanted = path.resolve(target);
  return mounts.findLast((m) => m.mountPoint === wanted);
}

export function isMountPoint(target: string, mounts?: readonly MountPoint[]): boolean {
  return findMount(target, mounts) !== undefined;
}

/** All mount points that show the same file system as the one mounted at `target`, itself not included. */
export function mountRefs(target: string, mounts: readonly MountPoint[] = readMountInfo()): MountPoint[] {
  const own = findMount(target, mounts);
  if (!own) return [];
  return mounts.filter((m) => m.major === own.major && m.minor === own.minor && m.id !== own.id);
}

/** Lines by their text: of hundreds of mounts only a few are new since the last look, and publishes look several times each. */
const parsed = new Map<string, MountPoint>();

export function parseMountInfo(text: string): MountPoint[] {
  const mounts: MountPoint[] = [];
  for (const line of text.split("\n")) {
    const mount = parsed.get(line) ?? parseLine(line);
    if (mount) mounts.push(mount);
  }
  if (parsed.size > 2 * mounts.length + 100) parsed.clear();
  return mounts;
}

function parseLine(line: string): MountPoint | undefined {
  // A copy: a part of a string keeps the whole of it, here the table, in memory.
  const own = Buffer.from(line).toString();
  const fields = own.split(" ");
  // Any number of propagation fields, then a lone "-".
  const dash = fields.indexOf("-", 6);
  if (dash < 0) return undefined;
  const [id, parentId, device, root, mountPoint, options] = fields as [string, string, string, string, string, string];
  const [major, minor] = device.split(":");
  const [type = "", source = "", superOptions = ""] = fields.slice(dash + 1);
  const mount: MountPoint = {
    id: Number(id),
    parentId: Number(parentId),
    major: Number(major),
    minor: Number(minor),
    root: decodeEscapes(root),
    mountPoint: decodeEscapes(mountPoint),
    options: options.split(","),
    propagation: fields.slice(6, dash),
    type: decodeEscapes(type),
    source: decodeEscapes(source),
    superOptions: superOptions.split(","),
  };
  parsed.set(own, mount);
  return mount;
}

/** The kernel writes space, tab, newline, backslash and # as \ and three octal digits, byte by byte. */
export function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes: number[] = [];
  const raw = Buffer.from(text, "utf8");
  for (let i = 0; i < raw.length; i++) {
    const octal = raw[i] === 0x5c ? raw.toString("latin1", i + 1, i + 4) : "";
    if (/^[0-3][0-7]{2}$/.test(octal)) {
      bytes.push(Number.parseInt(octal, 8));
      i += 3;
    } else bytes.push(raw[i] as number);
  }
  return Buffer.from(bytes).toString("utf8");
}
