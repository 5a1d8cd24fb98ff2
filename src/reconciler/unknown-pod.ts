// A Mountpoint Pod of the driver before this one that no attachment names: nothing tells its sharing key, so it has no plan.
// It can only have been left over.
import type { ReconcileContext, ReconcileResult } from "../runtime/runner.ts";
import { type Applier, apply } from "./apply.ts";
import { plan } from "./plan.ts";

const noKey = { nodeName: "", persistentVolumeName: "", volumeID: "", mountOptions: "", workloadFSGroup: "" };

export async function retireUnknownPod(applier: Applier, name: string, staleThresholdMs: number, context: ReconcileContext): Promise<ReconcileResult> {
  const pod = applier.view.mountpointPod(name);
  if (!pod || applier.view.keysOfMountpointPod(pod).length > 0) return {};
  const { driverVersion, now } = applier;
  const seen = { key: noKey, attachments: [], pods: new Map([[name, pod]]), workloads: new Map(), notBefore: new Map() };
  await apply(applier, noKey, plan({ ...seen, driverVersion, staleThresholdMs, now: now() }).actions, context);
  return {};
}
