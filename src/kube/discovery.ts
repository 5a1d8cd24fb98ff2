// What kind of cluster this is.
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "../core/errors.ts";
import type { KubeClient } from "./client.ts";

/** OpenShift gives out users and groups itself, and refuses pods that name their own. Asks until the API server answers. */
export async function isOpenShift(client: KubeClient, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    try {
      await client.transport.json("GET", "/apis/config.openshift.io", { signal });
      return true;
    } catch (error) {
      if (hasCode(error, "NotFound", "AccessDenied")) return false;
      await delay(1_000, undefined, { signal });
    }
  }
}
