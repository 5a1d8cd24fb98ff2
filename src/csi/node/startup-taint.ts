// Takes the taint s3.csi.scality.com/agent-not-ready off this node once kubelet knows the driver, so that no workload is
// scheduled here before its volumes can be mounted.
import { sleep } from "../../core/backoff.ts";
import { explain, hasCode } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { driverName } from "../../core/version.ts";
import type { KubeClient } from "../../kube/client.ts";
import { Informer } from "../../kube/informer.ts";
import { csiNodes, nodes } from "../../kube/resources.ts";
import { agentNotReadyTaint } from "../names.ts";

export interface StartupTaintOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly log: Logger;
}

const watchMs = 10 * 60_000;
const attempts = 8;

/** Never throws; ends by itself when the driver was registered and the taint is gone, or after ten minutes. */
export async function removeStartupTaint(options: StartupTaintOptions, signal: AbortSignal): Promise<void> {
  const { log } = options;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(watchMs)]);
  try {
    await registered(options, limit);
    for (let attempt = 0; ; attempt++) {
      try {
        if (await removeOnce(options, limit)) log.info("startup taint removed", { taint: agentNotReadyTaint });
        return;
      } catch (error) {
        // Somebody changed the taints between the look and the patch.
        if (
          attempt >= attempts ||
          !hasCode(error, "Conflict", "FailedPrecondition", "InvalidArgument", "Unavailable", "Throttled", "Unreachable")
        )
          throw error;
        await sleep(Math.min(10_000, 500 * 2 ** attempt), limit);
      }
    }
  } catch (error) {
    if (!signal.aborted) log.warn("the startup taint could not be removed", { taint: agentNotReadyTaint, reason: explain(error) });
  }
}

async function registered({ client, nodeName, log }: StartupTaintOptions, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const informer = new Informer({ client, resource: csiNodes, log, fieldSelector: `metadata.name=${nodeName}`, slim: (node) => node });
  const running = informer.run(AbortSignal.any([signal, stop.signal]));
  try {
    await informer.until((store) => store.get(nodeName)?.spec.drivers?.some(({ name }) => name === driverName) || undefined, signal);
  } finally {
    stop.abort();
    await running;
  }
}

/** The test makes the patch fail when another taint took its place. */
async function removeOnce({ client, nodeName }: StartupTaintOptions, signal: AbortSignal): Promise<boolean> {
  const node = await client.get(nodes, { name: nodeName }, { signal });
  const taints = node.spec?.taints ?? [];
  const kept = taints.filter(({ key }) => key !== agentNotReadyTaint);
  if (kept.length === taints.length) return false;
  const patch = [
    { op: "test", path: "/spec/taints", value: taints },
    { op: "replace", path: "/spec/taints", value: kept },
  ];
  await client.jsonPatch(nodes, { name: nodeName }, patch, { signal });
  return true;
}
