// The CRD on a real API server: what a user sees of it, and what it refuses.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { sleep } from "../../src/core/backoff.ts";
import { CommandFailed, type CommandLine, kubectlFor } from "../../scripts/kubernetes/kubectl.ts";
import { startControlPlane } from "../bed/control-plane.ts";

const crdFile = path.resolve(import.meta.dirname, "../../crds/mountpoints3podattachments.yaml");
const uid = "5b7d3f0a-98c1-4c55-8a43-0a3c1e6c9d11";

const test = suite("crd", { kubectl: undefined as unknown as CommandLine, stop: async () => {} });

test.before(async (context) => {
  const plane = await startControlPlane({ signal: AbortSignal.timeout(900_000) });
  context.stop = () => plane.stop();
  context.kubectl = await kubectlFor(plane.kubeconfig, AbortSignal.timeout(300_000));
  await context.kubectl(["apply", "-f", crdFile]);
  await context.kubectl(["wait", "--for=condition=Established", "--timeout=30s", "crd/mountpoints3podattachments.s3.csi.scality.com"]);
  await published(context.kubectl);
});
test.after((context) => context.stop());

/** kubectl explain reads the OpenAPI document, which the server renews a moment after the CRD is established and announces nowhere. */
async function published(kubectl: CommandLine): Promise<void> {
  const until = AbortSignal.timeout(60_000);
  const explains = () => kubectl(["explain", "mountpoints3podattachment.spec"]).then(() => true, () => false);
  while (!(await explains())) await sleep(200, until);
}

type Spec = Record<string, unknown>;

function attachment(name: string, spec: Spec = {}): string {
  return JSON.stringify({
    apiVersion: "s3.csi.scality.com/v2",
    kind: "MountpointS3PodAttachment",
    metadata: { name, labels: { "s3.csi.scality.com/mounted-by-csi-driver-version": "2.2.0" } },
    spec: {
      nodeName: "node-1",
      persistentVolumeName: "pv-1",
      volumeID: "vol-1",
      mountOptions: "allow-delete,region us-east-1",
      workloadFSGroup: "1000",
      mountpointS3PodAttachments: { "mp-0a1b": [{ workloadPodUID: uid, attachmentTime: "2026-04-01T12:00:00Z" }] },
      ...spec,
    },
  });
}

const create = (kubectl: CommandLine, text: string) => kubectl(["create", "-f", "-"], { input: text });

async function refusal(promise: Promise<string>): Promise<string> {
  const error = await promise.then(
    () => assert.unreachable("the API server should have refused it"),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, CommandFailed);
  return (error as CommandFailed).stderr;
}

test("the server finds no fault with the definition", async ({ kubectl }) => {
  const conditions = JSON.parse(await kubectl(["get", "crd", "mountpoints3podattachments.s3.csi.scality.com", "-o", "jsonpath={.status.conditions}"])) as { type: string; status: string }[];
  assert.equal(conditions.filter((condition) => condition.type === "NonStructuralSchema" && condition.status === "True"), []);
  assert.ok(conditions.some((condition) => condition.type === "NamesAccepted" && condition.status === "True"));
});

test("kubectl explain --recursive shows every field", async ({ kubectl }) => {
  const text = await kubectl(["explain", "mountpoints3podattachment", "--recursive"]);
  assert.match(text, "MountpointS3PodAttachment records which Mountpoint Pods");
  for (const { name } of await fields()) assert.match(text, new RegExp(`^ +${name}\t`, "m"), name);
});

test("kubectl explain has a description for every field at every level", async ({ kubectl }) => {
  const all = await fields();
  assert.ok(all.length >= 20);
  for (const { name, at, description } of all) {
    const text = await kubectl(["explain", ["mountpoints3podattachment", ...at, name].join(".")]);
    const printed = text.replaceAll(/\s+/g, " ");
    assert.match(printed, "DESCRIPTION:");
    assert.not.match(printed, "<empty>");
    assert.ok(printed.includes(description.replaceAll(/\s+/g, " ").trim()), `${[...at, name].join(".")}: ${printed}`);
  }
});

