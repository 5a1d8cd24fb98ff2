// From an HTTP request to the operation and back, with the knobs and faults on the way.
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Accounts } from "./accounts.ts";
import { proveBody, readBody } from "./body.ts";
import type { Reply } from "./call.ts";
import type { Counters } from "./counters.ts";
import type { Fault, Faults } from "./faults.ts";
import { handlers, operationOf } from "./operations.ts";
import { accessDenied, notImplemented, S3Error } from "./s3-error.ts";
import { checkRegion } from "./regions.ts";
import { authenticate } from "./signature.ts";
import { sendReply } from "./replies.ts";
import type { Knobs } from "./server.ts";
import type { State } from "./state.ts";
import { writeXml } from "./xml.ts";

export interface Parts {
  readonly state: State;
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly faults: Faults;
  readonly knobs: Knobs;
  readonly domain: string | undefined;
  readonly region: string | undefined;
}

export function createRequestHandler(parts: Parts): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    answer(parts, request, response).catch(() => request.socket.destroy());
  };
}

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? "GET";
  const [rawPath = "/", rawQuery = ""] = splitOnce(request.url ?? "/", "?");
  const query = new URLSearchParams(rawQuery);
  const { bucketName, key } = addressOf(request.headers.host, rawPath, parts.domain);
  const operation = operationOf(method, bucketName, key, query, request.headers);
  const fault = operation && parts.faults.next(operation, key);
  if (fault?.kind === "reset") {
    request.socket.resetAndDestroy();
    return;
  }
  if (fault?.kind === "hang") return;
  let bytesIn = 0;
  let reply: Reply;
  try {
    const raw = await readBody(request);
    bytesIn = raw.length;
    if (parts.knobs.latencyMs > 0) await delay(parts.knobs.latencyMs);
    if (fault?.kind === "slow") await delay(fault.ms);
    if (fault?.kind === "status") throw faultError(fault);
    if (!operation) throw notImplemented(`${method} ${rawPath}?${rawQuery}`);
    const identity = authenticate({ method, rawPath, rawQuery, headers: request.headers }, parts.accounts, Date.now() + parts.knobs.clockOffsetMs);
    if (identity?.key.bucket !== undefined && identity.key.bucket !== bucketName) throw accessDenied();
    checkRegion({ signed: identity?.region, endpoint: parts.region, bucket: parts.state.buckets.get(bucketName) });
    const body = proveBody(request, raw, identity);
    const { state, accounts } = parts;
    reply = handlers[operation]({ state, accounts, identity, bucketName, key, query, headers: request.headers, body });
  } catch (error) {
    if (!(error instanceof S3Error) && request.destroyed && !request.complete) return;
    reply = errorReply(error, `/${bucketName}${key === "" ? "" : `/${key}`}`);
  }
  const { range } = request.headers;
  const record = { operation: operation ?? ("Unknown" as const), bucket: bucketName, key, query: rawQuery, status: reply.status, ...(range ? { range } : {}) };
  const bytesOut = reply.body?.reduce((sum, b) => sum + b.length, 0) ?? 0;
  parts.counters.record(record, bytesIn, method === "HEAD" ? 0 : bytesOut);
  await sendReply(response, method, reply, { fault, bandwidth: parts.knobs.streamBandwidth });
}

function addressOf(host: string | undefined, rawPath: string, domain: string | undefined): { bucketName: string; key: string } {
  const path = decodeURIComponent(rawPath).slice(1);
  const name = host?.replace(/:\d+$/, "");
  if (domain !== undefined && name?.endsWith(`.${domain}`)) return { bucketName: name.slice(0, -domain.length - 1), key: path };
  const [bucketName = "", key = ""] = splitOnce(path, "/");
  // The SDK writes two slashes when a directory bucket stands behind an endpoint of one's own.
  return { bucketName, key: bucketName.endsWith("--x-s3") ? key.replace(/^\//, "") : key };
}

function splitOnce(text: string, at: string): string[] {
  const cut = text.indexOf(at);
  return cut < 0 ? [text] : [text.slice(0, cut), text.slice(cut + at.length)];
}

function faultError(fault: Extract<Fault, { kind: "status" }>): S3Error {
  const codes: Record<number, string> = { 403: "AccessDenied", 404: "NoSuchKey", 412: "PreconditionFailed", 500: "InternalError", 503: "SlowDown" };
  const code = fault.code ?? codes[fault.status] ?? "InternalError";
  return new S3Error(fault.status, code, "Injected fault", {}, fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter });
}

function errorReply(error: unknown, resource: string): Reply {
  const known = error instanceof S3Error ? error : new S3Error(500, "InternalError", error instanceof Error ? (error.stack ?? error.message) : String(error));
  const document = writeXml("Error", {
    Code: known.code,
    Message: known.message,
    ...known.extra,
    Resource: resource,
    RequestId: randomBytes(8).toString("hex").toUpperCase(),
  }).replace(' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"', "");
  return { status: known.status, headers: { "content-type": "application/xml", ...known.headers }, body: [Buffer.from(document)] };
}
