// The verdict on everything that this invocation of `npm test` has run: its processes, its logs, its files.
import { readdirSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Report, reportVariable } from "../../scripts/test/secrets/report.ts";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";
import { faultsOf } from "../../scripts/test/secrets/verdict.ts";

test("no key in a log, an argument, an environment, or a file outside of memory", () => {
  const file = process.env[reportVariable];
  if (!file) throw new Error("Run it by `npm test -- secrets`, which watches what runs.");
  scanLeftovers(statSync(file).birthtimeMs);
  assert.equal(faultsOf(new Report(file).read()), []);
});

test.run();

/** What tests and scripts of the run did not take away. */
function scanLeftovers(since: number): void {
  for (const parent of new Set([os.tmpdir(), "/dev/shm"])) {
    for (const name of readdirSync(parent).filter((entry) => /^s3-?csi-/.test(entry))) {
      const folder = path.join(parent, name);
      if ((statSync(folder, { throwIfNoEntry: false })?.birthtimeMs ?? 0) >= since) scanOfThisRun()?.folder(folder);
    }
  }
}
