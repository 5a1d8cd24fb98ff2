// The CSI node service's process (container s3-plugin): mounts volumes for kubelet. With CSI_CONTROLLER_ONLY=true it is the
// controller instead, as one command of the driver before this one was.
import { settingsOrExit } from "../settings/main.ts";
import { nodeComponent } from "../../generated/settings/node.ts";
import { explain } from "../core/errors.ts";
import { createLogger } from "../core/log.ts";

if (/^(true|1|yes|on)$/i.test(process.env["CSI_CONTROLLER_ONLY"] ?? "") || process.argv.includes("--controller-only")) {
  await import("./controller.ts");
} else {
  const settings = settingsOrExit(nodeComponent);
  const log = createLogger({ level: settings.logLevel, component: "node" });
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort(new Error(name)));
  try {
    const { runNode } = await import("../csi/node/run.ts");
    await runNode(settings, log, stop.signal);
    log.info("stopped");
    // Mounts and daemons go on; nothing here may hold the process up.
    process.exit(0);
  } catch (error) {
    log.error("ended", { reason: explain(error) });
    process.exit(stop.signal.aborted ? 0 : 1);
  }
}
