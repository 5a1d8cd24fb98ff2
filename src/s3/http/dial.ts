// Opens connections: plain, over TLS, and through a proxy.
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Timeouts } from "../connection-options.ts";
import { Connection } from "./connection.ts";
import { TransportError } from "./message.ts";
import type { HttpProxy } from "./proxy.ts";
import { ReplyParser } from "./reply-parser.ts";

export interface Target {
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** Trusted certificates, PEM; Node's own list when left out. */
  readonly ca?: readonly string[];
  readonly proxy?: HttpProxy;
  readonly timeouts: Timeouts;
}

export async function dial(target: Target): Promise<Connection> {
  const parser = new ReplyParser();
  let connection: Connection | undefined;
  const onread = {
    buffer: () => parser.room(),
    callback: (count: number, buffer: Uint8Array) => {
      connection?.receive(buffer.subarray(0, count));
      return true;
    },
  };
  const limit = AbortSignal.timeout(target.timeouts.connectMs);
  const { host, port, proxy } = target;
  const secure = { servername: isIP(host) === 0 ? host : "", ...(target.ca ? { ca: [...target.ca] } : {}) };
  let socket: Socket;
  if (target.tls && proxy) {
    const tunnel = await openTunnel(proxy, `${host.includes(":") ? `[${host}]` : host}:${port}`, limit);
    // A TLS socket on top of another one has no receive buffer of ours; its chunks are copied.
    socket = connectTls({ socket: tunnel, host, ...secure });
    socket.on("data", (chunk: Buffer) => connection?.receive(chunk));
    await established(socket, "secureConnect", `${host}:${port}`, limit);
  } else if (target.tls) {
    socket = connectTls({ host, port, ...secure, ...{ onread } });
    await established(socket, "secureConnect", `${host}:${port}`, limit);
  } else {
    socket = connectTcp({ host: proxy?.host ?? host, port: proxy?.port ?? port, onread });
    await established(socket, "connect", proxy ? `the proxy ${proxy.host}:${proxy.port}` : `${host}:${port}`, limit);
  }
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 30_000);
  connection = new Connection(socket, parser, target.timeouts);
  return connection;
}

function established(socket: Socket, event: "connect" | "secureConnect", where: string, limit: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy();
      reject(connectError(error, where));
    };
    const onLimit = () => fail(new Error("no connection in time"));
    const onClose = () => fail(new Error("the connection was closed at once"));
    socket.once("error", fail);
    socket.once("close", onClose);
    limit.addEventListener("abort", onLimit, { once: true });
    socket.once(event, () => {
      limit.removeEventListener("abort", onLimit);
      socket.off("error", fail);
      socket.off("close", onClose);
      resolve();
    });
  });
}

const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH/;

function connectError(error: Error, where: string): TransportError {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (untrusted.test(code)) return new TransportError("tls", `the certificate of ${where} is not trusted: ${error.message.split(";")[0]} (${code})`, { unsent: true, cause: error });
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) return new TransportError("connect", `${where} does not speak TLS: ${error.message}`, { unsent: true, cause: error });
  const inner = error instanceof AggregateError ? (error.errors[0] as Error).message : error.message;
  return new TransportError("connect", `${where} cannot be reached: ${inner}`, { unsent: true, cause: error });
}

async function openTunnel(proxy: HttpProxy, to: string, limit: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: proxy.host, port: proxy.port });
  await established(socket, "connect", `the proxy ${proxy.host}:${proxy.port}`, limit);
  const authorization = proxy.authorization === undefined ? "" : `proxy-authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n${authorization}\r\n`);
  return new Promise((resolve, reject) => {
    let answer = "";
    const fail = (why: string) => {
      socket.destroy();
      reject(new TransportError("proxy", `the proxy ${proxy.host}:${proxy.port} refused the way to ${to}: ${why}`, { unsent: true }));
    };
    const onLimit = () => fail("no answer in time");
    limit.addEventListener("abort", onLimit, { once: true });
    socket.once("error", (error) => fail(error.message));
    socket.once("close", () => fail("it closed the connection"));
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      if (!answer.includes("\r\n\r\n")) return;
      limit.removeEventListener("abort", onLimit);
      const [statusLine = ""] = answer.split("\r\n");
      if (!/^HTTP\/1\.[01] 2\d\d/.test(statusLine)) return fail(statusLine);
      socket.removeAllListeners();
      resolve(socket);
    });
  });
}
