// What a volume may ask of its Mountpoint Pod: resources and a cache. Its own attributes come before the settings.
import type { ReconcilerSettings } from "../../generated/settings/reconciler.ts";
import { volumeAttributes } from "./names.ts";
import type { Volume } from "./observed-volumes.ts";

type ResourceSettings = Pick<ReconcilerSettings, "mountpointRequestsCpu" | "mountpointRequestsMemory" | "mountpointLimitsCpu" | "mountpointLimitsMemory">;
type CacheSettings = Pick<ReconcilerSettings, "mountpointCacheMedium" | "mountpointCacheSizeLimit">;

export function containerResources(settings: ResourceSettings, attributes: Readonly<Record<string, string>>) {
  const { requestsCpu, requestsMemory, limitsCpu, limitsMemory } = volumeAttributes;
  // A volume that sets a limit alone means it as the request too, as Kubernetes does; our default might lie above it.
  const request = (own: string, limit: string, fallback: string) => attributes[own] || (attributes[limit] ? "" : fallback);
  return {
    requests: present({
      cpu: request(requestsCpu, limitsCpu, settings.mountpointRequestsCpu),
      memory: request(requestsMemory, limitsMemory, settings.mountpointRequestsMemory),
    }),
    limits: present({
      cpu: attributes[limitsCpu] || settings.mountpointLimitsCpu,
      memory: attributes[limitsMemory] || settings.mountpointLimitsMemory,
    }),
  };
}

/** An emptyDir when the volume has the mount option `cache`, whatever path that names; it ends with the pod. */
export function cacheVolume(settings: CacheSettings, volume: Volume | undefined) {
  if (!volume || optionValue(volume.mountOptions, "cache") === undefined) return undefined;
  const medium = volume.attributes[volumeAttributes.cacheMedium] || (settings.mountpointCacheMedium === "memory" ? "Memory" : "");
  const sizeLimit = volume.attributes[volumeAttributes.cacheSizeLimit] || settings.mountpointCacheSizeLimit;
  return { name: "cache", emptyDir: { ...(medium ? { medium } : {}), ...(sizeLimit ? { sizeLimit } : {}) } };
}

/** mount-s3's options stand with or without dashes, and with a blank or "=" before the value. */
function optionValue(options: readonly string[], name: string): string | undefined {
  for (const option of options) {
    const [, key, value = ""] = /^\s*(?:--)?([^\s=]+)(?:[\s=]\s*(.*?))?\s*$/.exec(option) ?? [];
    if (key === name) return value;
  }
  return undefined;
}

function present(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}
