// npm run cluster:down
import { clusterDown } from "./cluster-down.ts";

try {
  console.log((await clusterDown()) ? "The cluster is down." : "No cluster was up.");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
