// Links in the documentation lead somewhere, and the npm scripts that it names exist.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import manifest from "../../package.json" with { type: "json" };

const root = path.resolve(import.meta.dirname, "../..");
const test = suite("documentation");
const pages = ["README.md", "chart/README.md", ...(await readdir(path.join(root, "docs"))).filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`)];

for (const page of pages) {
  const text = await readFile(path.join(root, page), "utf8");

  test(`links of ${page}`, () => {
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
    assert.equal(links.filter((link) => !existsSync(path.resolve(root, path.dirname(page), link))), []);
  });

  test(`npm scripts named in ${page}`, () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    assert.equal(named.filter((name) => !(name in manifest.scripts)), []);
  });
}

test("every page is in the index", async () => {
  const index = await readFile(path.join(root, "docs/README.md"), "utf8");
  assert.equal(pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md" && !index.includes(`(${path.basename(page)})`)), []);
});

test.run();
