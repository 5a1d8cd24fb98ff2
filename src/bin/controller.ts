// The CSI controller's process (container s3-csi-controller): makes and deletes buckets for csi-provisioner.
import { ControllerDefinition, IdentityDefinition } from "../../generated/proto/csi.ts";
import { controllerComponent } from "../../generated/settings/controller.ts";
import { explain } from "../core/errors.ts";
import { createLogger } from "../core/log.ts";
import { driverVersion, gitCommit } from "../core/version.ts";
import { connectS3Buckets } from "../csi/controller/s3-buckets.ts";
import { controllerService } from "../csi/controller/service.ts";
import { identityService } from "../csi/identity.ts";
import { CallMetrics } from "../csi/call-metrics.ts";
import { serve } from "../grpc/server.ts";
import { implement } from "../grpc/service.ts";
import { startStatusServer } from "../runtime/status-server.ts";
import { settingsOrExit } from "../settings/main.ts";

const settings = settingsOrExit(controllerComponent);
const log = createLogger({ level: settings.logLevel, component: "controller" });
const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort(new Error(name)));

try {
  const metrics = new CallMetrics();
  const handlers = metrics.measured(controllerService({ connect: connectS3Buckets(settings), log }));
  const server = await serve({
    endpoint: settings.csiEndpoint,
    logger: log,
    services: [
      implement(IdentityDefinition, identityService({ version: driverVersion, ready: () => true })),
      implement(ControllerDefinition, handlers),
    ],
  });
  await startStatusServer({ port: settings.metricsPort, ready: () => true, metrics: () => metrics.text() }, stop.signal);
  log.info("started", { driverVersion, gitCommit, socket: server.socketPath });
  await new Promise((resolve) => stop.signal.addEventListener("abort", resolve, { once: true }));
  await server.stop(AbortSignal.timeout(10_000));
  log.info("stopped");
} catch (error) {
  log.error("ended", { reason: explain(error) });
  process.exitCode = 1;
}
