import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export async function scratchFolder(name: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${name}-`));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
