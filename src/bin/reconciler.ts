// The Pod Reconciler's process (container s3-pod-reconciler): reads its settings, connects, runs until it is told to stop.
import { reconcilerComponent } from "../../generated/settings/reconciler.ts";
import { explain } from "../core/errors.ts";
import { createLogger } from "../core/log.ts";
import { driverVersion, gitCommit } from "../core/version.ts";
import { KubeClient } from "../kube/client.ts";
import { isOpenShift } from "../kube/discovery.ts";
import { ReconcilerMetrics } from "../reconciler/metrics.ts";
import { Reconciler } from "../reconciler/reconciler.ts";
import { startStatusServer } from "../runtime/status-server.ts";
import { settingsOrExit } from "../settings/main.ts";

const settings = settingsOrExit(reconcilerComponent);
const log = createLogger({ level: settings.logLevel, component: "reconciler" });
const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort(new Error(name)));

try {
  const metrics = new ReconcilerMetrics();
  const client = await KubeClient.connect(settings.kubeconfig ? { kubeconfig: settings.kubeconfig } : {}, metrics.onRequest);
  const openShift = await isOpenShift(client, stop.signal);
  const reconciler = new Reconciler({ client, log, settings, driverVersion, openShift, onDone: metrics.onReconciled });
  metrics.watch(reconciler);
  await startStatusServer({ port: settings.metricsPort, ready: () => reconciler.ready, metrics: () => metrics.text() }, stop.signal);
  log.info("started", { driverVersion, gitCommit, openShift });
  await reconciler.run(stop.signal);
  client.close();
  log.info("stopped");
} catch (error) {
  if (!stop.signal.aborted) {
    log.error("ended", { reason: explain(error) });
    process.exitCode = 1;
  }
}
