// Ends the cluster and whatever a crashed one left: one process, its cgroups, its folders. Nothing else is touched.
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { withFileLock } from "../tools/file-lock.ts";
import { removeCgroups } from "./cgroups.ts";
import { type ClusterLayout, clusterLayout, nodeLayout } from "./layout.ts";
import { endRecordedProcess } from "./process-record.ts";

export interface ClusterDownOptions {
  readonly signal?: AbortSignal;
}

/** False when nothing ran. */
export async function clusterDown(options: ClusterDownOptions = {}): Promise<boolean> {
  const layout = clusterLayout();
  await mkdir(path.dirname(layout.lock), { recursive: true });
  return withFileLock(layout.lock, options, () => takeDown(layout, options.signal));
}

/** For callers that hold the lock. */
export async function takeDown(layout: ClusterLayout, signal?: AbortSignal): Promise<boolean> {
  // The first process of the pid namespace: the kernel ends all others with it (those of a second node too, whose namespace lies
  // within this one), and the mounts go with their last process.
  const ended = await endRecordedProcess(nodeLayout(0, layout).process, signal);
  const left = await removeCgroups(layout.cgroup, signal);
  await rm(layout.run, { recursive: true, force: true });
  if (left.length > 0) throw new Error(`These cgroups could not be removed: ${left.join(", ")}`);
  return ended;
}
