// npm run quickstart                a bucket as a directory, on this machine alone
// npm run quickstart -- --cluster   the same in Kubernetes: the reachable cluster, or one made here
// npm run quickstart -- --down      takes away whatever a quickstart left
import { parseArgs } from "node:util";
import { explain } from "../src/core/errors.ts";
import { clusterTour, takeClusterTourDown } from "./quickstart/cluster-tour.ts";
import { processTour } from "./quickstart/process-tour.ts";
import { Screen } from "./quickstart/screen.ts";
import { removeLeftovers } from "./quickstart/workspace.ts";

const { values } = parseArgs({ options: { cluster: { type: "boolean" }, down: { type: "boolean" }, "no-wait": { type: "boolean" } } });
const screen = new Screen(process.stdout);
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort(new Error("stopped")));
// Somebody to play with it, or a script that wants it over.
const stay = process.stdin.isTTY === true && process.stdout.isTTY === true && !values["no-wait"];

try {
  if (values.down) {
    await removeLeftovers();
    await takeClusterTourDown(screen, stop.signal);
  } else if (values.cluster) await clusterTour({ screen, stay, signal: stop.signal });
  else await processTour({ screen, stay, signal: stop.signal });
} catch (thrown) {
  if (!stop.signal.aborted) {
    screen.failure(explain(thrown));
    process.exitCode = 1;
  }
}
