// The node service put together: mounter, services, background work.
import { mkdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { IdentityDefinition, NodeDefinition } from "../../../generated/proto/csi.ts";
import type { NodeSettings } from "../../../generated/settings/node.ts";
import { KeyedLock } from "../../core/keyed-lock.ts";
import type { Logger } from "../../core/log.ts";
import { sharedLook } from "../../core/shared-look.ts";
import { driverName, driverVersion, gitCommit } from "../../core/version.ts";
import { ensureControlFileSystem } from "../../fuse/connection.ts";
import { serve } from "../../grpc/server.ts";
import { implement } from "../../grpc/service.ts";
import { startStatusServer } from "../../runtime/status-server.ts";
import { CallMetrics } from "../call-metrics.ts";
import { readDriverKeys } from "../driver-keys.ts";
import { identityService } from "../identity.ts";
import type { NodeContext } from "./context.ts";
import { HeldConnections } from "./held-connections.ts";
import { createMounter } from "./create-mounter.ts";
import { registerWithKubelet } from "./registration.ts";
import { nodeService } from "./service.ts";
import { SourceMounts } from "./source-mounts.ts";

/** Runs until the signal; leaves daemons and mounts as they are. */
export async function runNode(given: NodeSettings, log: Logger, signal: AbortSignal): Promise<void> {
  mkdirSync(given.kubeletPath, { recursive: true });
  // The mount table knows directories without the symbolic links on the way.
  const settings = { ...given, kubeletPath: realpathSync(given.kubeletPath) };
  const mountDir = path.join(settings.kubeletPath, "plugins", driverName, "mnt");
  mkdirSync(mountDir, { recursive: true, mode: 0o755 });
  ensureControlFileSystem();
  const placeLock = new KeyedLock();
  const made = await createMounter({ settings, mountDir, placeLock, log, signal });
  const { mounter } = made;
  const held = new HeldConnections({ mounter, placeLock, log, takeOverMs: settings.takeOverTimeoutMs });
  const sources = new SourceMounts(mounter, held, log);
  mounter.use(sources);
  const node: NodeContext = {
    settings,
    mountDir,
    mounter,
    sources,
    placeLock,
    targetLock: new KeyedLock(),
    driverKeys: sharedLook(() => readDriverKeys(settings)),
    log,
    kubernetesVersion: made.kubernetesVersion,
  };

  const metrics = new CallMetrics();
  metrics.gauge("s3csi_node_held_connections", "FUSE connections of which the node service keeps a duplicate.", () => held.size);
  const server = await serve({
    endpoint: settings.csiEndpoint,
    logger: log,
    services: [
      implement(IdentityDefinition, identityService({ version: driverVersion, ready: () => true })),
      implement(NodeDefinition, metrics.measured(nodeService(node))),
    ],
  });
  const status = { ready: () => !signal.aborted, metrics: () => metrics.text() };
  await startStatusServer({ port: settings.metricsPort, ...status }, signal);
  if (settings.builtinRegistration) {
    await startStatusServer({ port: settings.healthPort, ...status }, signal);
    // kubelet's own path to the socket: the plugin directory, whatever it is called in here.
    const pluginDir = settings.hostPluginDir ?? path.join(given.kubeletPath, "plugins", driverName);
    const csiSocketOnHost = path.join(pluginDir, path.basename(server.socketPath));
    const registration = await registerWithKubelet({ registrationDir: settings.registrationDir, csiSocketOnHost, log });
    signal.addEventListener("abort", () => void registration.stop(AbortSignal.abort()), { once: true });
  }
  log.info("started", { driverVersion, gitCommit, mounter: settings.mounterKind, socket: server.socketPath });
  await Promise.all([
    mounter.run(signal),
    made.background(signal),
    new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true })),
  ]);
  await server.stop(AbortSignal.timeout(5_000));
  mounter.close();
}
