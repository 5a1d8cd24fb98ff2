// The mounter that MOUNTER_KIND names, connected to what it needs: Kubernetes for pods, a directory in memory for processes.
import path from "node:path";
import type { NodeSettings } from "../../../generated/settings/node.ts";
import type { KeyedLock } from "../../core/keyed-lock.ts";
import type { Logger } from "../../core/log.ts";
import { KubeClient } from "../../kube/client.ts";
import { validAttachment } from "../../kube/attachment.ts";
import { Informer } from "../../kube/informer.ts";
import { attachments as attachmentKind, type MountpointS3PodAttachment, type Pod, pods as podKind } from "../../kube/resources.ts";
import type { Mounter } from "./mounter.ts";
import { PodMounter } from "./pod-mounter/pod-mounter.ts";
import { ProcessMounter } from "./process-mounter/process-mounter.ts";
import { removeStartupTaint } from "./startup-taint.ts";

export interface CreateMounterOptions {
  readonly settings: NodeSettings;
  readonly mountDir: string;
  readonly placeLock: KeyedLock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface CreatedMounter {
  readonly mounter: Mounter;
  /** For the user agent. */
  readonly kubernetesVersion: string;
  background(signal: AbortSignal): Promise<void>;
}

export async function createMounter(options: CreateMounterOptions): Promise<CreatedMounter> {
  return options.settings.mounterKind === "process" ? processMounter(options) : podMounter(options);
}

function processMounter({ settings, mountDir, placeLock, log }: CreateMounterOptions): CreatedMounter {
  // Beside this program, with the same ending: .js in the image, .ts in the source tree.
  const entry = process.argv[1] ?? "";
  const command = settings.mountProcessCommand ?? path.join(path.dirname(entry), `mountpoint${path.extname(entry)}`);
  const mounter = new ProcessMounter({
    mountDir,
    commDir: settings.mountProcessDir,
    command: { file: command, logLevel: settings.logLevel, cacheDir: path.join(path.dirname(mountDir), "cache") },
    scanIntervalMs: settings.unmountScanIntervalMs,
    placeLock,
    log,
  });
  return { mounter, kubernetesVersion: "none", background: async () => {} };
}

async function podMounter({ settings, mountDir, placeLock, log, signal }: CreateMounterOptions): Promise<CreatedMounter> {
  const client = await KubeClient.connect(settings.kubeconfig ? { kubeconfig: settings.kubeconfig } : {});
  const { nodeName, mountpointNamespace: namespace, kubeletPath, unmountScanIntervalMs: scanIntervalMs } = settings;
  const pods = new Informer<Pod, Pod>({
    client,
    resource: podKind,
    log,
    namespace,
    fieldSelector: `spec.nodeName=${nodeName}`,
    slim: slimPod,
  });
  const attachments = new Informer<MountpointS3PodAttachment, MountpointS3PodAttachment>({
    client,
    resource: attachmentKind,
    log,
    fieldSelector: `spec.nodeName=${nodeName}`,
    slim: validAttachment(log),
  });
  const running = [pods.run(signal), attachments.run(signal)];
  // Before that, every mount would look like one whose pod is gone.
  await Promise.all([pods.synced(signal), attachments.synced(signal)]);
  const mounter = new PodMounter({ nodeName, namespace, kubeletPath, mountDir, scanIntervalMs, pods, attachments, placeLock, log });
  const version = (await client.transport.json("GET", "/version", { signal })) as { gitVersion?: string };
  return {
    mounter,
    kubernetesVersion: version.gitVersion ?? "unknown",
    async background(until) {
      if (settings.removeStartupTaint) await removeStartupTaint({ client, nodeName, log }, until);
      await Promise.all(running);
      client.close();
    },
  };
}

/** Of a Mountpoint Pod: who it is, how it is, and what the reconciler wants of it. */
function slimPod({ metadata, status }: Pod): Pod {
  const { name, namespace, uid, resourceVersion, annotations, deletionTimestamp } = metadata ?? {};
  const slim = { name, namespace, uid, resourceVersion, annotations, deletionTimestamp };
  return { metadata: slim as NonNullable<Pod["metadata"]>, ...(status ? { status } : {}) };
}
