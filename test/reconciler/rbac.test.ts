// Least privilege: the reconciler does its whole work as the service account that the chart makes, and that account can touch
// pods in the Mountpoint namespace only.
import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseAllDocuments } from "yaml";
import { hasCode } from "../../src/core/errors.ts";
import { KubeClient } from "../../src/kube/client.ts";
import type { KubeObject } from "../../src/kube/resource.ts";
import { events, pods, secrets } from "../../src/kube/resources.ts";
import { NodeActor } from "./node-actor.ts";
import { eventually, forceDelete, listAttachments, listMountpointPods, makeVolume, makeWorkload, mountNamespace, type Scene, setPhase, startReconciler, startScene } from "./scene.ts";

let scene: Scene;

test.before(async () => {
  scene = await startScene(AbortSignal.timeout(200_000));
});

test.after(async () => {
  await scene?.stop();
});

test("with the chart's own rules the reconciler attaches, tells, heals and cleans up, led by a lease", async () => {
  const { client, plane } = scene;
  const connection = await serviceAccount();
  const denied: string[] = [];
  const observe = (method: string, path: string, status: number) => void (status === 403 && denied.push(`${method} ${path}`));
  const running = startReconciler(plane, { leaderElection: true, leaseNamespace: "kube-system", leaseDurationMs: 10_000 }, { connection, observe });
  const actor = new NodeActor(client);
  try {
    await makeVolume(client, "data");
    await makeWorkload(client, "w", { claims: ["data"], node: "node-1" });
    await eventually(async () => assert.is((await client.get(pods, { name: "w", namespace: "default" })).status?.phase, "Running"));
    await eventually(async () => assert.is((await listAttachments(client))[0]?.status?.conditions?.[0]?.status, "True"));
    const [mountpoint] = await listMountpointPods(client);
    await setPhase(client, mountpoint?.metadata?.name ?? "", "Failed", mountNamespace, { reason: "Evicted", message: "full" });
    await eventually(async () => {
      assert.is.not((await listMountpointPods(client))[0]?.metadata?.uid, mountpoint?.metadata?.uid);
      assert.ok((await client.list(events, { namespace: "default" })).items.length > 0);
    });
    await forceDelete(client, "w");
    await eventually(async () => assert.is((await listMountpointPods(client)).length + (await listAttachments(client)).length, 0));
  } finally {
    await actor.stop();
    await running.stop();
  }
  assert.equal(denied, []);
});

test("outside the Mountpoint namespace it can read pods and nothing more", async () => {
  const { client } = scene;
  const account = new KubeClient(await serviceAccount());
  const victim = await makeWorkload(client, "victim", { claims: ["data"] });
  const attempts = {
    create: () => account.create(pods, { metadata: { name: "own", namespace: "default" }, spec: { containers: [{ name: "a", image: "a" }] } }),
    delete: () => account.delete(pods, { name: "victim", namespace: "default" }),
    patch: () => account.patch(pods, { name: "victim", namespace: "default" }, { metadata: { labels: { a: "b" } } }),
    "patch status": () => account.patch(pods, { name: "victim", namespace: "default" }, { status: { phase: "Failed" } }, { subresource: "status" }),
    "read secrets": () => account.list(secrets, { namespace: "default" }),
  };
  for (const [what, attempt] of Object.entries(attempts)) {
    let refused = false;
    await attempt().catch((error) => {
      refused = hasCode(error, "AccessDenied");
    });
    assert.ok(refused, what);
  }
  assert.is((await account.get(pods, { name: "victim", namespace: "default" })).metadata?.uid, victim.metadata?.uid);
  account.close();
});

test.run();

/** The chart's account with the chart's rules, and a token for it. */
async function serviceAccount() {
  const { client, plane } = scene;
  const template = await readFile(new URL("../../chart/templates/rbac-controller.yaml", import.meta.url), "utf8");
  const text = template
    .replaceAll("{{ .Release.Namespace }}", "kube-system")
    .replaceAll("{{ .Values.mountpointPod.namespace }}", mountNamespace)
    .replaceAll("{{ .Values.controller.serviceAccount.name }}", "reconciler")
    // What stands between {{- if }} and {{- end }} belongs to options that are off by default.
    .replaceAll(/^\s*\{\{-? if [\s\S]*?\{\{-? end \}\}$/gm, "")
    .replaceAll(/^\s*(labels:\s*)?\n?\s*\{\{.*\}\}$/gm, "");
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as KubeObject | null;
    if (object) await put(object, plural(object.kind ?? ""));
  }
  await put({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "reconciler", namespace: "kube-system" } }, "serviceaccounts");
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 3_600 } };
  const answer = (await client.transport.json("POST", "/api/v1/namespaces/kube-system/serviceaccounts/reconciler/token", { body: request })) as { status: { token: string } };
  return { server: new URL(plane.url), tls: { ca: plane.admin.ca }, headers: async () => ({ authorization: `Bearer ${answer.status.token}` }) };
}

async function put(object: KubeObject, kinds: string): Promise<void> {
  const resource = { apiVersion: object.apiVersion ?? "", kind: object.kind ?? "", plural: kinds, namespaced: object.metadata?.namespace !== undefined };
  await scene.client.create(resource, object).catch((error) => {
    if (!hasCode(error, "AlreadyExists")) throw error;
  });
}

function plural(kind: string): string {
  return `${kind.toLowerCase()}s`;
}
