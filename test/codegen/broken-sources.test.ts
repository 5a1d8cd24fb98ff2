// A broken source of truth stops the generator with the file, the line or path, what is wrong and what to do.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Generator } from "../../codegen/src/generator.ts";
import { crdModels } from "../../codegen/src/generators/crd-models.ts";
import { crdTypes } from "../../codegen/src/generators/crd-types.ts";
import { fuseKernel } from "../../codegen/src/generators/fuse-kernel.ts";
import { proto } from "../../codegen/src/generators/proto.ts";
import { settings } from "../../codegen/src/generators/settings.ts";
import { Scratch } from "./scratch.ts";

const test = suite("broken sources");

interface Case {
  readonly title: string;
  readonly generator: Generator;
  readonly file: string;
  readonly change: (text: string) => string;
  /** All of them must be in the message. */
  readonly says: readonly (string | RegExp)[];
}

const crd = "crds/mountpoints3podattachments.yaml";
const settingsFile = "codegen/settings.schema.json";
/** Changes the first setting of this name. */
const setting = (name: string, change: (entry: Record<string, unknown>) => void) => (text: string) => {
  const schema = JSON.parse(text) as { settings: Record<string, unknown>[] };
  const entry = schema.settings.find((found) => found.name === name);
  if (!entry) throw new Error(`no setting ${name}`);
  change(entry);
  return JSON.stringify(schema, undefined, 1);
};

const cases: Case[] = [
  {
    title: "a CRD with an unknown type",
    generator: crdTypes,
    file: crd,
    change: (text) => text.replace(/(nodeName:\n +description: .*\n +type: )string/, "$1text"),
    says: [/crds\/mountpoints3podattachments\.yaml:\d{2,}: the field \.spec\.nodeName has the unknown type "text"/, "use one of object, array, string"],
  },
  {
    title: "a CRD field without a description",
    generator: crdModels,
    file: crd,
    change: (text) => text.replace(/ +description: The UID of the workload pod.*\n/, ""),
    says: [/\.yaml:\d{2,}: the field \.spec\.mountpointS3PodAttachments\.\*\[\]\.workloadPodUID has no description/, "kubectl explain"],
  },
  {
    title: "a CRD that requires a property it does not have",
    generator: crdTypes,
    file: crd,
    change: (text) => text.replace("- nodeName\n", "- nodeNames\n"),
    says: ["the field .spec requires nodeNames, which is not among its properties"],
  },
  { title: "a CRD that is no YAML", generator: crdTypes, file: crd, change: (text) => `${text}\n  x: [\n`, says: [/\.yaml:\d+: /, "correct the YAML"] },
  { title: "a file in crds/ that is no CRD", generator: crdTypes, file: crd, change: () => "kind: Pod\n", says: ["this is not a CustomResourceDefinition"] },
  {
    title: "two faults at once",
    generator: crdTypes,
    file: crd,
    change: (text) => text.replace(/ +description: The node on which.*\n/, "").replace(/ +description: The volume handle of that.*\n/, ""),
    says: [".spec.nodeName has no description", ".spec.volumeID has no description"],
  },
  {
    title: "a vendored protocol file that was changed",
    generator: proto,
    file: "proto/csi.proto",
    change: (text) => text.replace("rpc Probe", "rpc Prove"),
    says: ["proto/csi.proto:1: its sha256 is", "restore it from csi.proto of the Go module github.com/container-storage-interface/spec@v1.13.0"],
  },
  {
    title: "our protocol file with an unknown type",
    generator: proto,
    file: "proto/mountpoint.proto",
    change: (text) => text.replace("string bucket_name = 2;", "strong bucket_name = 2;"),
    says: [/proto\/mountpoint\.proto:\d{2,}: "strong" is not defined/],
  },
  {
    title: "overlapping fields of a kernel struct",
    generator: fuseKernel,
    file: "proto/fuse-kernel.yaml",
    change: (text) => text.replace("out_header:\n    use: encode\n    size: 16\n    fields: { len: [u32, 0], error: [i32, 4]", "out_header:\n    use: encode\n    size: 16\n    fields: { len: [u32, 0], error: [i32, 2]"),
    says: ["proto/fuse-kernel.yaml: structs.out_header.error"],
  },
  { title: "a setting without a default", generator: settings, file: settingsFile, change: setting("kubeletPath", (entry) => delete entry.default), says: [/settings\.schema\.json:\d+: kubeletPath: it has no default/, "add default, or required: true, or optional: true"] },
  { title: "a setting without a description", generator: settings, file: settingsFile, change: setting("workers", (entry) => delete entry.description), says: ["workers: it has no description"] },
  { title: "a setting of an unknown type", generator: settings, file: settingsFile, change: setting("workers", (entry) => (entry.type = "float")), says: ["workers: the type float does not exist"] },
  { title: "a default that the setting itself would refuse", generator: settings, file: settingsFile, change: setting("staleThresholdMs", (entry) => (entry.default = "2")), says: ["its default 2 is not valid: it is not a duration"] },
  { title: "a secret with a flag", generator: settings, file: settingsFile, change: setting("sessionToken", (entry) => (entry.flag = "session-token")), says: ["it is a secret with a flag", "arguments are visible to everyone"] },
  { title: "two settings with one flag", generator: settings, file: settingsFile, change: setting("workers", (entry) => (entry.flag = "kubeconfig")), says: ["--kubeconfig sets kubeconfig already"] },
  { title: "two values of one Helm path", generator: settings, file: settingsFile, change: setting("workers", (entry) => (entry.helm = "s3.region")), says: ["the Helm value s3.region stands twice"] },
  { title: "a duration that does not say its unit", generator: settings, file: settingsFile, change: setting("staleThresholdMs", (entry) => (entry.name = "staleThreshold")), says: ["a name ends in Ms exactly when the type is duration"] },
  { title: "a component that does not exist", generator: settings, file: settingsFile, change: setting("workers", (entry) => (entry.components = ["scheduler"])), says: ["the component scheduler does not exist"] },
  { title: "a chart README without the markers", generator: settings, file: "chart/README.md", change: () => "# Chart\n", says: ["chart/README.md:1: the markers of the table of values are missing"] },
];

for (const { title, generator, file, change, says } of cases) {
  test(title, async () => {
    const scratch = await Scratch.create();
    try {
      await scratch.edit(file, change);
      const error = await generator.generate(scratch.root).then(
        () => assert.unreachable("the generator should have stopped"),
        (thrown: Error) => thrown,
      );
      for (const part of [...says, "to do: "]) assert.match((error as Error).message, part);
    } finally {
      await scratch.remove();
    }
  });
}

test.run();
