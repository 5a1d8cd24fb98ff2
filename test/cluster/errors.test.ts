// What went wrong stands in the events of the pod that waits, within 30 seconds, with what to do about it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { applySecret, driverNamespace, mountpointNamespace, release } from "../../scripts/kubernetes/install-driver.ts";
import { CommandFailed } from "../../scripts/kubernetes/kubectl.ts";
import { markedKey } from "../../scripts/test/secrets/mark.ts";
import { type ClusterBed, startClusterBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import type { VolumeOptions } from "./manifests.ts";
import { report } from "./report.ts";
import type { Workspace } from "./workspace.ts";

const test = suite("errors that a user sees");
const signal = AbortSignal.timeout(900_000);
let bed: ClusterBed;
let work: Workspace;

test.before(
  report(async () => {
    bed = await startClusterBed(signal);
    work = await bed.workspace("errors");
  }),
);
test.after(async () => {
  await work?.remove();
  await bed?.stop();
});

const reconciler = ["-n", driverNamespace, "deployment/s3-csi-controller"];
const withSecret = (name: string): VolumeOptions => ({ attributes: { authenticationSource: "secret" }, secret: { name, namespace: work.namespace } });

const cases: readonly { name: string; options: () => Promise<VolumeOptions> | VolumeOptions; says: RegExp }[] = [
  { name: "missing-bucket", options: () => ({ bucket: work.unique("nowhere") }), says: /bucket \S*nowhere\S* does not exist|bucket.*not.*exist/i },
  { name: "missing-secret", options: () => withSecret("not-there"), says: /secret.*not-there.*not found/is },
  {
    name: "wrong-key",
    options: async () => {
      await applySecret(bed.cluster.kubectl, work.namespace, "wrong", markedKey("WRONG"));
      return withSecret("wrong");
    },
    says: /access key|credentials|InvalidAccessKeyId/i,
  },
  {
    name: "empty-secret",
    options: async () => {
      await work.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: "empty" }, stringData: { access_key_id: "ONLYHALF" } });
      return withSecret("empty");
    },
    says: /secret_access_key/,
  },
  { name: "unknown-option", options: () => ({ mountOptions: ["allow-everything"] }), says: /allow-everything/ },
  { name: "bad-value", options: () => ({ mountOptions: ["uid=root"] }), says: /uid/ },
  { name: "bad-attribute", options: () => ({ attributes: { authenticationSource: "pod" } }), says: /authenticationSource "pod" is not known: use driver or secret/ },
  { name: "no-bucket-name", options: () => ({ attributes: { bucketName: "" } }), says: /Bucket name not provided/ },
];

for (const { name, options, says } of cases) {
  test(name, async () => {
    await work.volume(name, await options());
    await work.startPod({ name, claims: { "/data": name } });
    await told(name, says);
  });
}

test("once the cause is gone the same pod starts", async () => {
  await work.volume("late", { bucket: work.unique("late") });
  await work.startPod({ name: "late", claims: { "/data": "late" } });
  await told("late", /does not exist/i);
  bed.s3.createBucket(work.unique("late"));
  await work.kubectl(["wait", "pod/late", "--for=condition=Ready", "--timeout=60s"]);
});

test("the Mountpoint Pod's image cannot be pulled; when it can, the same pod starts", async () => {
  await work.volume("no-image");
  const before = await mountpointImage();
  // The reconciler's alone: with the chart's value the driver itself would not start, and helm would say so.
  await useMountpointImage("localhost:1/s3-csi-driver:nowhere");
  try {
    await work.startPod({ name: "no-image", claims: { "/data": "no-image" } });
    await told("no-image", /Mountpoint Pod \S+: (ErrImagePull|ImagePullBackOff): .*localhost:1\/s3-csi-driver:nowhere.*imagePullSecrets/);
  } finally {
    await useMountpointImage(before);
  }
  // As the documentation says: the reconciler makes it anew, with the image that is right now.
  await bed.cluster.kubectl(["-n", mountpointNamespace, "delete", "pod", (await work.mountpointPodOf("no-image")) ?? "", "--wait"]);
  await work.kubectl(["wait", "pod/no-image", "--for=condition=Ready", "--timeout=90s"]);
});

test("unreachable endpoint", async () => {
  await work.volume("no-answer");
  // A port on which nobody listens, in whatever cluster: the Mountpoint Pod's own.
  await bed.install({ s3: { endpointUrl: "http://127.0.0.1:1" } });
  try {
    await work.startPod({ name: "no-answer", claims: { "/data": "no-answer" } });
    await told("no-answer", /127\.0\.0\.1:1\b.*(refused|unreachable|reach)/i);
  } finally {
    await bed.install();
  }
});

const wrongValues: readonly { values: Readonly<Record<string, unknown>>; says: RegExp }[] = [
  { values: { s3: { endpoint: "http://s3.example.com" } }, says: /s3.*endpoint/is },
  { values: { s3: { endpointUrl: "s3.example.com" } }, says: /endpointUrl/ },
  { values: { controller: { replicas: "two" } }, says: /replicas.*(integer|string)/is },
];
for (const { values, says } of wrongValues) {
  test(`wrong value ${JSON.stringify(values)}: helm refuses it by its name, and what runs stays`, async () => {
    const revision = () => bed.cluster.helm(["history", release, "-n", driverNamespace, "-o", "json"]).then((history) => JSON.parse(history).length);
    const before = await revision();
    const since = performance.now();
    const refusal = await bed.install(values).then(() => undefined, (thrown: unknown) => thrown);
    assert.instance(refusal, CommandFailed);
    const said = (refusal as CommandFailed).stderr;
    assert.match(said, says);
    assert.is(await revision(), before);
    console.error(`    ${((performance.now() - since) / 1000).toFixed(1)} s: ${said.trim().split("\n").join(" | ").slice(0, 400)}`);
  });
}

test.run();

function mountpointImage(): Promise<string> {
  const image = '{.spec.template.spec.containers[?(@.name=="s3-pod-reconciler")].env[?(@.name=="MOUNTPOINT_IMAGE")].value}';
  return bed.cluster.kubectl(["get", ...reconciler, "-o", `jsonpath=${image}`]);
}

async function useMountpointImage(image: string): Promise<void> {
  await bed.cluster.kubectl(["set", "env", ...reconciler, "-c", "s3-pod-reconciler", `MOUNTPOINT_IMAGE=${image}`]);
  await bed.cluster.kubectl(["rollout", "status", ...reconciler, "--timeout=120s"]);
}

async function told(pod: string, says: RegExp): Promise<void> {
  const since = performance.now();
  let described = "";
  await eventually(`the events of ${pod} say ${says}`, 30, async () => {
    described = await work.kubectl(["describe", "pod", pod]);
    return says.test(described.slice(described.indexOf("Events:")));
  }).catch((thrown) => {
    throw new Error(`${(thrown as Error).message}:\n${described.slice(described.indexOf("Events:"))}`);
  });
  const line = described.split("\n").find((each) => says.test(each)) ?? "";
  console.error(`    ${pod}: ${((performance.now() - since) / 1000).toFixed(1)} s: ${line.slice(Math.max(0, line.search(/rpc error|MountVolume|The volume/))).trim().slice(0, 400)}`);
  assert.ok(line !== "" || says.test(described));
}
