// The Mountpoint Pod's process: listens on /comm, serves one mount, ends 0 when that has ended in order.
import { mountpointComponent } from "../../generated/settings/mountpoint.ts";
import { explain } from "../core/errors.ts";
import { createLogger } from "../core/log.ts";
import { driverVersion, gitCommit } from "../core/version.ts";
import { Daemon } from "../mountpoint/daemon.ts";
import { startStatusServer } from "../runtime/status-server.ts";
import { settingsOrExit } from "../settings/main.ts";

const settings = settingsOrExit(mountpointComponent);
const log = createLogger({ level: settings.logLevel, component: "mountpoint" });
const stop = new AbortController();

try {
  const daemon = new Daemon({ commDir: settings.commDir, cacheDir: settings.cacheDir, log, env: process.env });
  // Before anybody can connect: whoever is served must not lose its mount to a signal.
  for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => daemon.terminate());
  await daemon.listen();
  await startStatusServer({ port: settings.metricsPort, ready: () => daemon.ready, metrics: () => daemon.metrics.registry.text() }, stop.signal);
  log.info("listening", { driverVersion, gitCommit, commDir: settings.commDir });
  if (settings.optionsTimeoutMs > 0) setTimeout(() => daemon.terminate(), settings.optionsTimeoutMs).unref();
  const code = await daemon.ended;
  await daemon.close();
  stop.abort();
  process.exit(code);
} catch (error) {
  log.error("ended", { reason: explain(error) });
  process.exit(1);
}
