// Everything the image holds: the pinned node, the shared libraries it and the native addon need, the bundles, the
// launchers under the programs' names, a user, and the CAs node trusts. No shell, no package manager, nothing else.
import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readdir, realpath, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import tls from "node:tls";
import { runTool } from "../tools/run-tool.ts";

export interface RootfsOptions {
  /** The repository. */
  readonly root: string;
  /** An empty directory. */
  readonly into: string;
  readonly signal?: AbortSignal;
}

export const programs = ["scality-s3-csi-driver", "scality-csi-controller", "scality-s3-csi-mounter", "s3-csi"] as const;
export const bundles = ["controller", "reconciler", "node", "mountpoint", "s3-csi"] as const;

export async function writeRootfs({ root, into, signal }: RootfsOptions): Promise<void> {
  const place = async (file: string, text: string, mode = 0o644) => {
    const target = path.join(into, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
    await chmod(target, mode);
  };
  await place("etc/passwd", "root:x:0:0:root:/:/none\ns3csi:x:1000:1000:S3 CSI driver:/:/none\n");
  await place("etc/group", "root:x:0:\ns3csi:x:1000:\n");
  await place("etc/nsswitch.conf", "hosts: files dns\n");
  await place("etc/ssl/certs/ca-certificates.crt", `${tls.rootCertificates.join("\n")}\n`);
  await mkdir(path.join(into, "tmp"), { recursive: true });
  await chmod(path.join(into, "tmp"), 0o1777);
  // Mount points of the chart's volumes, which a read-only root could not make.
  for (const folder of ["csi", "comm", "registration", "proc", "sys", "dev"]) await mkdir(path.join(into, folder), { recursive: true });

  const addons = await copyBundles(root, into);
  const node = await copyNode(into, signal);
  await copyLibraries([node, ...addons], into, signal);
  await buildLaunchers(into, signal);
}

/** dist/ as the build leaves it: bundles, and the native packages they load. Returns the addons. */
async function copyBundles(root: string, into: string): Promise<string[]> {
  const dist = path.join(root, "dist");
  const app = path.join(into, "app");
  const built = bundles.map((bundle) => `${bundle}.js`).filter((name) => existsSync(path.join(dist, name)));
  for (const name of [...built, "package.json", "node_modules"]) {
    await cp(path.join(dist, name), path.join(app, name), { recursive: true });
  }
  await copyFile(path.join(root, "LICENSE"), path.join(app, "LICENSE"));
  const files = await readdir(app, { recursive: true });
  return files.filter((file) => file.endsWith(".node")).map((file) => path.join(app, file));
}

/** The node that runs this script is the pinned one. Without its debugging symbols it is a fifth smaller. */
async function copyNode(into: string, signal: AbortSignal | undefined): Promise<string> {
  const target = path.join(into, "usr/bin/node");
  await mkdir(path.dirname(target), { recursive: true });
  await runTool("strip", ["-o", target, await realpath(process.execPath)], { signal });
  await chmod(target, 0o755);
  return target;
}

/** The libraries the dynamic linker names, under the very paths it looks for them. */
async function copyLibraries(files: readonly string[], into: string, signal: AbortSignal | undefined): Promise<void> {
  const needed = new Set<string>();
  for (const file of files) {
    const listed = await runTool("ldd", [file], { signal });
    if (listed.includes("not found")) throw new Error(`${file} needs a library that is not on this machine:\n${listed}`);
    for (const [library] of listed.matchAll(/\/\S+\.so[.\d]*/g)) needed.add(library);
  }
  for (const library of needed) {
    const target = path.join(into, library);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(await realpath(library), target);
    await chmod(target, 0o755);
  }
}

async function buildLaunchers(into: string, signal: AbortSignal | undefined): Promise<void> {
  const bin = path.join(into, "bin");
  await mkdir(bin, { recursive: true });
  const launcher = path.join(bin, "launcher");
  await runTool("gcc", ["-Os", "-static", "-s", "-Wall", "-Werror", "-o", launcher, path.join(import.meta.dirname, "launcher.c")], { signal });
  for (const program of programs) await symlink("launcher", path.join(bin, program));
}
