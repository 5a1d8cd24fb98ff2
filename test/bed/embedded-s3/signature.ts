// AWS Signature Version 4, checked: in the Authorization header or in the query (presigned).
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { AccessKey, Account, Accounts } from "./accounts.ts";
import { accessDenied, S3Error } from "./s3-error.ts";

export interface SignedRequest {
  readonly method: string;
  /** As on the request line, before the "?". */
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Identity {
  readonly account: Account;
  readonly key: AccessKey;
  /** What the request was signed for. */
  readonly region: string;
  /** To check the signatures of an aws-chunked body. */
  readonly seed: { readonly signature: string; readonly signingKey: Buffer; readonly date: string; readonly scope: string };
}

const maxSkewMs = 15 * 60_000;
const signingKeys = new Map<string, Buffer>();

/** Undefined when the request is not signed at all. */
export function authenticate(request: SignedRequest, accounts: Accounts, nowMs: number): Identity | undefined {
  const claim = claimOf(request);
  if (!claim) return undefined;
  const [accessKeyId = "", day = "", region = "", service = "", terminator] = claim.credential.split("/");
  if (terminator !== "aws4_request" || (service !== "s3" && service !== "s3express"))
    throw new S3Error(400, "AuthorizationHeaderMalformed", "The authorization header is malformed; the credential scope is wrong.");
  const found = accounts.find(accessKeyId);
  if (!found)
    throw new S3Error(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.", { AWSAccessKeyId: accessKeyId });
  checkTime(claim, nowMs);
  const signingKey = signingKeyFor(found.key.secretAccessKey, day, region, service);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const canonical = canonicalRequest(request, claim);
  const toSign = `AWS4-HMAC-SHA256\n${claim.date}\n${scope}\n${createHash("sha256").update(canonical).digest("hex")}`;
  const expected = createHmac("sha256", signingKey).update(toSign).digest("hex");
  if (expected.length !== claim.signature.length || !timingSafeEqual(Buffer.from(expected), Buffer.from(claim.signature))) {
    const explanation = "The request signature we calculated does not match the signature you provided. Check your key and signing method.";
    throw new S3Error(403, "SignatureDoesNotMatch", explanation, { AWSAccessKeyId: accessKeyId, StringToSign: toSign, CanonicalRequest: canonical });
  }
  checkToken(found.key, claim.token, nowMs);
  return { ...found, region, seed: { signature: claim.signature, signingKey, date: claim.date, scope } };
}

interface Claim {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly date: string;
  readonly token: string | undefined;
  /** Presigned: seconds it is good for. */
  readonly expires?: number;
}

function claimOf(request: SignedRequest): Claim | undefined {
  const header = request.headers.authorization;
  if (header !== undefined) {
    const match = /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]+)$/.exec(header);
    const [, credential, signedHeaders, signature] = match ?? [];
    if (!credential || !signedHeaders || !signature) throw new S3Error(400, "AuthorizationHeaderMalformed", "The authorization header is malformed.");
    const date = one(request.headers["x-amz-date"]) ?? "";
    const token = one(request.headers["x-amz-security-token"]) ?? one(request.headers["x-amz-s3session-token"]);
    return { credential, signedHeaders, signature, date, token };
  }
  if (!request.rawQuery.includes("X-Amz-Signature=")) return undefined;
  const query = new URLSearchParams(request.rawQuery);
  return {
    credential: query.get("X-Amz-Credential") ?? "",
    signedHeaders: query.get("X-Amz-SignedHeaders") ?? "",
    signature: query.get("X-Amz-Signature") ?? "",
    date: query.get("X-Amz-Date") ?? "",
    token: query.get("X-Amz-Security-Token") ?? undefined,
    expires: Number(query.get("X-Amz-Expires") ?? 900),
  };
}

function checkTime(claim: Claim, nowMs: number): void {
  const at = Date.parse(claim.date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (Number.isNaN(at)) throw new S3Error(403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header");
  if (claim.expires !== undefined) {
    if (nowMs > at + claim.expires * 1000) throw new S3Error(403, "AccessDenied", "Request has expired");
    return;
  }
  if (Math.abs(nowMs - at) > maxSkewMs)
    throw new S3Error(403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large.", {
      RequestTime: claim.date,
      ServerTime: new Date(nowMs).toISOString(),
      MaxAllowedSkewMilliseconds: String(maxSkewMs),
    });
}

function checkToken(key: AccessKey, token: string | undefined, nowMs: number): void {
  if (key.sessionToken === undefined) return;
  if (token === undefined) throw accessDenied();
  if (token !== key.sessionToken) throw new S3Error(400, "InvalidToken", "The provided token is malformed or otherwise invalid.");
  if (key.expiresMs !== undefined && nowMs >= key.expiresMs) throw new S3Error(400, "ExpiredToken", "The provided token has expired.");
}

function canonicalRequest(request: SignedRequest, claim: Claim): string {
  const names = claim.signedHeaders.split(";");
  const lines = names.map((name) => `${name}:${(one(request.headers[name]) ?? "").trim().replace(/\s+/g, " ")}\n`).join("");
  const payload = claim.expires === undefined ? (one(request.headers["x-amz-content-sha256"]) ?? "") : "UNSIGNED-PAYLOAD";
  return `${request.method}\n${canonicalPath(request.rawPath)}\n${canonicalQuery(request.rawQuery)}\n${lines}\n${claim.signedHeaders}\n${payload}`;
}

/** S3 signs the path encoded once, whatever way the client wrote it. */
function canonicalPath(rawPath: string): string {
  return rawPath.split("/").map(reencode).join("/");
}

function canonicalQuery(rawQuery: string): string {
  if (rawQuery === "") return "";
  const pairs = rawQuery
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith("X-Amz-Signature="))
    .map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? `${reencode(pair)}=` : `${reencode(pair.slice(0, at))}=${reencode(pair.slice(at + 1).replaceAll("+", "%20"))}`;
    });
  return pairs.sort().join("&");
}

function reencode(text: string): string {
  if (/^[A-Za-z0-9_.~-]*$/.test(text)) return text;
  return encodeURIComponent(decodeURIComponent(text)).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function signingKeyFor(secret: string, day: string, region: string, service: string): Buffer {
  const name = `${secret}/${day}/${region}/${service}`;
  const known = signingKeys.get(name);
  if (known) return known;
  const key = ["aws4_request"].reduce(hmac, hmac(hmac(hmac(Buffer.from(`AWS4${secret}`), day), region), service));
  if (signingKeys.size > 1000) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(",") : value;
}
