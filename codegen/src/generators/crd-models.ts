// crds/*.yaml → generated/models: classes with validate(), for the edges where an object enters.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { type Generator, header } from "../generator.ts";
import { type Crd, readCrds } from "./crd-source.ts";
import { kebab } from "./crd-types.ts";

// Its ES module imports a directory, which Node refuses; the CommonJS build is sound.
const { generate }: typeof import("@kubernetes-models/crd-generate") = createRequire(import.meta.url)("@kubernetes-models/crd-generate");

export const crdModels: Generator = {
  name: "crd-models",
  async generate(root) {
    const files = new Map<string, string>();
    for (const crd of await readCrds(root)) await addModel(crd, files);
    return files;
  },
};

async function addModel(crd: Crd, files: Map<string, string>): Promise<void> {
  const { kind } = crd.spec.names;
  const work = await mkdtemp(path.join(os.tmpdir(), "codegen-models-"));
  try {
    await quietly(() => generate({ input: crd.text, outputPath: work }));
    for (const { name: version } of crd.spec.versions) {
      const target = `generated/models/${crd.spec.versions.length === 1 ? "" : `${version}/`}${kebab(kind)}`;
      const model = await readFile(path.join(work, crd.spec.group, version, `${kind}.ts`), "utf8");
      const schema = path.basename(/from "(?:\.\.\/)+_schemas\/([^"]+)"/.exec(model)?.[1] ?? "");
      const validator = path.join(work, "_schemas", schema);
      files.set(`${target}.ts`, header(crd.file) + runnable(model, `./${kebab(kind)}.validate.js`));
      files.set(`${target}.validate.js`, header(crd.file) + (await readFile(`${validator}.js`, "utf8")));
      files.set(`${target}.validate.d.ts`, `${header(crd.file)}${(await readFile(`${validator}.d.ts`, "utf8")).trimEnd()}\n`);
    }
  } finally {
    await rm(work, { recursive: true });
  }
}

/**
 * What Node needs to run the file by stripping its types: types imported as types, file suffixes, and field declarations that declare only
 * (without `declare` they would be set to undefined after the base class's constructor).
 */
function runnable(model: string, validator: string): string {
  return `${model
    .replace(/^import \{ (IObjectMeta|ValidateFunc) \}/gm, "import { type $1 }")
    .replace(/^(import \{ [^}]*)\bModelData\b/gm, "$1type ModelData")
    .replace(/"(?:\.\.\/)+_schemas\/[^"]+"/, JSON.stringify(validator))
    .replace(/^ {2}("\w+"\??: I\w+\["\w+"\];)$/gm, "  declare $1")
    .replace(/^(static |constructor)/gm, "  $1")
    .trimEnd()}\n`;
}

/** The library prints the name of each file it writes, which is in our temporary folder and of no interest. */
async function quietly(task: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = () => {};
  try {
    await task();
  } finally {
    console.log = log;
  }
}
