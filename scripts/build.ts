// npm run build [-- --out=<directory>]: one bundle a process in dist/, and beside them the native code that cannot be bundled, so that
// the directory runs wherever it is put.
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.resolve(parseArgs({ options: { out: { type: "string" } } }).values.out ?? path.join(root, "dist"));
/** dist/<name>.js from src/bin/<source>.ts */
const processes = { controller: "controller", reconciler: "reconciler", node: "node", mountpoint: "mountpoint", "s3-csi": "cli" } as const;
/** koffi loads a .node file of the platform; fuse-native is the second transport, for those who install it. */
const external = ["koffi", "fuse-native"];
const nativePackages = ["koffi", `@koromix/koffi-linux-${process.arch}`];

const started = performance.now();
const entries = Object.entries(processes).map(([out, source]) => ({ out, in: path.join(root, "src/bin", `${source}.ts`) }));

await mkdir(dist, { recursive: true });
for (const name of await readdir(dist)) if (name.endsWith(".js") || name === "node_modules") await rm(path.join(dist, name), { recursive: true });
const result = await build({
  entryPoints: entries,
  outdir: dist,
  bundle: true,
  platform: "node",
  target: "node26",
  format: "esm",
  // Not the names: stack traces should be readable.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  external,
  define: { __GIT_COMMIT__: JSON.stringify(gitCommit()) },
  // The CommonJS packages inside call require.
  banner: { js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);' },
  logLevel: "warning",
  metafile: true,
});
await writeFile(path.join(dist, "package.json"), '{"type":"module"}\n');
await copyNativePackages();

for (const [file, { bytes }] of Object.entries(result.metafile.outputs)) console.error(`  ${path.basename(file).padEnd(20)}${(bytes / 1e6).toFixed(2)} MB`);
console.error(`build: ${((performance.now() - started) / 1000).toFixed(1)} s`);

/** Of these packages only what is loaded at run time: scripts, manifest, and the addon. */
async function copyNativePackages(): Promise<void> {
  for (const name of nativePackages) {
    const from = path.join(root, "node_modules", name);
    for (const file of await readdir(from, { recursive: true })) {
      if (!/^(?!cnoke)(.*\/)?(package\.json|\w+\.c?js)$|^linux_\w+\/.*\.node$/.test(file) || !(await stat(path.join(from, file))).isFile()) continue;
      const target = path.join(dist, "node_modules", name, file);
      await mkdir(path.dirname(target), { recursive: true });
      await copyFile(path.join(from, file), target);
    }
  }
}

function gitCommit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "unknown";
  }
}
