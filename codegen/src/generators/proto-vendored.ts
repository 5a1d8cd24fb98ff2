// Vendored protocol files must be what their authors published: proto/vendored.yaml has their checksums.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { SourceFault, SourceFaults } from "../generator.ts";

interface Vendored {
  readonly file: string;
  readonly licence: string;
  readonly module: string;
  readonly version: string;
  readonly path: string;
  readonly sha256: string;
}

export async function checkVendored(root: string): Promise<void> {
  const folder = path.join(root, "proto");
  const entries = parse(await readFile(path.join(folder, "vendored.yaml"), "utf8")) as readonly Vendored[];
  const faults: SourceFault[] = [];
  for (const entry of entries) {
    const origin = `${entry.path} of the Go module ${entry.module}@${entry.version}`;
    const text = await readFile(path.join(folder, entry.file)).catch(() => undefined);
    if (!text) {
      faults.push(new SourceFault(`proto/${entry.file}`, 1, "the file is missing", `take it from ${origin}`));
      continue;
    }
    const sum = createHash("sha256").update(text).digest("hex");
    if (sum !== entry.sha256) {
      const problem = `its sha256 is ${sum}, but proto/vendored.yaml says ${entry.sha256}`;
      faults.push(new SourceFault(`proto/${entry.file}`, 1, problem, `restore it from ${origin}; it is not ours to change`));
    }
    const licence = await readFile(path.join(folder, entry.licence)).catch(() => undefined);
    if (!licence) faults.push(new SourceFault(`proto/${entry.licence}`, 1, "the licence is missing", `take LICENSE from ${entry.module}@${entry.version}`));
  }
  if (faults.length > 0) throw new SourceFaults(faults);
}
