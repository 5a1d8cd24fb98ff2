// The chart on a real API server: every object passes its schema and admission, RBAC gives what is needed and nothing more.
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type CommandLine, kubectlFor } from "../../scripts/kubernetes/kubectl.ts";
import { type ControlPlane, startControlPlane } from "../bed/control-plane.ts";
import { controllerRows, nodeRows, type Row } from "./access-matrix.ts";
import { Chart, type KubernetesObject } from "./chart.ts";
import { variants } from "./variants.ts";

const signal = AbortSignal.timeout(280_000);
const test = suite("chart on the API server");
const chart = await Chart.open(signal);
let controlPlane: ControlPlane;
let kubectl: CommandLine;

test.before(async () => {
  await install().catch((thrown) => {
    console.error(thrown); // uvu keeps a failing hook to itself
    throw thrown;
  });
});
async function install() {
  controlPlane = await startControlPlane({ signal });
  kubectl = await kubectlFor(controlPlane.kubeconfig, signal);
  for (const namespace of ["mount-s3", "s3-mounts", "team-a", "team-b"]) await kubectl(["create", "namespace", namespace]);
  await apply(await chart.render());
}
test.after(async () => controlPlane.stop());

for (const [name, values] of Object.entries(variants)) {
  test(`strict server-side validation: ${name}`, async () => {
    await apply(await chart.render(values), "--dry-run=server");
  });
}

test("the API server knows every kind but the Prometheus operator's", async () => {
  const withMonitors = await chart.render({ metrics: { serviceMonitor: { enabled: true, labels: { release: "prometheus" } } } });
  const monitors = withMonitors.filter((object) => object.apiVersion.startsWith("monitoring.coreos.com"));
  assert.equal(monitors.map((object) => `${object.kind} ${object.metadata.name}`), ["PodMonitor s3-csi-mountpoint-pods", "ServiceMonitor s3-csi-controller", "ServiceMonitor s3-csi-node"]);
  assert.ok(monitors.every((object) => object.metadata.labels?.release === "prometheus"));
  await apply(
    withMonitors.filter((object) => !monitors.includes(object)),
    "--dry-run=server",
  );
});

test("kubectl explain describes the attachment", async () => {
  assert.match(await kubectl(["explain", "mountpoints3podattachment.spec.mountpointS3PodAttachments"]), /DESCRIPTION:\n +\S+/);
});

for (const [account, rows] of [["s3-csi-driver-controller-sa", controllerRows], ["s3-csi-driver-sa", nodeRows]] as const) {
  test(`auth can-i matrix of ${account}: ${rows.length} questions`, async () => {
    const answers = await ask(`system:serviceaccount:kube-system:${account}`, rows);
    const wrong = rows.filter((row, index) => answers[index] !== row.allowed);
    assert.equal(wrong.map(describe), []);
  });
}

test("secrets of named namespaces only, when the chart is told so", async () => {
  await apply(await chart.render({ controller: { secretNamespaces: ["team-a"], serviceAccount: { name: "narrow" } } }));
  // The wide role belongs to the first installation; helm would delete it in an upgrade.
  await kubectl(["delete", "clusterrolebinding", "s3-csi-driver-provisioner-secrets"]);
  const secrets = { resource: "secrets", verb: "get" };
  const answers = await ask("system:serviceaccount:kube-system:narrow", [
    { ...secrets, namespace: "team-a", allowed: true },
    { ...secrets, namespace: "team-b", allowed: false },
  ]);
  assert.equal(answers, [true, false]);
  await apply(await chart.render());
});

test("a node's token changes its own node only, and there only the start-up taint", async () => {
  const ours = { key: "s3.csi.scality.com/agent-not-ready", effect: "NoExecute" };
  for (const name of ["node-a", "node-b"]) await create({ apiVersion: "v1", kind: "Node", metadata: { name }, spec: { taints: [ours] } });
  // The API server has added one of its own: not-ready.
  const taints = JSON.parse(await kubectl(["get", "node", "node-a", "-o", "jsonpath={.spec.taints}"])) as { key: string; effect: string }[];
  const others = taints.filter((taint) => taint.key !== ours.key);
  assert.is(others.length, 1);
  await create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "s3-csi-node-x", namespace: "kube-system" },
    spec: { serviceAccountName: "s3-csi-driver-sa", nodeName: "node-a", containers: [{ name: "s3-plugin", image: "x" }] },
  });
  const token = (
    await kubectl(["-n", "kube-system", "create", "token", "s3-csi-driver-sa", "--bound-object-kind=Pod", "--bound-object-name=s3-csi-node-x"])
  ).trim();
  const asNode = ["--kubeconfig=/dev/null", `--server=${controlPlane.url}`, `--token=${token}`, "--insecure-skip-tls-verify"];
  const patch = (node: string, body: unknown) => complaint(kubectl([...asNode, "patch", "node", node, "--type=merge", "--patch", JSON.stringify(body)]));
  // The policy is compiled some moments after it was created.
  for (let labels = 0; !(await patch("node-b", { metadata: { labels: { tried: String(labels) } } })); labels++) {
    assert.ok(labels < 100, "the policy does not take effect");
    await delay(100, undefined, { signal });
  }
  assert.match(await patch("node-b", { spec: { taints: others } }), /may change the node it runs on only/);
  assert.match(await patch("node-a", { metadata: { labels: { evil: "yes" } } }), /nothing of its node but the start-up taint/);
  assert.match(await patch("node-a", { spec: { unschedulable: true } }), /nothing of its node but the start-up taint/);
  assert.match(await patch("node-a", { spec: { taints: [ours] } }), /its own start-up taint/);
  assert.match(await patch("node-a", { spec: { taints: [...taints, { key: "more", effect: "NoSchedule" }] } }), /its own start-up taint/);
  assert.is(await patch("node-a", { spec: { taints: others } }), "");
});

test.run();

async function apply(objects: readonly KubernetesObject[], ...flags: string[]): Promise<void> {
  await kubectl(["apply", "--server-side", "--force-conflicts", "--validate=strict", ...flags, "-f", "-"], { input: list(objects) });
}

async function create(object: unknown): Promise<void> {
  await kubectl(["create", "-f", "-"], { input: JSON.stringify(object) });
}

function list(items: readonly unknown[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

async function ask(user: string, rows: readonly Row[]): Promise<boolean[]> {
  const reviews = rows.map(({ allowed: _, ...resourceAttributes }) => ({
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: { user, groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"], resourceAttributes },
  }));
  const answers = await kubectl(["create", "-f", "-", "-o", 'jsonpath={.status.allowed}{"\\n"}'], { input: list(reviews) });
  return answers.trim().split("\n").map((answer) => answer === "true");
}

function describe(row: Row): string {
  const what = [row.group, row.resource, row.subresource].filter(Boolean).join("/");
  return `${row.verb} ${what} in ${row.namespace ?? "any namespace"}: should be ${row.allowed ? "allowed" : "denied"}`;
}

/** What a command complained about; nothing when it worked. */
async function complaint(command: Promise<unknown>): Promise<string> {
  return command.then(
    () => "",
    (thrown: Error) => thrown.message,
  );
}
