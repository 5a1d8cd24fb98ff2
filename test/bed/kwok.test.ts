import { test } from "uvu";
import * as assert from "uvu/assert";
import { runTool } from "../../scripts/tools/run-tool.ts";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { startControlPlane } from "./control-plane.ts";
import { startKwok } from "./kwok.ts";

test("a node that does not exist gets Ready and runs a pod", async () => {
  for (const name of ["etcd", "kube-apiserver", "kwok"] as const) await ensureTool(name);
  const kubectl = await ensureTool("kubectl");
  const signal = AbortSignal.timeout(90_000);
  await using plane = await startControlPlane({ signal });
  await using _kwok = await startKwok({ kubeconfig: plane.kubeconfig, signal });
  const kube = (...args: string[]) => runTool(kubectl, ["--kubeconfig", plane.kubeconfig, ...args], { signal });
  await kube("create", "-f", `${import.meta.dirname}/fake-node.json`);
  await kube("wait", "--for=condition=Ready", "node/fake", "--timeout=30s");
  await kube("run", "probe", "--image=none", '--overrides={"spec":{"nodeName":"fake"}}');
  await kube("wait", "--for=condition=Ready", "pod/probe", "--timeout=30s");
  assert.is(await kube("get", "pod", "probe", "-o", "jsonpath={.status.phase}"), "Running");
});

test.run();
