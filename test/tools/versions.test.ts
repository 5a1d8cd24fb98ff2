// Every tool that the tests need is there, runs, and is the pinned one. On a fresh machine this is where most of them are built, so
// that no other test's time limit has to allow for it.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { runTool } from "../../scripts/tools/run-tool.ts";
import { type Tool, type ToolName, tools } from "../../scripts/tools/table.ts";

/** Only the conformance suite needs these, and they take minutes to build. */
const onDemand: readonly string[] = ["e2e.test", "agnhost"];
/** Their version is not in what they print. */
const silent: readonly string[] = ["moto"];

for (const [name, tool] of Object.entries<Tool>(tools)) {
  if (onDemand.includes(name)) continue;
  test(`${name} ${tool.version}`, async () => {
    const file = await ensureTool(name as ToolName);
    let printed = "";
    await runTool(file, tool.versionArgs, { onLine: (line) => (printed += `${line}\n`), signal: AbortSignal.timeout(30_000) });
    assert.match(
      printed,
      tool.kind === "apt" || silent.includes(name) ? /./ : new RegExp(`\\b[v]?${tool.version.replaceAll(".", "\\.")}\\b`),
    );
  });
}

test.run();
