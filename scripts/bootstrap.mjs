// Runs a TypeScript entry point on the pinned Node, on a machine that has nothing but some Node >= 20 and npm:
// installs node_modules when they are missing or older than the lock file, then hands over.
// Usage: node scripts/bootstrap.mjs <entry.ts> [arguments...]
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [entry, ...args] = process.argv.slice(2);
installWhenStale();

const node = path.join(root, "node_modules/.bin/node");
const child = spawn(existsSync(node) ? node : process.execPath, ["--disable-warning=ExperimentalWarning", path.join(root, entry), ...args], {
  stdio: "inherit",
});
// A Ctrl-C reaches the whole process group; we stay until the child has cleaned up after itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 128 + (os.constants.signals[signal]) : code));

function installWhenStale() {
  const stamp = path.join(root, "node_modules/.installed-from");
  const lock = createHash("sha256").update(readFileSync(path.join(root, "package-lock.json"))).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("Installing packages (npm ci), about a minute the first time ...");
  const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (result.status !== 0) {
    console.error("npm ci failed; the lines above say why.");
    process.exit(result.status ?? 1);
  }
  writeFileSync(stamp, lock);
}
