import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder of a test's own, in memory where the machine has /dev/shm; gone with the process at the latest. */
export async function temporaryFolder(name: string, place: "memory" | "disk" = "disk"): Promise<TemporaryFolder> {
  const parent = place === "memory" ? await mkdir("/dev/shm", { recursive: true }).then(() => "/dev/shm", os.tmpdir) : os.tmpdir();
  const folder = mkdtempSync(path.join(parent, `s3csi-${name}-`));
  const atExit = () => {
    scanOfThisRun()?.folder(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", atExit);
  const remove = async () => {
    process.off("exit", atExit);
    scanOfThisRun()?.folder(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return { path: folder, remove, [Symbol.asyncDispose]: remove };
}
