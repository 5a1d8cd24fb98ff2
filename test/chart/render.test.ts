// What helm itself can say about the chart, without a cluster.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { Chart, chartFolder, find, type KubernetesObject, type Values } from "./chart.ts";
import { variants } from "./variants.ts";

const chart = await Chart.open(AbortSignal.timeout(600_000));

for (const [name, values] of Object.entries(variants)) {
  test(`helm lint --strict: ${name}`, async () => {
    assert.match(await chart.lint(values), /0 chart\(s\) failed/);
  });
}

test("the topology of the documents: names, containers, labels", async () => {
  const objects = await chart.render();
  const controller = find(objects, "Deployment", "s3-csi-controller");
  const node = find(objects, "DaemonSet", "s3-csi-node");
  assert.equal(containers(controller), ["s3-csi-controller", "s3-pod-reconciler", "csi-provisioner"]);
  assert.equal(containers(node), ["s3-plugin", "node-driver-registrar", "liveness-probe"]);
  assert.is(controller.spec.replicas, 1);
  assert.equal(controller.spec.selector.matchLabels, {
    app: "s3-csi-controller",
    "app.kubernetes.io/name": "scality-mountpoint-s3-csi-driver",
    "app.kubernetes.io/instance": "s3",
  });
  assert.is(node.spec.selector.matchLabels.app, "s3-csi-node");
  assert.is(node.spec.template.spec.priorityClassName, "system-node-critical");
  assert.is(controller.spec.template.spec.priorityClassName, "system-cluster-critical");
  const driver = find(objects, "CSIDriver", "s3.csi.scality.com");
  assert.is(driver.spec.attachRequired, false);
  assert.is(driver.spec.podInfoOnMount, true);
  assert.is(driver.spec.requiresRepublish, true);
  const labels = find(objects, "Namespace", "mount-s3").metadata.labels;
  for (const mode of ["enforce", "audit", "warn"]) assert.is(labels?.[`pod-security.kubernetes.io/${mode}`], "restricted");
  assert.equal(
    objects.filter((object) => object.kind === "PriorityClass").map((object) => [object.metadata.name, object.value, object.preemptionPolicy]),
    [
      ["mount-s3-critical", 1000000000, "Never"],
      ["mount-s3-preempting", 999999999, "PreemptLowerPriority"],
      ["mount-s3-headroom", -10, "Never"],
    ],
  );
});

test("built-in registration saves two containers on every node", async () => {
  const node = find(await chart.render({ node: { builtinRegistration: true } }), "DaemonSet");
  assert.equal(containers(node), ["s3-plugin"]);
  assert.is(env(node, "s3-plugin").BUILTIN_REGISTRATION, "true");
  assert.ok(container(node, "s3-plugin").volumeMounts.some((mount: { mountPath: string }) => mount.mountPath === "/registration"));
});

test("no key of S3 is ever put into an environment", async () => {
  const text = await chart.renderText();
  assert.not.match(text, /secretKeyRef|AWS_SECRET_ACCESS_KEY|AWS_ACCESS_KEY_ID/);
});

test("every container but the node's is restricted", async () => {
  const controller = find(await chart.render(), "Deployment");
  for (const { name, securityContext } of controller.spec.template.spec.containers) {
    assert.is(securityContext.runAsNonRoot, true, name);
    assert.is(securityContext.allowPrivilegeEscalation, false, name);
    assert.is(securityContext.readOnlyRootFilesystem, true, name);
    assert.equal(securityContext.capabilities.drop, ["ALL"], name);
  }
});

test("the CRD is the one in crds/, kept on uninstall unless told otherwise", async () => {
  const source = await readFile(path.join(chartFolder, "../crds/mountpoints3podattachments.yaml"), "utf8");
  const packed = await readFile(path.join(chartFolder, "files/crds/mountpoints3podattachments.yaml"), "utf8");
  assert.ok(packed.endsWith(source));
  const kept = find(await chart.render(), "CustomResourceDefinition");
  assert.is(kept.metadata.annotations?.["helm.sh/resource-policy"], "keep");
  const going = find(await chart.render({ cleanupCRDOnUninstall: true }), "CustomResourceDefinition");
  assert.is(going.metadata.annotations?.["helm.sh/resource-policy"], undefined);
});

