// HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in either case.

export interface HttpProxy {
  readonly host: string;
  readonly port: number;
  /** Of a Proxy-Authorization header. */
  readonly authorization?: string;
}

export function proxyFor(target: { readonly tls: boolean; readonly host: string; readonly port: number }, env: Readonly<Record<string, string | undefined>>): HttpProxy | undefined {
  const get = (name: string) => env[name] ?? env[name.toLowerCase()];
  const value = (target.tls ? get("HTTPS_PROXY") : get("HTTP_PROXY")) ?? get("ALL_PROXY");
  if (!value || isExcepted(target, get("NO_PROXY") ?? "")) return undefined;
  const url = new URL(value.includes("://") ? value : `http://${value}`);
  const user = url.username === "" ? undefined : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    host: url.hostname,
    port: url.port === "" ? 80 : Number(url.port),
    ...(user === undefined ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` }),
  };
}

function isExcepted(target: { readonly host: string; readonly port: number }, list: string): boolean {
  return list
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [name = "", port] = entry.split(":");
      if (port !== undefined && Number(port) !== target.port) return false;
      const bare = name.replace(/^\*?\./, "");
      return target.host === bare || target.host.endsWith(`.${bare}`);
    });
}
