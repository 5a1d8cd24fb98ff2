// Where a bucket's requests go.
import { isIP } from "node:net";
import { DriverError } from "../core/errors.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { directoryBucketZone } from "./session-credentials.ts";

export interface Endpoint {
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** What the Host header says. */
  readonly authority: string;
  /** What stands before "/key": "" or "/bucket", after the endpoint's own path. */
  readonly basePath: string;
}

export function endpointOf(options: ConnectionOptions, bucket: string): Endpoint {
  const url = baseUrl(options, bucket);
  const tls = url.protocol === "https:";
  const virtual = usesVirtualHost(options, url, bucket);
  const host = virtual ? `${bucket}.${url.hostname}` : url.hostname;
  const path = url.pathname.replace(/\/+$/, "");
  return {
    tls,
    host: host.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (tls ? 443 : 80) : Number(url.port),
    authority: url.port === "" ? host : `${host}:${url.port}`,
    basePath: virtual ? path : `${path}/${bucket}`,
  };
}

/** The endpoint before the bucket is put into it. Directory buckets have one in each zone. */
export function baseUrl(options: ConnectionOptions, bucket: string): URL {
  const { endpointUrl, region } = options;
  if (endpointUrl !== undefined) {
    const url = URL.canParse(endpointUrl) ? new URL(endpointUrl) : undefined;
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
      throw new DriverError("InvalidArgument", `the endpoint "${endpointUrl}" is not an http:// or https:// address`);
    return url;
  }
  const suffix = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const zone = directoryBucketZone(bucket);
  if (zone !== undefined) return new URL(`https://s3express-${zone}.${options.dualStack ? "dualstack." : ""}${region}.${suffix}`);
  if (options.accelerate) return new URL(`https://s3-accelerate.${options.dualStack ? "dualstack." : ""}${suffix}`);
  return new URL(`https://s3.${options.dualStack ? "dualstack." : ""}${region}.${suffix}`);
}

function usesVirtualHost(options: ConnectionOptions, url: URL, bucket: string): boolean {
  if (options.pathStyle || isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) return false;
  // A dot in the name would need a certificate that no one has.
  if (url.protocol === "https:" && bucket.includes(".")) return false;
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket);
}
