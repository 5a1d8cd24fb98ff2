import { test } from "uvu";
import * as assert from "uvu/assert";
import { DriverError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import { KubeClient } from "../../src/kube/client.ts";
import { EventRecorder } from "../../src/kube/event-recorder.ts";
import { configMaps, events, namespaces } from "../../src/kube/resources.ts";
import { type ControlPlane, startControlPlane } from "../bed/control-plane.ts";

let plane: ControlPlane;
let client: KubeClient;

test.before(async () => {
  plane = await startControlPlane({ signal: AbortSignal.timeout(240_000) });
  client = await KubeClient.connect({ kubeconfig: plane.kubeconfig });
});

test.after(async () => {
  client?.close();
  await plane?.stop();
});

const config = (name: string, data: Record<string, string> = {}) => ({ metadata: { name, namespace: "default" }, data });

test("create, get, patch, replace, list and delete", async () => {
  const made = await client.create(configMaps, config("one", { a: "1" }));
  assert.is((await client.get(configMaps, { name: "one", namespace: "default" })).metadata?.uid, made.metadata?.uid);
  const patched = await client.patch(configMaps, { name: "one", namespace: "default" }, { data: { a: null, b: "2" } });
  assert.equal(patched.data, { b: "2" });
  const replaced = await client.replace(configMaps, { ...patched, data: { c: "3" } });
  assert.equal(replaced.data, { c: "3" });
  const page = await client.list(configMaps, { namespace: "default", fieldSelector: "metadata.name=one" });
  assert.is(page.items.length, 1);
  await client.delete(configMaps, { name: "one", namespace: "default" });
  assert.is(await codeOf(client.get(configMaps, { name: "one", namespace: "default" })), "NotFound");
});

test("what was changed meanwhile is a Conflict, on every verb", async () => {
  const made = await client.create(configMaps, config("pre"));
  await client.patch(configMaps, { name: "pre", namespace: "default" }, { data: { x: "1" } });
  const stale = made.metadata?.resourceVersion;
  assert.is(await codeOf(client.replace(configMaps, made)), "Conflict");
  assert.is(await codeOf(client.patch(configMaps, { name: "pre", namespace: "default" }, { metadata: { resourceVersion: stale } })), "Conflict");
  assert.is(await codeOf(client.delete(configMaps, { name: "pre", namespace: "default" }, { resourceVersion: stale })), "Conflict");
  assert.is(await codeOf(client.delete(configMaps, { name: "pre", namespace: "default" }, { uid: "another" })), "Conflict");
  await client.delete(configMaps, { name: "pre", namespace: "default" }, { uid: made.metadata?.uid });
});

test("the API server's refusals become error codes", async () => {
  await client.create(configMaps, config("twice"));
  assert.is(await codeOf(client.create(configMaps, config("twice"))), "AlreadyExists");
  assert.is(await codeOf(client.create(configMaps, config("Not A Name"))), "InvalidArgument");
  const nobody = new KubeClient({ server: new URL(plane.url), tls: { ca: plane.admin.ca }, headers: async () => ({}) });
  assert.is(await codeOf(nobody.get(namespaces, { name: "default" })), "AccessDenied");
  const liar = new KubeClient({ server: new URL(plane.url), tls: { ca: plane.admin.ca }, headers: async () => ({ authorization: "Bearer x" }) });
  assert.is(await codeOf(liar.get(namespaces, { name: "default" })), "BadCredentials");
  const untrusting = new KubeClient({ server: new URL(plane.url), tls: {}, headers: async () => ({}) });
  assert.is(await codeOf(untrusting.get(namespaces, { name: "default" })), "TlsUntrusted");
  const deaf = new KubeClient({ server: new URL("http://127.0.0.1:1"), tls: {}, headers: async () => ({}) });
  assert.is(await codeOf(deaf.get(namespaces, { name: "default" })), "Unreachable");
  for (const other of [nobody, liar, untrusting, deaf]) other.close();
});

test("an abort ends a request with the caller's reason", async () => {
  const reason = new DriverError("Cancelled", "enough");
  assert.is(await codeOf(client.get(namespaces, { name: "default" }, { signal: AbortSignal.abort(reason) })), "Cancelled");
});

test("server-side apply creates, merges and owns its fields only", async () => {
  const applied = await client.apply(configMaps, config("applied", { ours: "1" }), { fieldManager: "us" });
  assert.equal(applied.data, { ours: "1" });
  await client.apply(configMaps, config("applied", { theirs: "2" }), { fieldManager: "them" });
  const again = await client.apply(configMaps, config("applied", {}), { fieldManager: "us" });
  assert.equal(again.data, { theirs: "2" }, "what we no longer apply goes, what others applied stays");
  const gone = { ...config("never-made"), metadata: { name: "never-made", namespace: "default", uid: "00000000-0000-0000-0000-000000000000" } };
  assert.is(await codeOf(client.apply(configMaps, gone)), "Conflict", "with a uid it never creates");
});

test("the same event counts up, and a noisy object is held back", async () => {
  let now = Date.now();
  const recorder = new EventRecorder({ client, log: silentLogger, component: "test", instance: "here", now: () => now, repeatMs: 1_000, burst: 3 });
  const subject = { apiVersion: "v1", kind: "Pod", name: "p", namespace: "default", uid: "u-1" };
  const waiting = { type: "Warning", reason: "Waiting", message: "for something" } as const;
  assert.is(await recorder.record(subject, waiting), true);
  assert.is(await recorder.record(subject, waiting), false, "too soon");
  now += 1_001;
  assert.is(await recorder.record(subject, waiting), true);
  const written = (await client.list(events, { namespace: "default", fieldSelector: "involvedObject.uid=u-1" })).items;
  assert.is(written.length, 1);
  assert.is(written[0]?.count, 2);
  assert.is(await recorder.record(subject, { ...waiting, message: "other" }), true);
  assert.is(await recorder.record(subject, { ...waiting, message: "flood" }), false, "the bucket is empty");
  const successor = new EventRecorder({ client, log: silentLogger, component: "test", instance: "there" });
  assert.is(await successor.record(subject, waiting), true);
  assert.is((await client.list(events, { namespace: "default", fieldSelector: "involvedObject.uid=u-1" })).items.length, 2, "a second recorder meets the first one's event");
});

test.run();

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof DriverError ? error.code : `not a DriverError: ${error}`;
  }
  return "no error";
}
