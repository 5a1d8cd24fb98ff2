// Small images made on this machine, without a registry: what a cluster needs at least, and what tests run in.
import { access, chmod, copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { writeOciArchive } from "../image/oci-archive.ts";
import { ensureTool } from "../tools/ensure-tool.ts";
import { runTool } from "../tools/run-tool.ts";
import { tools } from "../tools/table.ts";
import { scratchFolder } from "./scratch-folder.ts";

export const pauseImage = `s3-csi.local/pause:${tools.pause.version}`;
export const busyboxImage = "s3-csi.local/busybox:1";
/** The pinned node, with a shell around it: for pods that run a script. */
export const nodeImage = `s3-csi.local/node:${process.versions.node}`;
export const csiProvisionerImage = `s3-csi.local/csi-provisioner:v${tools["csi-provisioner"].version}`;

/** Writes those archives that are not there yet; returns the paths of all. */
export async function buildBaseImages(folder: string, signal?: AbortSignal): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const images: readonly [name: string, fill: (rootfs: string) => Promise<void>, command: readonly string[], user?: string][] = [
    [pauseImage, async (rootfs) => copyProgram(await ensureTool("pause", { signal }), rootfs, "/pause"), ["/pause"], "65535:65535"],
    [busyboxImage, (rootfs) => busybox(rootfs, signal), ["/bin/sh"]],
    [nodeImage, (rootfs) => node(rootfs, signal), ["/usr/local/bin/node"]],
    [
      csiProvisionerImage,
      async (rootfs) => copyProgram(await ensureTool("csi-provisioner", { signal }), rootfs, "/csi-provisioner"),
      ["/csi-provisioner"],
      "65532:65532",
    ],
  ];
  return Promise.all(images.map(([name, fill, entrypoint, user]) => buildImage({ folder, name, fill, entrypoint, user, signal })));
}

export interface BuildImageOptions {
  readonly folder: string;
  readonly name: string;
  readonly fill: (rootfs: string) => Promise<void>;
  /** "cmd" for images whose users give a command of their own by args. */
  readonly entrypoint: readonly string[];
  readonly cmd?: readonly string[];
  readonly user?: string;
  readonly signal?: AbortSignal;
}

export async function buildImage(options: BuildImageOptions): Promise<string> {
  const out = path.join(options.folder, `${options.name.replaceAll(/[/:]/g, "_")}.tar`);
  const there = await access(out).then(
    () => true,
    () => false,
  );
  if (there) return out;
  await using rootfs = await scratchFolder("rootfs");
  await options.fill(rootfs.path);
  const { entrypoint, cmd, user } = options;
  await writeOciArchive({ name: options.name, rootfs: rootfs.path, out, config: { entrypoint, cmd, user }, signal: options.signal });
  return out;
}

export async function busybox(rootfs: string, signal?: AbortSignal): Promise<void> {
  for (const folder of ["bin", "etc", "tmp", "root", "proc", "sys", "dev", "usr/bin", "usr/sbin", "sbin", "var"]) {
    await mkdir(path.join(rootfs, folder), { recursive: true });
  }
  await chmod(path.join(rootfs, "tmp"), 0o1777);
  const program = await ensureTool("busybox", { signal });
  await copyProgram(program, rootfs, "/bin/busybox");
  const names = (await runTool(program, ["--list"], { signal })).split("\n").filter((name) => name && name !== "busybox");
  for (const name of names) await symlink("busybox", path.join(rootfs, "bin", name));
  await writeFile(path.join(rootfs, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n");
  await writeFile(path.join(rootfs, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");
  await writeFile(path.join(rootfs, "etc/nsswitch.conf"), "hosts: files dns\n");
}

async function node(rootfs: string, signal?: AbortSignal): Promise<void> {
  await busybox(rootfs, signal);
  await copyProgram(process.execPath, rootfs, "/usr/local/bin/node");
  const libraries = (await runTool("ldd", [process.execPath], { signal })).match(/\/\S+/g) ?? [];
  for (const library of libraries) await copyProgram(library, rootfs, library);
}

async function copyProgram(from: string, rootfs: string, to: string): Promise<void> {
  const target = path.join(rootfs, to);
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(from, target);
  await chmod(target, 0o755);
}
