// A Python program in a virtual environment of its own, every package pinned by the requirements file.
import { rename } from "node:fs/promises";
import path from "node:path";
import { findInPath } from "./find-in-path.ts";
import { runTool } from "./run-tool.ts";
import type { PipTool } from "./table.ts";

export interface InstallOptions {
  readonly signal?: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly detail: (text: string) => void;
}

export async function installPipTool(tool: PipTool, home: string, options: InstallOptions): Promise<void> {
  const python = await findInPath("python3", options.env);
  if (!python) throw new Error(`${tool.executable} needs Python 3.9 or newer: apt-get install python3 python3-venv`);
  const run = { signal: options.signal, env: options.env, onLine: options.detail };
  await runTool(python, ["-m", "venv", home], run).catch((cause) => {
    throw new Error("python3 can't make a virtual environment: apt-get install python3-venv", { cause });
  });
  await runTool(path.join(home, "bin/pip"), ["install", "--no-input", "-r", path.join(import.meta.dirname, tool.requirements)], run);
  // Whoever finds the executable takes the tool for finished, so it gets its name only after it has run once.
  const executable = path.join(home, "bin", tool.executable);
  await rename(executable, `${executable}.new`);
  await runTool(`${executable}.new`, tool.versionArgs, run);
  await rename(`${executable}.new`, executable);
}