test("what the driver before created is valid", async ({ kubectl }) => {
  const text = JSON.parse(attachment("unused")) as { metadata: Record<string, unknown> };
  text.metadata = { generateName: "s3pa-", labels: text.metadata.labels };
  assert.match(await create(kubectl, JSON.stringify(text)), /s3pa-\w+ created/);
  await create(kubectl, attachment("s3pa-bare", { mountOptions: "", workloadFSGroup: "", volumeID: "s3-csi:bucket/with~odd characters", nodeName: "ip-10-0-0-1.eu-west-1.compute.internal", mountpointS3PodAttachments: {} }));
  await kubectl(["delete", "s3pa", "--all"]);
});

test("field selectors work on all five fields", async ({ kubectl }) => {
  const one = { nodeName: "n1", persistentVolumeName: "p1", volumeID: "v1", mountOptions: "o1", workloadFSGroup: "1" };
  const other = { nodeName: "n2", persistentVolumeName: "p2", volumeID: "v2", mountOptions: "o2", workloadFSGroup: "2" };
  await create(kubectl, attachment("one", one));
  await create(kubectl, attachment("other", other));
  for (const [field, value] of Object.entries(one)) {
    assert.is((await kubectl(["get", "s3pa", "-o", "name", `--field-selector=spec.${field}=${value}`])).trim(), "mountpoints3podattachment.s3.csi.scality.com/one", field);
  }
  await kubectl(["delete", "s3pa", "--all"]);
});

test("kubectl get shows the four columns first, then readiness from the status", async ({ kubectl }) => {
  await create(kubectl, attachment("shown"));
  const now = "2026-04-01T12:00:00Z";
  const status = {
    observedGeneration: 1,
    conditions: [{ type: "Ready", status: "False", reason: "Unschedulable", message: "0/1 nodes are available", lastTransitionTime: now }],
    mountpointPods: [{ name: "mp-0a1b", phase: "Pending", reason: "Unschedulable", message: "too many pods", lastTransitionTime: now }],
  };
  await kubectl(["patch", "s3pa", "shown", "--subresource=status", "--type=merge", "-p", JSON.stringify({ status })]);
  const [header = "", row = ""] = (await kubectl(["get", "s3pa"])).split("\n");
  assert.match(header, /^NAME +NODE +PV NAME +MOUNT OPTIONS +AGE +READY +REASON *$/);
  assert.match(row, /^shown +node-1 +pv-1 +allow-delete,region us-east-1 +\w+ +False +Unschedulable *$/);
  assert.match(await kubectl(["get", "s3pa", "-o", "wide"]), /VOLUME ID +FSGROUP +MESSAGE/);
  await kubectl(["delete", "s3pa", "--all"]);
});

const workload = { workloadPodUID: uid, attachmentTime: "2026-04-01T12:00:00Z" };
const wrong: { title: string; spec: Spec; says: (string | RegExp)[] }[] = [
  { title: "no node", spec: { nodeName: undefined }, says: ["spec.nodeName: Required value"] },
  { title: "an empty node name", spec: { nodeName: "" }, says: ["spec.nodeName", "should be at least 1 chars long"] },
  { title: "no map of workloads", spec: { mountpointS3PodAttachments: undefined }, says: ["spec.mountpointS3PodAttachments: Required value"] },
  { title: "a node name that is no text", spec: { nodeName: 5 }, says: ["spec.nodeName", "must be of type string"] },
  { title: "an fsGroup that is no number", spec: { workloadFSGroup: "staff" }, says: ["spec.workloadFSGroup", "should match '^[0-9]*$'"] },
  { title: "mount options beyond measure", spec: { mountOptions: "x".repeat(16_385) }, says: ["spec.mountOptions: Too long"] },
  { title: "a Mountpoint Pod name that leaves its directory", spec: { mountpointS3PodAttachments: { "../../etc": [workload] } }, says: ["each key must be the name of a Mountpoint Pod"] },
  { title: "a Mountpoint Pod name with a slash", spec: { mountpointS3PodAttachments: { "a/b": [workload] } }, says: ["each key must be the name of a Mountpoint Pod"] },
  { title: "a workload UID that is a path", spec: { mountpointS3PodAttachments: { mp: [{ ...workload, workloadPodUID: "../x" }] } }, says: ["workloadPodUID", "should match"] },
  { title: "a workload without a time", spec: { mountpointS3PodAttachments: { mp: [{ workloadPodUID: uid }] } }, says: ["attachmentTime: Required value"] },
  { title: "a time that is none", spec: { mountpointS3PodAttachments: { mp: [{ ...workload, attachmentTime: "yesterday" }] } }, says: ["attachmentTime", "must be of type date-time"] },
  { title: "the same workload twice on one Mountpoint Pod", spec: { mountpointS3PodAttachments: { mp: [workload, workload] } }, says: ["Duplicate value"] },
  { title: "a field that does not exist", spec: { nodename: "n" }, says: ['unknown field "spec.nodename"'] },
];
for (const { title, spec, says } of wrong) {
  test(`refused readably: ${title}`, async ({ kubectl }) => {
    const message = await refusal(create(kubectl, attachment("bad", spec)));
    for (const part of says) assert.match(message, part);
  });
}

