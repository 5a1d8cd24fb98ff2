// The path of a program, after getting it when it is not there yet. Tests of several processes may ask at the same time: one of them
// builds, the others wait and then find it.
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ensureAptPackages } from "./apt.ts";
import { buildGoTool } from "./build-go-tool.ts";
import { findInPath } from "./find-in-path.ts";
import { installPipTool } from "./install-pip-tool.ts";
import { withFileLock } from "./file-lock.ts";
import { reportOnStderr, type Report, withProgress } from "./progress.ts";
import { runTool } from "./run-tool.ts";
import { type GoTool, type PipTool, type Tool, type ToolName, tools } from "./table.ts";

export interface EnsureToolOptions {
  readonly signal?: AbortSignal;
  /** Where finished tools are kept; S3CSI_TOOLS_CACHE by default. */
  readonly cache?: string;
  readonly report?: Report;
  readonly env?: NodeJS.ProcessEnv;
}

export async function ensureTool(name: ToolName, options: EnsureToolOptions = {}): Promise<string> {
  return ensureToolOf(name, tools[name], options);
}

export async function ensureToolOf(name: string, tool: Tool, options: EnsureToolOptions = {}): Promise<string> {
  const env = options.env ?? process.env;
  const report = options.report ?? reportOnStderr;
  if (tool.kind === "apt") {
    await ensureAptPackages(tool.packages, { ...options, report });
    return (await findInPath(name, env)) ?? fail(`${name} is not in PATH although ${tool.packages.join(", ")} is installed.`);
  }
  const given = tool.kind === "go" && tool.fromKubebuilderAssets ? await fromKubebuilderAssets(name, env) : undefined;
  if (given) return given;

  const cache = options.cache ?? toolsCache(env);
  const home = path.join(cache, `${name}-${tool.version}`);
  const executable = path.join(home, tool.kind === "go" ? name : `bin/${tool.executable}`);
  if (await exists(executable)) return executable;

  await mkdir(cache, { recursive: true });
  const title = `${name} ${tool.version}`;
  // One lock for all Go builds: each of them takes every core there is.
  await withFileLock(
    path.join(cache, `.${tool.kind}.lock`),
    { ...options, onWait: () => report(`${title}: waiting for another build`) },
    async () => {
      if (await exists(executable)) return;
      await withProgress({ title, expectedSeconds: tool.expectedSeconds, report }, (detail) =>
        make(name, tool, home, { ...options, env, detail }),
      );
    },
  );
  return executable;
}

export function toolsCache(env: NodeJS.ProcessEnv = process.env): string {
  return env.S3CSI_TOOLS_CACHE || path.join(os.homedir(), ".cache/s3-csi-driver/tools");
}

interface MakeOptions {
  readonly signal?: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly detail: (text: string) => void;
}

/** Never leaves half a tool under its final name: made and tried beside it, then renamed. */
async function make(name: string, tool: GoTool | PipTool, home: string, options: MakeOptions): Promise<void> {
  if (tool.kind === "pip") {
    // A virtual environment knows its own path, so it can't be moved: its executable appears last.
    await rm(home, { recursive: true, force: true });
    await installPipTool(tool, home, options);
    return;
  }
  const temporary = await mkdtemp(path.join(path.dirname(home), `.${name}-`));
  try {
    const built = await buildGoTool(name, tool, temporary, options);
    await runTool(built, tool.versionArgs, options);
    await rm(home, { recursive: true, force: true });
    await rename(temporary, home);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function fromKubebuilderAssets(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (!env.KUBEBUILDER_ASSETS) return undefined;
  const file = path.join(env.KUBEBUILDER_ASSETS, name);
  return (await exists(file)) ? file : undefined;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function fail(message: string): never {
  throw new Error(message);
}
