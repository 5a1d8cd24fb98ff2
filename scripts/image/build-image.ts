// The driver's image as an OCI archive: bundles, root file system, archive.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { withFileLock } from "../tools/file-lock.ts";
import { runTool } from "../tools/run-tool.ts";
import { type OciArchive, writeOciArchive } from "./oci-archive.ts";
import { writeRootfs } from "./rootfs.ts";

export interface BuildImageOptions {
  /** The reference the image gets on import; by default the one that the chart's default means. */
  readonly name?: string;
  readonly out?: string;
  readonly signal?: AbortSignal;
}

const root = path.resolve(import.meta.dirname, "../..");

export async function buildImage(options: BuildImageOptions = {}): Promise<OciArchive> {
  const { signal } = options;
  const name = options.name ?? (await defaultImageName());
  const out = options.out ?? path.join(root, "dist/image", `${name.slice(name.lastIndexOf("/") + 1).replace(":", "-")}.tar`);
  const rootfs = await mkdtemp(path.join(os.tmpdir(), "s3-csi-rootfs-"));
  try {
    await buildRootfs(rootfs, signal);
    return await writeOciArchive({ name, rootfs, out, config: imageConfig, signal });
  } finally {
    await rm(rootfs, { recursive: true, force: true });
  }
}

/** The bundles and everything around them, as a directory. */
export async function buildRootfs(into: string, signal?: AbortSignal): Promise<void> {
  // dist/ is emptied and filled by each build: one at a time.
  await withFileLock(path.join(os.tmpdir(), "s3-csi-driver-build.lock"), { signal }, async () => {
    await runTool(process.execPath, [path.join(root, "scripts/build.ts")], { signal });
    await writeRootfs({ root, into, signal });
  });
}

/** What "s3-csi-driver:<version>", the chart's default, means to a container runtime. */
export async function defaultImageName(): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { version: string };
  return `docker.io/library/s3-csi-driver:${version}`;
}

const imageConfig = {
  // Without a user in the pod's spec the image is not root; the node service asks for root itself.
  user: "1000:1000",
  workingDir: "/",
  entrypoint: ["/bin/s3-csi"],
  env: { NODE_ENV: "production" },
  labels: {
    "org.opencontainers.image.title": "s3-csi-driver",
    "org.opencontainers.image.licenses": "Apache-2.0",
  },
};
