// Why a Mountpoint Pod is not ready, in words for the person who reads the workload's events.
import type { Pod } from "../../../kube/resources.ts";

/** Undefined when it runs. */
export function whyNotRunning(pod: Pod | undefined): string | undefined {
  if (!pod) return "it does not exist (yet)";
  const { status, metadata } = pod;
  if (metadata?.deletionTimestamp) return "it is being deleted";
  if (status?.phase === "Failed" || status?.phase === "Succeeded") {
    return `it has ended (${[status.phase, status.reason, status.message].filter(Boolean).join(": ")})${ofContainers(pod)}`;
  }
  if (status?.phase === "Running") {
    const waiting = waitingContainer(pod);
    return waiting ? `its container does not run: ${waiting}` : undefined;
  }
  const scheduled = status?.conditions?.find((condition) => condition.type === "PodScheduled");
  if (scheduled?.status === "False") return `it cannot be scheduled: ${[scheduled.reason, scheduled.message].filter(Boolean).join(": ")}`;
  const waiting = waitingContainer(pod);
  if (waiting) return `it is pending: ${waiting}`;
  return `it is pending: ${[status?.reason, status?.message].filter(Boolean).join(": ") || "kubelet has not started it yet"}`;
}

export function isRunning(pod: Pod | undefined): boolean {
  return pod?.status?.phase === "Running" && !pod.metadata?.deletionTimestamp;
}

/** It will not come up again by itself; waiting longer is pointless. */
export function hasEnded(pod: Pod | undefined): boolean {
  return pod?.status?.phase === "Failed" || pod?.status?.phase === "Succeeded";
}

function waitingContainer(pod: Pod): string | undefined {
  const containers = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  for (const { name, state, lastState } of containers) {
    const waiting = state?.waiting;
    if (!waiting || waiting.reason === "PodInitializing" || waiting.reason === "ContainerCreating") continue;
    const before = lastState?.terminated;
    const last = before ? `; it last ended with code ${before.exitCode}${before.message ? `: ${before.message.trim()}` : ""}` : "";
    return `container ${name}: ${[waiting.reason, waiting.message].filter(Boolean).join(": ")}${last}`;
  }
  return undefined;
}

function ofContainers(pod: Pod): string {
  const ended = (pod.status?.containerStatuses ?? []).map(({ state }) => state?.terminated).find((terminated) => terminated !== undefined);
  return ended ? `; exit code ${ended.exitCode}${ended.message ? `: ${ended.message.trim()}` : ""}` : "";
}
