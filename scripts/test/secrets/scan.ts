// Looks for the tests' keys in what a test can show: text, files, processes. Says where one was found, never what.
import { closeSync, lstatSync, openSync, readdirSync, readSync, statfsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Allowed, allowedFiles, allowedProcesses, skippedFolders } from "./allowed.ts";
import { formsOf, secretMark } from "./mark.ts";
import { Report, reportVariable } from "./report.ts";

/** The scan of the run that this process is a part of; undefined when a test file is run by itself. */
export function scanOfThisRun(): SecretScan | undefined {
  const file = process.env[reportVariable];
  return file ? new SecretScan(new Report(file)) : undefined;
}

const driverProgram = /\/(controller|reconciler|node|mountpoint|cli|s3-csi)\.[jt]s$/;
const tmpfs = 0x01021994;
const blockBytes = 1 << 20;

export class SecretScan {
  readonly #report: Report;
  readonly #needles: readonly Buffer[];

  constructor(report: Report, mark = secretMark) {
    this.#report = report;
    this.#needles = formsOf(mark).map((form) => Buffer.from(form));
  }

  /** A program's output, piece by piece. */
  log(where: string): (piece: string) => void {
    this.#report.add({ saw: "log", where });
    let end = "";
    let leaked = false;
    return (piece) => {
      const text = end + piece;
      if (!leaked && this.#isIn(Buffer.from(text))) {
        leaked = true;
        this.#report.add({ saw: "leak", where });
      }
      // A key may lie across two pieces.
      end = text.slice(-secretMark.length * 2);
    };
  }

  /** All files below it, of its own file system. Synchronous, for it is used when a process exits, too. */
  folder(folder: string): void {
    this.#report.add({ saw: "folder", where: folder });
    const device = lstatSync(folder, { throwIfNoEntry: false })?.dev;
    for (const file of device === undefined ? [] : filesBelow(folder, device)) {
      if (!ifThere(() => this.#isInFile(file))) continue;
      const allowed = allowedFiles.find(({ matches, inMemory }) => matches.test(file) && !(inMemory && statfsSync(path.dirname(file)).type !== tmpfs));
      this.#found(`the file ${file}`, allowed);
    }
  }

  /** Returns which of the driver's programs it is, if any. */
  async process(pid: number): Promise<string | undefined> {
    // Not synchronous: the kernel lets one wait for a process that waits for a mount.
    const read = (name: string) => readFile(`/proc/${pid}/${name}`).catch(() => Buffer.alloc(0));
    const [cmdline, environ] = await Promise.all([read("cmdline"), read("environ")]);
    const argv = cmdline.toString("latin1").split("\0");
    const name = argv.map((argument) => driverProgram.exec(argument)?.[1]).find(Boolean);
    for (const [what, bytes] of [["arguments", cmdline], ["environment", environ]] as const) {
      if (!this.#isIn(bytes)) continue;
      const allowed = allowedProcesses.find(({ matches }) => matches.test(argv.join(" ")));
      this.#found(`the ${what} of the process ${name ?? path.basename(argv[0] ?? "")}`, allowed);
    }
    return name;
  }

  #found(where: string, allowed: Allowed | undefined): void {
    this.#report.add(allowed ? { saw: "allowed", where, reason: allowed.reason } : { saw: "leak", where });
  }

  #isIn(bytes: Buffer): boolean {
    return this.#needles.some((needle) => bytes.includes(needle));
  }

  #isInFile(file: string): boolean {
    const fd = openSync(file, "r");
    try {
      const overlap = 64;
      const block = Buffer.alloc(blockBytes + overlap);
      for (;;) {
        const read = readSync(fd, block, overlap, blockBytes, null);
        if (read === 0) return false;
        if (this.#isIn(block.subarray(0, overlap + read))) return true;
        block.copy(block, 0, read, read + overlap);
      }
    } finally {
      closeSync(fd);
    }
  }
}

function* filesBelow(folder: string, device: number): Generator<string> {
  for (const entry of ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const at = path.join(folder, entry.name);
    if (entry.isFile()) yield at;
    else if (entry.isDirectory() && !skippedFolders.some(({ matches }) => matches.test(at)) && ifThere(() => lstatSync(at).dev) === device) yield* filesBelow(at, device);
  }
}

/** Processes end and files go while they are looked at. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
