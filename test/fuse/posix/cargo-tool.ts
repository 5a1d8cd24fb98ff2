// Programs that exist as Rust crates only, built once into the cache of tools.
import { access, mkdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ensureAptPackages } from "../../../scripts/tools/apt.ts";
import { toolsCache } from "../../../scripts/tools/ensure-tool.ts";
import { withFileLock } from "../../../scripts/tools/file-lock.ts";
import { findInPath } from "../../../scripts/tools/find-in-path.ts";
import { runTool } from "../../../scripts/tools/run-tool.ts";

/** The path of the crate's program. */
export async function ensureCargoTool(crate: string, version: string): Promise<string> {
  const home = path.join(toolsCache(), `${crate}-${version}`);
  const executable = path.join(home, "bin", crate);
  await mkdir(toolsCache(), { recursive: true });
  await withFileLock(path.join(toolsCache(), ".cargo.lock"), {}, async () => {
    if (await exists(executable)) return;
    await ensureAptPackages(["gcc", "libc6-dev"]);
    const { cargo, env } = (await installedCargo()) ?? (await debianCargo());
    console.error(`Building ${crate} ${version}, about a minute the first time ...`);
    await runTool(cargo, ["install", "--locked", "--quiet", "--root", home, `${crate}@${version}`], { env });
  });
  return executable;
}

interface Cargo {
  readonly cargo: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Undefined also where rustup is there and has no toolchain: its cargo only says so. */
async function installedCargo(): Promise<Cargo | undefined> {
  const env = { ...process.env, PATH: `${process.env["PATH"]}:${path.join(os.homedir(), ".cargo/bin")}` };
  const cargo = await findInPath("cargo", env);
  if (!cargo) return undefined;
  return runTool(cargo, ["--version"], { env }).then(
    () => ({ cargo, env }),
    () => undefined,
  );
}

/** Debian's plain cargo is too old for the crates; the one it keeps for building browsers is not. */
async function debianCargo(): Promise<Cargo> {
  await ensureAptPackages(["cargo-web"]);
  return { cargo: "/usr/bin/cargo", env: { ...process.env, RUSTC: "/usr/bin/rustc" } };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(() => true, () => false);
}
