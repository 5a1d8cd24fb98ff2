// docs/SEMANTICS.md and the tests speak of the same statements.
import { readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";

const root = new URL("../../", import.meta.url);

test("every statement of docs/SEMANTICS.md has a test that names it", () => {
  const stated = [...readFileSync(new URL("docs/SEMANTICS.md", root), "utf8").matchAll(/\*\*(S-[A-Z]+-\d+)\*\*/g)].map(
    (match) => match[1] as string,
  );
  const folder = new URL("test/filesystem/", root);
  const tests = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".test.ts") && !name.startsWith("semantics-doc"),
  );
  const named = new Set(
    tests.flatMap((name) => [...readFileSync(new URL(name, folder), "utf8").matchAll(/S-[A-Z]+-\d+/g)].map((match) => match[0])),
  );
  assert.is(new Set(stated).size, stated.length, "ids are unique");
  assert.equal(
    stated.filter((id) => !named.has(id)),
    [],
    "statements without a test",
  );
  assert.equal(
    [...named].filter((id) => !stated.includes(id)),
    [],
    "tests of statements that are not there",
  );
});

test.run();