for (const field of ["nodeName", "persistentVolumeName", "volumeID", "mountOptions", "workloadFSGroup"]) {
  test(`refused readably: a change of ${field}`, async ({ kubectl }) => {
    await create(kubectl, attachment("fixed"));
    const patch = JSON.stringify({ spec: { [field]: "7" } });
    const message = await refusal(kubectl(["patch", "s3pa", "fixed", "--type=merge", "-p", patch]));
    await kubectl(["delete", "s3pa", "fixed"]);
    assert.match(message, `${field} is part of the sharing key and cannot change`);
  });
}

test("refused readably: a phase that does not exist", async ({ kubectl }) => {
  await create(kubectl, attachment("phased"));
  const status = { mountpointPods: [{ name: "mp", phase: "Sleeping", lastTransitionTime: "2026-04-01T12:00:00Z" }] };
  const message = await refusal(kubectl(["patch", "s3pa", "phased", "--subresource=status", "--type=merge", "-p", JSON.stringify({ status })]));
  await kubectl(["delete", "s3pa", "phased"]);
  assert.match(message, 'supported values: "Pending", "Ready", "Unmounting", "Failed", "Missing"');
});

test("a spec as large as it may be is taken", async ({ kubectl }) => {
  const workloads = Array.from({ length: 4096 }, (_, index) => ({ ...workload, workloadPodUID: `${uid.slice(0, -4)}${String(index).padStart(4, "0")}` }));
  await create(kubectl, attachment("large", { mountpointS3PodAttachments: { mp: workloads } }));
  assert.match(await refusal(create(kubectl, attachment("larger", { mountpointS3PodAttachments: { mp: [...workloads, { ...workload, workloadPodUID: "one-more" }] } }))), "must have at most 4096 items");
  await kubectl(["delete", "s3pa", "large"]);
});

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}
interface Field {
  readonly name: string;
  readonly at: readonly string[];
  readonly description: string;
}

/** Every field of the schema as kubectl explain names it: the levels of maps and lists are not written. */
async function fields(): Promise<Field[]> {
  const crd = parse(await readFile(crdFile, "utf8")) as { spec: { versions: { schema: { openAPIV3Schema: Schema } }[] } };
  const found: Field[] = [];
  const visit = (schema: Schema | undefined, at: readonly string[]): void => {
    if (!schema) return;
    visit(schema.items, at);
    visit(schema.additionalProperties, at);
    for (const [name, child] of Object.entries(schema.properties ?? {})) {
      // Kubernetes itself describes these three.
      if (at.length === 0 && ["apiVersion", "kind", "metadata"].includes(name)) continue;
      found.push({ name, at, description: child.description ?? "" });
      visit(child, [...at, name]);
    }
  };
  visit(crd.spec.versions[0]?.schema.openAPIV3Schema, []);
  return found;
}

test.run();
