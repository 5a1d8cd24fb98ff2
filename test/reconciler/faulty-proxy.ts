// Stands between a reconciler and the API server and makes trouble: latency, refusals, answers lost after the deed, cut watches.
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { ControlPlane } from "../bed/control-plane.ts";

export interface Faults {
  /** Chances from 0 to 1, per request. */
  latency: number;
  conflict: number;
  failBefore: number;
  /** The API server did it, the client hears 500. */
  failAfter: number;
  /** Chance per second that all watches are cut. */
  cutWatches: number;
  /** Longest added latency. */
  latencyMs: number;
}

export const noFaults: Faults = { latency: 0, conflict: 0, failBefore: 0, failAfter: 0, cutWatches: 0, latencyMs: 0 };

export interface FaultyProxy {
  readonly url: string;
  faults: Faults;
  readonly counts: Record<"requests" | "faults" | "cuts", number>;
  stop(): Promise<void>;
}

export async function startFaultyProxy(plane: ControlPlane, random: () => number = Math.random): Promise<FaultyProxy> {
  const { ca, cert, key } = plane.admin;
  const agent = new https.Agent({ ca, cert, key, keepAlive: true, maxSockets: 128 });
  const upstream = new URL(plane.url);
  const watches = new Set<http.ServerResponse>();
  const counts = { requests: 0, faults: 0, cuts: 0 };

  const server = http.createServer((request, response) => {
    counts.requests += 1;
    const { faults } = proxy;
    const isWatch = request.url?.includes("watch=true") ?? false;
    const isWrite = request.method !== "GET";
    const chance = (probability: number) => random() < probability;
    const refuse = (status: number, reason: string) => {
      counts.faults += 1;
      request.resume();
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ kind: "Status", code: status, reason, message: "injected" }));
    };
    const forward = () => {
      if (chance(faults.failBefore)) return refuse(500, "InternalError");
      if (isWrite && chance(faults.conflict)) return refuse(409, "Conflict");
      const loseAnswer = isWrite && chance(faults.failAfter);
      const headers = { ...request.headers, host: upstream.host };
      const onward = https.request({ host: upstream.hostname, port: upstream.port, path: request.url, method: request.method, headers, agent });
      onward.on("error", () => response.destroy());
      onward.on("response", (answer) => {
        if (loseAnswer) {
          answer.resume();
          answer.on("end", () => refuse(500, "InternalError"));
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on("error", () => response.destroy());
        if (!isWatch) return;
        watches.add(response);
        response.flushHeaders();
        response.on("close", () => {
          watches.delete(response);
          answer.destroy();
        });
      });
      response.on("close", () => isWatch && onward.destroy());
      request.pipe(onward);
    };
    if (chance(faults.latency)) setTimeout(forward, random() * faults.latencyMs);
    else forward();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cutter = setInterval(() => {
    if (random() >= proxy.faults.cutWatches) return;
    counts.cuts += watches.size;
    for (const watch of watches) watch.destroy();
  }, 1_000);
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: { ...noFaults },
    counts,
    async stop() {
      clearInterval(cutter);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
  return proxy;
}
