import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { skipped } from "./skipped.ts";

test("docs/conformance.md names every reason for which specs are not run", async () => {
  const page = await readFile(path.resolve(import.meta.dirname, "../../docs/conformance.md"), "utf8");
  assert.equal(
    skipped.filter(({ reason }) => !page.includes(reason)).map(({ reason }) => reason),
    [],
  );
});

test.run();
