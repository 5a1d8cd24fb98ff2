import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startLatencyProxy } from "./latency-proxy.ts";

const limit = () => AbortSignal.timeout(20_000);
const body = Buffer.alloc(1 << 20, "x");
let server: Server;
let target: string;

test.before(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.end(request.url === "/big" ? body : "small");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  target = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
test.after(() => {
  server.closeAllConnections();
  server.close();
});

test("adds the round trip to every request", async () => {
  await using proxy = await startLatencyProxy({ target, delayMs: 60, signal: limit() });
  await timed(() => read(proxy.endpoint));
  const { ms, result } = await timed(() => read(proxy.endpoint));
  assert.is(result.length, 5);
  assert.ok(ms >= 58 && ms < 400, `${ms} ms`);
});

test("limits the bandwidth of a stream and keeps every byte", async () => {
  await using proxy = await startLatencyProxy({ target, delayMs: 0, bandwidth: 4 << 20, signal: limit() });
  const { ms, result } = await timed(() => read(`${proxy.endpoint}/big`));
  assert.ok(result.equals(body));
  assert.ok(ms >= 200 && ms < 2000, `${ms} ms`);
});

test("cuts open connections and takes new ones", async () => {
  await using proxy = await startLatencyProxy({ target, delayMs: 0, bandwidth: 1 << 20, signal: limit() });
  const answer = await fetch(`${proxy.endpoint}/big`, { signal: limit() });
  proxy.cut();
  const outcome = await answer.arrayBuffer().then(
    () => "whole",
    () => "cut",
  );
  assert.is(outcome, "cut");
  assert.is((await read(proxy.endpoint)).length, 5);
  assert.is(proxy.connections(), 2);
});

test("frozen, nothing passes; thawed, what was under way arrives", async () => {
  await using proxy = await startLatencyProxy({ target, delayMs: 0, signal: limit() });
  proxy.freeze(true);
  const waiting = read(proxy.endpoint);
  const first = await Promise.race([waiting.then(() => "answer"), new Promise((resolve) => setTimeout(resolve, 100, "silence"))]);
  assert.is(first, "silence");
  proxy.freeze(false);
  assert.is((await waiting).length, 5);
});

async function read(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url, { signal: limit() })).arrayBuffer());
}

async function timed<T>(run: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await run();
  return { ms: performance.now() - start, result };
}

test.run();
