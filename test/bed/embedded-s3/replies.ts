// Sends a reply, at the speed and with the fault that was asked for.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Reply } from "./call.ts";
import type { Fault } from "./faults.ts";

const paceBytes = 64 * 1024;
let requestNumber = 0;

export async function sendReply(
  response: ServerResponse,
  method: string,
  reply: Reply,
  how: { readonly fault: Fault | undefined; readonly bandwidth: number },
): Promise<void> {
  const { fault } = how;
  if (fault?.kind === "lost-reply") {
    response.socket?.resetAndDestroy();
    return;
  }
  let body = method === "HEAD" ? [] : [...(reply.body ?? [])];
  const length = body.reduce((sum, b) => sum + b.length, 0);
  const headers: Record<string, string> = { server: "embedded-s3", "x-amz-request-id": (++requestNumber).toString(16).padStart(16, "0"), ...reply.headers };
  // A HEAD reply says the length of the body it does not have.
  if (method !== "HEAD" && reply.status !== 204 && reply.status !== 304) headers["content-length"] = String(length);
  if (method === "HEAD" && reply.status >= 400) headers["content-length"] = "0";
  if (fault?.kind === "wrong-checksum") for (const name in headers) if (/^x-amz-checksum-(?!type)/.test(name)) headers[name] = spoil(headers[name] ?? "");
  if (fault?.kind === "corrupt") body = corrupt(body);
  response.writeHead(reply.status, headers);
  const cut = fault?.kind === "truncated" || fault?.kind === "reset-mid-body" ? Math.floor(length / 2) : undefined;
  if (cut === undefined && how.bandwidth === 0) {
    response.socket?.cork();
    for (const chunk of body) response.write(chunk);
    response.end();
    response.socket?.uncork();
    return;
  }
  await pace(response, body, cut ?? length, how.bandwidth);
  if (cut === undefined) response.end();
  else if (fault?.kind === "truncated") response.socket?.end();
  else response.socket?.resetAndDestroy();
}

async function pace(response: ServerResponse, body: readonly Buffer[], limit: number, bandwidth: number): Promise<void> {
  const started = performance.now();
  let sent = 0;
  for (const chunk of body) {
    for (let at = 0; at < chunk.length && sent < limit; at += paceBytes) {
      const piece = chunk.subarray(at, Math.min(at + paceBytes, at + limit - sent));
      if (response.destroyed) return;
      if (!response.write(piece)) await once(response, "drain", { signal: AbortSignal.timeout(60_000) }).catch(() => response.destroy());
      sent += piece.length;
      if (bandwidth > 0) await delay(Math.max(0, (sent / bandwidth) * 1000 - (performance.now() - started)));
    }
  }
  // What was written must be on its way before the connection is cut.
  await delay(1);
}

function corrupt(body: readonly Buffer[]): Buffer[] {
  return body.map((chunk, i) => {
    if (i > 0 || chunk.length === 0) return chunk;
    const changed = Buffer.from(chunk);
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 0x40;
    return changed;
  });
}

function spoil(checksum: string): string {
  return (checksum.startsWith("A") ? "B" : "A") + checksum.slice(1);
}
