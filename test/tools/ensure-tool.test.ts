import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ensureTool, ensureToolOf } from "../../scripts/tools/ensure-tool.ts";
import type { GoTool } from "../../scripts/tools/table.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";

const limit = () => AbortSignal.timeout(120_000);
const hello: GoTool = {
  kind: "go",
  version: "1.2.3",
  module: path.join(import.meta.dirname, "hello"),
  package: "test.local/hello",
  versionArgs: [],
  expectedSeconds: 2,
  stamp: { "main.version": "v1.2.3" },
};

test("builds a Go program once, stamped, and finds it the next time", async () => {
  await using cache = await temporaryFolder("tools");
  const lines: string[] = [];
  const options = { cache: cache.path, report: (line: string) => lines.push(line), signal: limit() };
  const file = await ensureToolOf("hello", hello, options);
  assert.is(file, path.join(cache.path, "hello-1.2.3/hello"));
  assert.is(execFileSync(file, { encoding: "utf8" }), "hello v1.2.3\n");
  assert.match(lines[0] ?? "", /^hello 1\.2\.3: getting it, about 2 s/);
  const told = lines.length;
  assert.is(await ensureToolOf("hello", hello, options), file);
  assert.is(lines.length, told);
});

test("processes that ask at the same time build once", async () => {
  await using cache = await temporaryFolder("tools");
  const script = `
    const { ensureToolOf } = await import(${JSON.stringify(path.resolve(import.meta.dirname, "../../scripts/tools/ensure-tool.ts"))});
    await ensureToolOf("hello", ${JSON.stringify(hello)});`;
  const outputs = await Promise.all(
    [1, 2, 3].map(async () => {
      const asker = spawn(process.execPath, ["--input-type=module", "-e", script], {
        env: { ...process.env, S3CSI_TOOLS_CACHE: cache.path },
        stdio: ["ignore", "inherit", "pipe"],
        signal: limit(),
      });
      let output = "";
      asker.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
      const [code] = await once(asker, "close");
      assert.is(code, 0, output);
      return output;
    }),
  );
  assert.is(outputs.filter((output) => output.includes("done in")).length, 1);
});

test("a build that fails leaves nothing under the tool's name", async () => {
  await using cache = await temporaryFolder("tools");
  const failed = await ensureToolOf(
    "hello",
    { ...hello, package: "test.local/hello/absent" },
    { cache: cache.path, report: () => {}, signal: limit() },
  ).then(
    () => undefined,
    (error: Error) => error,
  );
  assert.match(failed?.message ?? "", /absent/);
  assert.equal(
    (await readdir(cache.path)).filter((name) => !name.endsWith(".lock")),
    [],
  );
});

test("without Go it says what is missing and what to do", async () => {
  await using cache = await temporaryFolder("tools");
  const failed = await ensureToolOf("hello", hello, {
    cache: cache.path,
    env: { PATH: "/nonexistent" },
    report: () => {},
    signal: limit(),
  }).then(
    () => undefined,
    (error: Error) => error,
  );
  assert.match(failed?.message ?? "", /hello 1\.2\.3 is built from source, and Go is missing: install Go/);
});

test("KUBEBUILDER_ASSETS is taken where it has the program", async () => {
  await using assets = await temporaryFolder("assets");
  const file = path.join(assets.path, "etcd");
  await mkdir(assets.path, { recursive: true });
  await writeFile(file, "#!/bin/sh\n", { mode: 0o755 });
  assert.is(await ensureTool("etcd", { env: { ...process.env, KUBEBUILDER_ASSETS: assets.path }, signal: limit() }), file);
});

test.run();
