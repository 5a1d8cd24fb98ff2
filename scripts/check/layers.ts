// The layers of docs/architecture.md and the owners of third-party packages, as a table, and the check that every import keeps to it.
import { readdir, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import path from "node:path";

const base = ["core"];
const below = ["settings", ...base];
const edges = ["fuse", "s3", "kube", "linux", "telemetry"];

/** What each folder of src may import besides itself and generated/. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  bin: ["csi", "reconciler", "mountpoint", "cli", "filesystem", "runtime", "grpc", ...edges, ...below],
  csi: ["filesystem", "runtime", "grpc", ...edges, ...below],
  reconciler: ["filesystem", "runtime", "grpc", ...edges, ...below],
  mountpoint: ["filesystem", "runtime", "grpc", ...edges, ...below],
  // The command line runs the same daemon without Kubernetes.
  cli: ["mountpoint", "filesystem", "runtime", "grpc", ...edges, ...below],
  // It knows neither FUSE nor the AWS SDK, only their interfaces.
  filesystem: below,
  runtime: ["kube", ...below],
  grpc: below,
  fuse: ["linux", ...below],
  s3: below,
  kube: below,
  telemetry: below,
  linux: below,
  settings: base,
  core: [],
};

/** Files that a layer may import although their folder is not open to it: interfaces that it is written against. */
const openFiles: Readonly<Record<string, readonly string[]>> = {
  filesystem: ["src/fuse/file-system.ts", "src/s3/object-store.ts", "src/s3/key-order.ts"],
};

/** The one folder that may import a package; its types too. */
const owners: readonly (readonly [packages: RegExp, folders: readonly string[]])[] = [
  [/^@kubernetes\/client-node$/, ["src/kube"]],
  [/^@kubernetes-models\//, ["generated", "src/kube"]],
  [/^(@aws-sdk|@smithy)\//, ["src/s3"]],
  [/^koffi$/, ["src/linux"]],
  [/^fuse-native$/, ["src/fuse/fuse-native"]],
  [/^nice-grpc(-common)?$/, ["src/grpc", "generated"]],
  [/^@bufbuild\/protobuf/, ["generated"]],
];

export async function layerFaults(root: string): Promise<string[]> {
  const faults: string[] = [];
  for (const file of await sources(root)) {
    const text = await readFile(path.join(root, file), "utf8");
    for (const { specifier, line } of imports(text)) {
      const fault = specifier.startsWith(".") ? layerFault(file, path.posix.join(path.posix.dirname(file), specifier)) : ownerFault(file, specifier);
      if (fault) faults.push(`${file}:${line}: ${fault}`);
    }
  }
  return faults;
}

function layerFault(from: string, to: string): string | undefined {
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (to.startsWith("generated/") || to === "package.json") return undefined;
  if (target === undefined) return `src/${layer} imports ${to}, which is not part of the product`;
  if (target === layer || mayImport[layer ?? ""]?.includes(target) || openFiles[layer ?? ""]?.includes(to)) return undefined;
  if (!(layer !== undefined && layer in mayImport)) return `the folder src/${layer} has no place among the layers; give it one in scripts/check/layers.ts`;
  return `src/${layer} imports src/${target}, but may import only ${[...(mayImport[layer] ?? []), "generated"].join(", ")}`;
}

function ownerFault(file: string, specifier: string): string | undefined {
  if (specifier.startsWith("node:")) return undefined;
  if (builtinModules.includes(specifier)) return `write node:${specifier}`;
  const owner = owners.find(([packages]) => packages.test(specifier));
  if (!owner) return `the package ${specifier} has no owner; give it one folder in scripts/check/layers.ts, or do without it`;
  if (owner[1].some((folder) => file.startsWith(`${folder}/`))) return undefined;
  return `${specifier} belongs to ${owner[1].join(", ")}; import what that folder makes of it`;
}

function layerOf(file: string): string | undefined {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

async function sources(root: string): Promise<string[]> {
  const entries = await readdir(path.join(root, "src"), { recursive: true });
  return entries.filter((entry) => entry.endsWith(".ts")).map((entry) => `src/${entry}`).sort();
}

function* imports(text: string): Generator<{ specifier: string; line: number }> {
  // import … from "x", export … from "x", import "x", import("x")
  for (const match of text.matchAll(/^(?:import|export)\b[^"'`;]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    if (specifier) yield { specifier, line: text.slice(0, match.index).split("\n").length };
  }
}
