import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { request } from "node:https";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";

const run = promisify(execFile);
let kubectl: string;
let plane: ControlPlane;

test.before(async () => {
  for (const name of ["etcd", "kube-apiserver"] as const) await ensureTool(name);
  kubectl = await ensureTool("kubectl");
  plane = await startControlPlane({ signal: AbortSignal.timeout(120_000) });
});
test.after(() => plane?.stop());

test("kubectl works with the kubeconfig", async () => {
  assert.match(await kube("get", "namespaces", "-o", "name"), /namespace\/kube-system/);
});

test("pods can be created without a controller-manager", async () => {
  await kube("run", "probe", "--image=none", "--restart=Never");
  assert.match(await kube("get", "pods", "-o", "name"), /pod\/probe/);
});

test("objects outlive a kill and a restart of the API server", async () => {
  await kube("create", "configmap", "kept", "--from-literal=a=b");
  const before = plane.apiServerPid();
  await plane.killApiServer();
  assert.not.ok(existsSync(`/proc/${before}`));
  await plane.restartApiServer();
  assert.is(await kube("get", "configmap", "kept", "-o", "jsonpath={.data.a}"), "b");
});

test("after compaction and a restart an old resource version is gone", async () => {
  const old = await kube("get", "configmap", "kept", "-o", "jsonpath={.metadata.resourceVersion}");
  await kube("create", "configmap", "later");
  await plane.compact();
  await plane.restartApiServer();
  const answer = await get(`/api/v1/configmaps?watch=true&timeoutSeconds=5&resourceVersion=${old}`);
  assert.match(answer, /"code":410/);
});

test("stop leaves no process", async () => {
  const pids = [plane.apiServerPid(), plane.etcd.process.pid];
  await plane.stop();
  assert.equal(
    pids.filter((pid) => existsSync(`/proc/${pid}`)),
    [],
  );
});

async function kube(...args: string[]): Promise<string> {
  return (await run(kubectl, ["--kubeconfig", plane.kubeconfig, ...args], { timeout: 30_000 })).stdout;
}

function get(path: string): Promise<string> {
  const { server, ...identity } = plane.admin;
  return new Promise((resolve, reject) => {
    request(`${server}${path}`, { ...identity, agent: false, timeout: 10_000 }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve(text));
    })
      .on("error", reject)
      .end();
  });
}

test.run();
