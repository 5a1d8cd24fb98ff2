// Builds one Go program from its wrapper module. The module is copied first: `go` may write to it, and the checkout stays clean.
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { findInPath } from "./find-in-path.ts";
import { runTool } from "./run-tool.ts";
import type { GoTool } from "./table.ts";

export interface BuildOptions {
  readonly signal?: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly detail: (text: string) => void;
}

/** Returns the path of the program, in the folder `into`. */
export async function buildGoTool(name: string, tool: GoTool, into: string, options: BuildOptions): Promise<string> {
  const go = await findGo(name, tool, options.env);
  const work = await mkdtemp(path.join(os.tmpdir(), "go-module-"));
  try {
    await cp(path.resolve(import.meta.dirname, "modules", tool.module), work, { recursive: true });
    const run = (args: readonly string[]) =>
      runTool(go, args, {
        cwd: work,
        signal: options.signal,
        // No C compiler needed, nothing of the machine's own Go settings in the result.
        env: { ...options.env, CGO_ENABLED: "0", GOFLAGS: "-mod=mod -buildvcs=false", GOWORK: "off" },
        onLine: options.detail,
      });
    const executable = path.join(into, name);
    const verb = tool.testBinary ? ["test", "-c"] : ["build"];
    await run([...verb, "-v", "-trimpath", "-ldflags", linkerFlags(tool), "-o", executable, tool.package]);
    for (const folder of tool.assets?.folders ?? []) {
      const home = (await run(["list", "-m", "-f", "{{.Dir}}", tool.assets?.module ?? ""])).trim();
      // Module files are read-only; a copy that can't be deleted would be in the way of the next one.
      await runTool("cp", ["-r", "--no-preserve=mode", path.join(home, folder), path.join(into, path.basename(folder))], options);
    }
    return executable;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function linkerFlags(tool: GoTool): string {
  return ["-s -w", ...Object.entries(tool.stamp ?? {}).map(([variable, value]) => `-X ${variable}=${value}`)].join(" ");
}

async function findGo(name: string, tool: GoTool, env: NodeJS.ProcessEnv): Promise<string> {
  const go = await findInPath("go", env);
  if (go) return go;
  const instead = tool.fromKubebuilderAssets ? " Or set KUBEBUILDER_ASSETS to a folder that has it." : "";
  throw new Error(
    `${name} ${tool.version} is built from source, and Go is missing: install Go 1.24 or newer (https://go.dev/dl/, or apt-get install golang) and put it in PATH.${instead}`,
  );
}
