// The suite's own images, made here under the names it is told to use: it only runs shells, agnhost and pause in them.
import { chmod, copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { buildImage, busybox } from "../../scripts/cluster/base-images.ts";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { runTool } from "../../scripts/tools/run-tool.ts";

const registry = "s3-csi.local/e2e";
const needed = ["agnhost", "busybox", "jessie-dnsutils", "nginx", "pause"] as const;

/** A file for KUBE_TEST_REPO_LIST: where the suite takes images from. */
export async function writeRegistryList(folder: string): Promise<string> {
  const file = path.join(folder, "registries.json");
  const keys = ["promoterE2eRegistry", "gcRegistry", "gcEtcdRegistry", "sigStorageRegistry", "dockerLibraryRegistry", "buildImageRegistry"];
  await writeFile(file, JSON.stringify(Object.fromEntries(keys.map((key) => [key, registry]))));
  return file;
}

/** Returns the archives. */
export async function buildSuiteImages(folder: string, registryList: string, signal?: AbortSignal): Promise<string[]> {
  const suite = await ensureTool("e2e.test", { signal });
  const listed = await runTool(suite, ["--list-images"], { signal, env: { ...process.env, KUBE_TEST_REPO_LIST: registryList } });
  const names = listed.split("\n").filter((name) => needed.some((image) => name.startsWith(`${registry}/${image}:`)));
  await mkdir(folder, { recursive: true });
  return Promise.all(names.map((name) => buildSuiteImage(folder, name, signal)));
}

async function buildSuiteImage(folder: string, name: string, signal?: AbortSignal): Promise<string> {
  const image = name.slice(registry.length + 1).split(":")[0];
  if (image === "pause") {
    const program = await ensureTool("pause", { signal });
    return buildImage({
      folder,
      name,
      fill: (rootfs) => place(program, rootfs, "pause"),
      entrypoint: ["/pause"],
      user: "65535:65535",
      signal,
    });
  }
  if (image === "agnhost") {
    const program = await ensureTool("agnhost", { signal });
    const fill = async (rootfs: string) => {
      await busybox(rootfs, signal);
      await place(program, rootfs, "agnhost");
      await symlink("agnhost", path.join(rootfs, "agnhost-2"));
    };
    return buildImage({ folder, name, fill, entrypoint: ["/agnhost"], cmd: ["pause"], signal });
  }
  return buildImage({ folder, name, fill: (rootfs) => busybox(rootfs, signal), entrypoint: [], cmd: ["sh"], signal });
}

async function place(program: string, rootfs: string, name: string): Promise<void> {
  await copyFile(program, path.join(rootfs, name));
  await chmod(path.join(rootfs, name), 0o755);
}
