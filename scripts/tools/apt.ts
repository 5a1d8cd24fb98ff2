// Debian packages that must be on the machine. Those there already cost one dpkg-query; the missing ones are installed when we may.
import path from "node:path";
import { tmpdir } from "node:os";
import { withFileLock } from "./file-lock.ts";
import { findInPath } from "./find-in-path.ts";
import { type Report, reportOnStderr, withProgress } from "./progress.ts";
import { runTool } from "./run-tool.ts";

export interface AptOptions {
  readonly signal?: AbortSignal;
  readonly report?: Report;
}

export async function ensureAptPackages(packages: readonly string[], options: AptOptions = {}): Promise<void> {
  if ((await missingPackages(packages, options)).length === 0) return;
  const report = options.report ?? reportOnStderr;
  await withFileLock(path.join(tmpdir(), "s3-csi-driver-apt.lock"), options, async () => {
    const missing = await missingPackages(packages, options);
    if (missing.length === 0) return;
    if (process.getuid?.() !== 0)
      throw new Error(`Missing on this machine: ${missing.join(", ")}. Install them: sudo apt-get install ${missing.join(" ")}`);
    await withProgress({ title: `apt-get install ${missing.join(" ")}`, expectedSeconds: 20, report }, async (detail) => {
      const apt = (args: readonly string[]) =>
        runTool("apt-get", ["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3", ...args], {
          signal: options.signal,
          env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
          onLine: detail,
        });
      const install = ["install", "-y", "-qq", "--no-install-recommends", ...missing];
      // Fresh machines have no package lists, or old ones; with good ones the update is not needed.
      await apt(install).catch(async () => {
        await apt(["update", "-qq"]);
        await apt(install);
      });
    });
  });
}

async function missingPackages(packages: readonly string[], options: AptOptions): Promise<string[]> {
  if (!(await findInPath("dpkg-query"))) {
    throw new Error(`This machine is not Debian or Ubuntu: install what these packages hold by hand: ${packages.join(", ")}`);
  }
  // dpkg-query fails when one name is unknown but still answers for the others.
  const listed = await runTool(
    "sh",
    ["-c", "dpkg-query -W -f '${Package} ${db:Status-Status}\\n' \"$@\" 2>/dev/null || true", "sh", ...packages],
    options,
  );
  const installed = new Set(
    listed
      .split("\n")
      .filter((line) => line.endsWith(" installed"))
      .map((line) => line.split(" ")[0]),
  );
  return packages.filter((name) => !installed.has(name));
}
