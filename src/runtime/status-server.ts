// A small HTTP server for probes and Prometheus: is the process alive, is it ready, and what does it count.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface StatusServerOptions {
  readonly port: number;
  readonly ready: () => boolean;
  /** In Prometheus' text format. */
  readonly metrics: () => string;
}

/** Port 0 starts none. Runs until the signal ends; returns the port it listens on. */
export async function startStatusServer(options: StatusServerOptions, signal: AbortSignal): Promise<number> {
  if (options.port === 0) return 0;
  const server = createServer((request, response) => {
    const answer = (status: number, text: string) => response.writeHead(status, { "content-type": "text/plain; version=0.0.4" }).end(text);
    if (request.url === "/healthz") answer(200, "ok\n");
    else if (request.url === "/readyz") answer(options.ready() ? 200 : 503, options.ready() ? "ok\n" : "not ready\n");
    else if (request.url === "/metrics") answer(200, options.metrics());
    else answer(404, "not found\n");
  });
  server.listen(options.port);
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  return (server.address() as AddressInfo | null)?.port ?? 0;
}
