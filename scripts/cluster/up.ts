// npm run cluster:up
import { clusterUp } from "./cluster-up.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort(new Error(`ended by ${name}`)));

try {
  const cluster = await clusterUp({ signal: stop.signal });
  console.log(
    `The cluster ${cluster.started ? "is up" : "was up already"}. Use it with:\n  export KUBECONFIG=${cluster.kubeconfig}\nand end it with: npm run cluster:down`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
