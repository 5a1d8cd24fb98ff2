// npm run tools -- [names...|--list]: gets the named tools (all of them without a name) and prints their paths.
import { access } from "node:fs/promises";
import path from "node:path";
import { ensureTool, toolsCache } from "./ensure-tool.ts";
import { type Tool, type ToolName, tools } from "./table.ts";

const args = process.argv.slice(2);
const stop = new AbortController();
process.once("SIGINT", () => stop.abort(new Error("interrupted")));
process.once("SIGTERM", () => stop.abort(new Error("told to stop")));

try {
  if (args.includes("--list")) await list();
  else for (const name of selected(args)) console.log(`${name}\t${await ensureTool(name, { signal: stop.signal })}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function list(): Promise<void> {
  for (const [name, tool] of Object.entries<Tool>(tools)) {
    const home = path.join(toolsCache(), `${name}-${tool.version}`);
    const there =
      tool.kind === "apt"
        ? "from apt"
        : await access(home).then(
            () => "ready",
            () => `about ${tool.expectedSeconds} s to get`,
          );
    console.log(`${name.padEnd(26)}${tool.version.padEnd(10)}${tool.kind.padEnd(6)}${there}`);
  }
}

function selected(names: readonly string[]): ToolName[] {
  const known = Object.keys(tools) as ToolName[];
  const unknown = names.filter((name) => !known.includes(name as ToolName));
  if (unknown.length > 0) throw new Error(`No such tool: ${unknown.join(", ")}. Known: ${known.join(", ")}`);
  return names.length > 0 ? (names as ToolName[]) : known;
}