test("values.yaml holds the documented defaults, every one of them", async () => {
  const { settings } = JSON.parse(await readFile(path.join(chartFolder, "../codegen/settings.schema.json"), "utf8")) as { settings: Setting[] };
  const values = parse(await readFile(path.join(chartFolder, "values.yaml"), "utf8"));
  const wrong: string[] = [];
  for (const { name, helm, helmDefault, default: byDefault, components, optional } of settings) {
    const at = helm ?? (components.includes("chart") ? name : undefined);
    if (at === undefined || optional) continue;
    const found = at.split(".").reduce((value, key) => value?.[key], values);
    const expected = helmDefault ?? byDefault;
    if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push(`${at}: ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`);
  }
  assert.equal(wrong, []);
});

test("legacy names of endpoint and region win over the new ones", async () => {
  const node = find(await chart.render(variants["a values file of the chart before"]), "DaemonSet");
  assert.is(env(node, "s3-plugin").AWS_ENDPOINT_URL, "https://s3.old.example.com");
  assert.is(env(node, "s3-plugin").AWS_REGION, "eu-west-1");
  assert.is(env(node, "s3-plugin").LOG_LEVEL, "debug");
});

test("Mountpoint Pods get the driver's image, wherever it comes from", async () => {
  const controller = find(await chart.render(variants["private registry"]), "Deployment");
  const { image } = container(controller, "s3-pod-reconciler");
  assert.match(image, /^registry\.example\.com\/[^:]+:9$/);
  assert.is(env(controller, "s3-pod-reconciler").MOUNTPOINT_IMAGE, image);
});

const refused: readonly { title: string; values: Values; says: RegExp }[] = [
  { title: "an unknown value", values: { s3: { endpoint: "http://x" } }, says: /endpoint/ },
  { title: "a misspelt section", values: { nodes: {} }, says: /nodes/ },
  { title: "a number where a name belongs", values: { mountpointPod: { namespace: 5 } }, says: /mountpointPod.*namespace|namespace.*string/s },
  { title: "a pull policy that does not exist", values: { image: { pullPolicy: "Sometimes" } }, says: /pullPolicy/ },
  { title: "an endpoint without a scheme", values: { s3: { endpointUrl: "s3.example.com" } }, says: /endpointUrl/ },
  { title: "an empty endpoint", values: { s3: { endpointUrl: "" } }, says: /endpointUrl/ },
  { title: "a port out of range", values: { node: { healthPort: 70000 } }, says: /healthPort/ },
  { title: "pull secrets as objects", values: { imagePullSecrets: [{ name: "x" }] }, says: /imagePullSecrets/ },
];
for (const { title, values, says } of refused) {
  test(`refused with its name: ${title}`, async () => {
    try {
      await chart.render(values);
    } catch (thrown) {
      assert.match((thrown as Error).message, says);
      return;
    }
    assert.unreachable("helm took it");
  });
}

test.run();

interface Setting {
  readonly name: string;
  readonly components: readonly string[];
  readonly helm?: string;
  readonly helmDefault?: unknown;
  readonly default?: unknown;
  readonly optional?: boolean;
}

function containers(workload: KubernetesObject): string[] {
  return workload.spec.template.spec.containers.map((each: { name: string }) => each.name);
}

function container(workload: KubernetesObject, name: string) {
  return workload.spec.template.spec.containers.find((each: { name: string }) => each.name === name);
}

function env(workload: KubernetesObject, name: string): Record<string, string> {
  return Object.fromEntries(container(workload, name).env.map((each: { name: string; value: string }) => [each.name, each.value]));
}
