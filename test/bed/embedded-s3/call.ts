// One request on its way through the server, and what comes back.
import type { IncomingHttpHeaders } from "node:http";
import type { Accounts } from "./accounts.ts";
import type { Body } from "./body.ts";
import { preconditionFailed } from "./s3-error.ts";
import type { Identity } from "./signature.ts";
import type { Bucket, State, StoredObject } from "./state.ts";
import { writeXml, type XmlElement } from "./xml.ts";

export interface Call {
  readonly state: State;
  readonly accounts: Accounts;
  readonly identity: Identity | undefined;
  readonly bucketName: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: readonly Buffer[];
}

export type Handler = (call: Call) => Reply;

export function bucketOf(call: Call): Bucket {
  return call.state.bucket(call.bucketName, call.identity?.account);
}

export function header(call: Call, name: string): string | undefined {
  const value = call.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}

export function xmlReply(root: string, content: XmlElement, headers: Record<string, string> = {}): Reply {
  return { status: 200, headers: { "content-type": "application/xml", ...headers }, body: [Buffer.from(writeXml(root, content))] };
}

export const emptyReply: Reply = { status: 200 };
export const noContent: Reply = { status: 204 };

export function sameTag(condition: string, object: StoredObject | undefined): boolean {
  if (!object) return false;
  return condition.split(",").some((tag) => tag.trim() === "*" || tag.trim().replaceAll('"', "") === object.etag);
}

/** If-Match and If-None-Match of a request that writes. */
export function checkWriteConditions(call: Call, current: StoredObject | undefined, missing: () => Error): void {
  const ifMatch = header(call, "if-match");
  if (ifMatch !== undefined) {
    if (!current) throw missing();
    if (!sameTag(ifMatch, current)) throw preconditionFailed("If-Match");
  }
  const ifNoneMatch = header(call, "if-none-match");
  if (ifNoneMatch !== undefined && sameTag(ifNoneMatch, current)) throw preconditionFailed("If-None-Match");
}
