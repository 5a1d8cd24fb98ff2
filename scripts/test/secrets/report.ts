// What was seen of keys and of the driver's processes during a run, one JSON line each: written by the runner and by the tests it starts.
import { appendFileSync, readFileSync } from "node:fs";

export type Sighting =
  /** From here on, what this part of the tests shows. */
  | { readonly saw: "part"; readonly name: string }
  | { readonly saw: "driver"; readonly name: string }
  /** Scanned, whether or not anything was found. */
  | { readonly saw: "log" | "folder"; readonly where: string }
  | { readonly saw: "leak"; readonly where: string }
  /** A key where one may be. */
  | { readonly saw: "allowed"; readonly where: string; readonly reason: string };

/** Names the file, for the tests and the programs they start. */
export const reportVariable = "S3CSI_SECRETS_REPORT";

export class Report {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  add(sighting: Sighting): void {
    appendFileSync(this.file, `${JSON.stringify(sighting)}\n`);
  }

  read(): Sighting[] {
    return readFileSync(this.file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line) as Sighting);
  }
}
