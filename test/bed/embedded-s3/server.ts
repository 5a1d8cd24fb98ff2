// An S3 server in memory, for tests and the quickstart: signatures and checksums are checked, errors are S3's, and it can be
// made slow, flaky and wrong on purpose. Not for data that matters: it forgets everything when it stops.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { type AccessKey, type Account, Accounts } from "./accounts.ts";
import { Counters } from "./counters.ts";
import { Faults } from "./faults.ts";
import { createRequestHandler } from "./requests.ts";
import { type Bucket, State } from "./state.ts";

export interface EmbeddedS3Options {
  readonly host?: string;
  /** 0, the default: any free one. */
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The first account's key; random when left out. */
  readonly key?: AccessKey;
  /** Buckets of the first account that exist from the start. */
  readonly buckets?: readonly string[];
  /** Waited before each reply. */
  readonly latencyMs?: number;
  /** Bytes a second, for each reply's body. */
  readonly streamBandwidth?: number;
  /** Hosts under this domain name are virtual hosts: bucket.domain. */
  readonly domain?: string;
  /** Of this endpoint: requests signed for another one are refused. Any unless told. */
  readonly region?: string;
  /** What the server's clock is off by. */
  readonly clockOffsetMs?: number;
  /** For faults by ratio. */
  readonly random?: () => number;
}

/** What may be changed while it runs. */
export interface Knobs {
  latencyMs: number;
  streamBandwidth: number;
  clockOffsetMs: number;
}

export interface EmbeddedS3 {
  readonly endpoint: string;
  readonly port: number;
  readonly accounts: Accounts;
  readonly account: Account;
  readonly key: AccessKey;
  readonly counters: Counters;
  readonly faults: Faults;
  readonly knobs: Knobs;
  /** Direct access to what it holds. */
  bucket(name: string): Bucket;
  createBucket(name: string, account?: Account): Bucket;
  /** Cuts every connection; new ones are taken. */
  dropConnections(): void;
  stop(): Promise<void>;
}

export async function startEmbeddedS3(options: EmbeddedS3Options = {}): Promise<EmbeddedS3> {
  const state = new State();
  const accounts = new Accounts();
  const counters = new Counters();
  const faults = new Faults(options.random);
  const knobs: Knobs = {
    latencyMs: options.latencyMs ?? 0,
    streamBandwidth: options.streamBandwidth ?? 0,
    clockOffsetMs: options.clockOffsetMs ?? 0,
  };
  const { account, key } = accounts.create("main", options.key);
  for (const name of options.buckets ?? []) state.create(name, account);

  const onRequest = createRequestHandler({ state, accounts, counters, faults, knobs, domain: options.domain, region: options.region });
  const server = options.tls ? createTlsServer({ ...options.tls }, onRequest) : createServer(onRequest);
  server.keepAliveTimeout = 60_000;
  server.requestTimeout = 0;
  // Bodies may be refused before they are sent.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    response.writeContinue();
    onRequest(request, response);
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    counters.connections++;
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const host = options.host ?? "127.0.0.1";
  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `${options.tls ? "https" : "http"}://${host}:${port}`,
    port,
    accounts,
    account,
    key,
    counters,
    faults,
    knobs,
    bucket: (name) => state.bucket(name, state.buckets.get(name)?.owner),
    createBucket: (name, owner = account) => state.create(name, owner),
    dropConnections,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      dropConnections();
      await closed;
    },
  };
}
