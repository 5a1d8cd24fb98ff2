// The process whose memory the informer test measures: an informer on all pods, and workers on its keys. Answers over IPC.
import { readFileSync } from "node:fs";
import { silentLogger } from "../../src/core/log.ts";
import { KubeClient } from "../../src/kube/client.ts";
import { Informer } from "../../src/kube/informer.ts";
import type { KubeObject } from "../../src/kube/resource.ts";
import { type Pod, pods } from "../../src/kube/resources.ts";
import { runWorkers } from "../../src/runtime/runner.ts";
import { WorkQueue } from "../../src/runtime/work-queue.ts";
import type { AdminClientConfig } from "../bed/control-plane.ts";

export interface InformerReport {
  readonly objects: number;
  /** The resource version of each key in the store, and as the workers saw it last. */
  readonly store: Readonly<Record<string, string>>;
  readonly processed: Readonly<Record<string, string>>;
  /** Keys that two workers held at the same time. */
  readonly overlaps: number;
  readonly changes: number;
  readonly peakRssMb: number;
  readonly rssMb: number;
  readonly lists: number;
  readonly watches: number;
}

const controller = new AbortController();
const { signal } = controller;
// As inside a cluster, where no kubeconfig is read and hence client-node not loaded.
const { server, ...tls } = JSON.parse(process.env.TEST_CONNECTION ?? "") as AdminClientConfig;
const client = new KubeClient({ server: new URL(server), tls, headers: async () => ({}) });

interface SlimPod extends KubeObject {
  readonly nodeName: string | undefined;
  readonly phase: string | undefined;
}

const informer = new Informer<Pod, SlimPod>({
  client,
  log: silentLogger,
  resource: pods,
  slim: (pod) => {
    const { name, namespace, uid, resourceVersion } = pod.metadata ?? {};
    return { metadata: { name, namespace, uid, resourceVersion }, nodeName: pod.spec?.nodeName, phase: pod.status?.phase } as SlimPod;
  },
});
const queue = new WorkQueue();
const busy = new Set<string>();
const processed = new Map<string, string>();
let overlaps = 0;
let changes = 0;
informer.onChange(({ key }) => {
  changes += 1;
  queue.add(key);
});
const reconcile = async (key: string) => {
  if (busy.has(key)) overlaps += 1;
  busy.add(key);
  await new Promise((resolve) => setImmediate(resolve));
  const version = informer.store.get(key)?.metadata?.resourceVersion;
  if (version === undefined) processed.delete(key);
  else processed.set(key, version);
  busy.delete(key);
  return {};
};

process.on("message", (message) => {
  if (message === "report") process.send?.(report());
  else {
    controller.abort();
    client.close();
    process.disconnect?.();
  }
});
process.on("disconnect", () => controller.abort());
await Promise.all([informer.run(signal), runWorkers({ queue, concurrency: 8, log: silentLogger, reconcile }, signal)]);

function report(): InformerReport {
  const store: Record<string, string> = {};
  for (const key of informer.store.keys()) store[key] = informer.store.get(key)?.metadata?.resourceVersion ?? "";
  const status = readFileSync("/proc/self/status", "utf8");
  const megabytes = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return {
    objects: informer.store.size,
    store,
    processed: Object.fromEntries(processed),
    overlaps,
    changes,
    peakRssMb: megabytes("VmHWM"),
    rssMb: megabytes("VmRSS"),
    ...informer.counters,
  };
}
