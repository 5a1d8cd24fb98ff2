// An OCI image layout in one tar, which `ctr images import`, `podman load`, `docker load` (25+) and `skopeo copy` take.
// Written without a container engine: one layer, made reproducible (sorted, no times, owned by root), so that the same
// root file system gives the same digest on every machine.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { runTool } from "../tools/run-tool.ts";

export interface ImageConfig {
  readonly env?: Readonly<Record<string, string>>;
  /** "uid:gid" or a name in the image's /etc/passwd. */
  readonly user?: string;
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  readonly workingDir?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface OciArchiveOptions {
  /** The full reference the image gets on import, such as "ghcr.io/me/thing:1.2". */
  readonly name: string;
  /** A directory; all of it becomes the one layer. */
  readonly rootfs: string;
  /** Where the tar goes. */
  readonly out: string;
  readonly config?: ImageConfig;
  readonly signal?: AbortSignal;
}

export interface OciArchive {
  readonly name: string;
  readonly file: string;
  /** Digest of the manifest. */
  readonly digest: string;
  /** Bytes of the archive; the layer is not compressed, so this is also the size on the node. */
  readonly size: number;
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const configType = "application/vnd.oci.image.config.v1+json";
const layerType = "application/vnd.oci.image.layer.v1.tar";
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export async function writeOciArchive(options: OciArchiveOptions): Promise<OciArchive> {
  const out = path.resolve(options.out);
  await mkdir(path.dirname(out), { recursive: true });
  // Beside the result, so that the layer is renamed and not copied.
  const work = await mkdtemp(path.join(path.dirname(out), ".oci-"));
  try {
    const blobs = path.join(work, "blobs/sha256");
    await mkdir(blobs, { recursive: true });
    const layer = await writeLayer(options.rootfs, work, blobs, options.signal);
    const architecture = process.arch === "x64" ? "amd64" : process.arch;
    const config = await writeJson(blobs, {
      architecture,
      os: "linux",
      config: runtimeConfig(options.config ?? {}),
      rootfs: { type: "layers", diff_ids: [layer.digest] },
      history: [{ created_by: "scripts/image" }],
    });
    const manifest = await writeJson(blobs, {
      schemaVersion: 2,
      mediaType: manifestType,
      config: { mediaType: configType, ...config },
      layers: [{ mediaType: layerType, ...layer }],
    });
    const index = {
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.index.v1+json",
      manifests: [
        {
          mediaType: manifestType,
          ...manifest,
          platform: { architecture, os: "linux" },
          // containerd reads the first name, the OCI tools read the second.
          annotations: { "io.containerd.image.name": options.name, "org.opencontainers.image.ref.name": tagOf(options.name) },
        },
      ],
    };
    await writeFile(path.join(work, "index.json"), JSON.stringify(index));
    await writeFile(path.join(work, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
    const partial = path.join(work, "archive.tar");
    await tar([...reproducible, "-C", work, "-cf", partial, "oci-layout", "index.json", "blobs"], options.signal);
    await rename(partial, out);
    return { name: options.name, file: out, digest: manifest.digest, size: (await stat(out)).size };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const reproducible = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"];

interface Blob {
  readonly digest: string;
  readonly size: number;
}

async function writeLayer(rootfs: string, work: string, blobs: string, signal: AbortSignal | undefined): Promise<Blob> {
  // The image's / takes this directory's mode; a temporary directory's 0700 would shut everybody but root out.
  await chmod(rootfs, 0o755);
  const file = path.join(work, "layer.tar");
  await tar([...reproducible, "-C", rootfs, "-cf", file, "."], signal);
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const hex = hash.digest("hex");
  await rename(file, path.join(blobs, hex));
  return { digest: `sha256:${hex}`, size: (await stat(path.join(blobs, hex))).size };
}

async function writeJson(blobs: string, value: unknown): Promise<Blob> {
  const bytes = Buffer.from(JSON.stringify(value));
  const hex = createHash("sha256").update(bytes).digest("hex");
  await writeFile(path.join(blobs, hex), bytes);
  return { digest: `sha256:${hex}`, size: bytes.length };
}

function runtimeConfig(config: ImageConfig): Record<string, unknown> {
  return {
    Env: Object.entries({ PATH: defaultPath, ...config.env }).map(([key, value]) => `${key}=${value}`),
    ...(config.user !== undefined && { User: config.user }),
    ...(config.entrypoint && { Entrypoint: config.entrypoint }),
    ...(config.cmd && { Cmd: config.cmd }),
    ...(config.workingDir !== undefined && { WorkingDir: config.workingDir }),
    ...(config.labels && { Labels: config.labels }),
  };
}

function tagOf(name: string): string {
  const tag = name.slice(name.lastIndexOf("/") + 1).split(":")[1];
  return tag ?? "latest";
}

async function tar(args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  await runTool("tar", args, { signal });
}
