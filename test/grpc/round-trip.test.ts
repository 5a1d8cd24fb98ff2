// Real servers and clients over real sockets.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { once } from "node:events";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { IdentityDefinition, NodeDefinition } from "../../generated/proto/csi.ts";
import { DriverError, type ErrorCode } from "../../src/core/errors.ts";
import { createLogger, silentLogger } from "../../src/core/log.ts";
import { connect } from "../../src/grpc/client.ts";
import { type GrpcServer, type ServeOptions, serve } from "../../src/grpc/server.ts";
import { implement } from "../../src/grpc/service.ts";

const test = suite("grpc", { folder: "", servers: [] as GrpcServer[] });
const limit = () => AbortSignal.timeout(60_000);

test.before.each(async (context) => {
  context.folder = await mkdtemp(path.join(os.tmpdir(), "grpc-"));
});

test.after.each(async (context) => {
  for (const server of context.servers.splice(0)) await server.stop(AbortSignal.abort());
  await rm(context.folder, { recursive: true, force: true });
});

type Context = { folder: string; servers: GrpcServer[] };

async function start(context: Context, options: Partial<ServeOptions> & Pick<ServeOptions, "services">): Promise<GrpcServer> {
  const server = await serve({ endpoint: `unix://${context.folder}/csi.sock`, logger: silentLogger, ...options });
  context.servers.push(server);
  return server;
}

const identity = implement(IdentityDefinition, { getPluginInfo: async () => ({ name: "n", vendorVersion: "v" }) });

async function failure(promise: Promise<unknown>): Promise<DriverError> {
  const error = await promise.then(
    () => assert.unreachable("the call should have failed"),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, DriverError);
  return error as DriverError;
}

test("a call goes there and back", async (context) => {
  const { socketPath } = await start(context, { services: [identity] });
  using client = connect(IdentityDefinition, { endpoint: `unix://${socketPath}` });
  assert.equal((await client.call.getPluginInfo({}, { signal: limit() })).name, "n");
});

test("the socket is for its owner alone", async (context) => {
  const { socketPath } = await start(context, { services: [identity] });
  assert.is((await stat(socketPath)).mode & 0o777, 0o600);
});

test("a missing RPC answers UNIMPLEMENTED and says its name", async (context) => {
  const { socketPath } = await start(context, { services: [identity] });
  using client = connect(IdentityDefinition, { endpoint: socketPath });
  const error = await failure(client.call.probe({}, { signal: limit() }));
  assert.is(error.code, "Unimplemented");
  assert.match(error.message, "Probe is not implemented");
});

test("a service that is not there at all answers UNIMPLEMENTED", async (context) => {
  const { socketPath } = await start(context, { services: [identity] });
  using client = connect(NodeDefinition, { endpoint: socketPath });
  assert.is((await failure(client.call.nodeGetInfo({}, { signal: limit() }))).code, "Unimplemented");
});

for (const code of ["BucketMissing", "Busy", "NotPermitted", "Throttled", "Internal"] as const satisfies ErrorCode[]) {
  test(`${code} comes back as ${code}, with message, causes, errno and retryable`, async (context) => {
    const thrown = new DriverError(code, "outer", { cause: new Error("inner"), errno: 42, retryable: true });
    const probe = async () => {
      throw thrown;
    };
    const { socketPath } = await start(context, { services: [implement(IdentityDefinition, { probe })] });
    using client = connect(IdentityDefinition, { endpoint: socketPath });
    const error = await failure(client.call.probe({}, { signal: limit() }));
    assert.equal([error.code, error.message, error.errno, error.retryable], [code, "outer: inner", 42, true]);
  });
}

test("an unknown exception is INTERNAL and keeps its message", async (context) => {
  const probe = async () => {
    throw new TypeError("oops");
  };
  const { socketPath } = await start(context, { services: [implement(IdentityDefinition, { probe })] });
  using client = connect(IdentityDefinition, { endpoint: socketPath });
  const error = await failure(client.call.probe({}, { signal: limit() }));
  assert.equal([error.code, error.message], ["Internal", "oops"]);
});

test("a client that gives up ends the handler's signal", async (context) => {
  const seen = Promise.withResolvers<void>();
  const probe = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", () => seen.resolve());
    giveUp.abort(new DriverError("DeadlineExceeded", "enough"));
    await seen.promise;
    return {};
  };
  const giveUp = new AbortController();
  const { socketPath } = await start(context, { services: [implement(IdentityDefinition, { probe })] });
  using client = connect(IdentityDefinition, { endpoint: socketPath });
  const error = await failure(client.call.probe({}, { signal: giveUp.signal }));
  assert.equal([error.code, error.message], ["DeadlineExceeded", "enough"]);
  await seen.promise;
});

test("nobody there is Unavailable and worth a retry", async (context) => {
  using client = connect(IdentityDefinition, { endpoint: `${context.folder}/nobody.sock` });
  const error = await failure(client.call.probe({}, { signal: limit() }));
  assert.equal([error.code, error.retryable], ["Unavailable", true]);
});

test("the socket of a killed predecessor is replaced", async (context) => {
  const socketPath = `${context.folder}/csi.sock`;
  const child = spawn(process.execPath, ["-e", `require("net").createServer().listen(${JSON.stringify(socketPath)}, () => console.log("up"))`]);
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.ok((await stat(socketPath)).isSocket());
  await start(context, { services: [identity] });
  using client = connect(IdentityDefinition, { endpoint: socketPath });
  await client.call.getPluginInfo({}, { signal: limit() });
});

test("a file that is no socket is left alone", async (context) => {
  await writeFile(`${context.folder}/csi.sock`, "precious");
  const error = await failure(start(context, { services: [identity] }));
  assert.is(error.code, "FailedPrecondition");
  assert.match(error.message, "is not a socket");
});

test("stop lets the running call end, refuses new ones and removes the socket", async (context) => {
  const entered = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const probe = async () => {
    entered.resolve();
    await leave.promise;
    return { ready: true };
  };
  const server = await start(context, { services: [implement(IdentityDefinition, { probe })] });
  using client = connect(IdentityDefinition, { endpoint: server.socketPath });
  const running = client.call.probe({}, { signal: limit() });
  await entered.promise;
  const stopped = server.stop(limit());
  leave.resolve();
  assert.is((await running).ready, true);
  await stopped;
  context.servers.length = 0;
  assert.not(await stat(server.socketPath).catch(() => undefined));
  assert.is((await failure(client.call.probe({}, { signal: limit() }))).code, "Unavailable");
});

test("stop leaves the socket of a successor alone", async (context) => {
  const first = await start(context, { services: [identity] });
  const second = await start(context, { services: [identity] });
  await first.stop(limit());
  context.servers.shift();
  using client = connect(IdentityDefinition, { endpoint: second.socketPath });
  await client.call.getPluginInfo({}, { signal: limit() });
  assert.equal(await readdir(context.folder), ["csi.sock"]);
});

test("stop with an aborted signal does not wait for a stuck call", async (context) => {
  const probe = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    await once(signal, "abort");
    return {};
  };
  const server = await start(context, { services: [implement(IdentityDefinition, { probe })] });
  using client = connect(IdentityDefinition, { endpoint: server.socketPath });
  const stuck = failure(client.call.probe({}, { signal: limit() }));
  await server.stop(AbortSignal.timeout(100));
  await stuck;
  context.servers.length = 0;
});

test("a client finds a restarted server again", async (context) => {
  const first = await start(context, { services: [identity] });
  using client = connect(IdentityDefinition, { endpoint: first.socketPath });
  await client.call.getPluginInfo({}, { signal: limit() });
  await first.stop(AbortSignal.abort());
  context.servers.length = 0;
  await start(context, { services: [identity] });
  const until = limit();
  for (;;) {
    const answer = await client.call.getPluginInfo({}, { signal: until }).catch((error: DriverError) => error);
    if (!(answer instanceof DriverError)) break;
    assert.is(answer.code, "Unavailable");
  }
});

test("a message over the limit is refused as ResourceExhausted", async (context) => {
  const { socketPath } = await start(context, { services: [implement(NodeDefinition, {})], maxReceiveBytes: 1024 });
  using client = connect(NodeDefinition, { endpoint: socketPath });
  const error = await failure(client.call.nodePublishVolume({ volumeId: "x".repeat(2000) }, { signal: limit() }));
  assert.is(error.code, "ResourceExhausted");
});

test("paths longer than the kernel's 107 bytes work on both sides", async (context) => {
  const folder = path.join(context.folder, "d".repeat(120));
  await mkdir(folder);
  const { socketPath } = await start(context, { endpoint: `unix://${folder}/csi.sock`, services: [identity] });
  using client = connect(IdentityDefinition, { endpoint: socketPath });
  assert.is((await client.call.getPluginInfo({}, { signal: limit() })).name, "n");
  assert.is((await stat(socketPath)).mode & 0o777, 0o600);
});

test("logs tell the call and its end, never a secret", async (context) => {
  const lines: string[] = [];
  const logger = createLogger({ level: "trace", component: "test", write: (line) => lines.push(line) });
  const nodePublishVolume = async () => {
    throw new DriverError("NotFound", "no such bucket");
  };
  const { socketPath } = await start(context, { services: [implement(NodeDefinition, { nodePublishVolume })], logger });
  using client = connect(NodeDefinition, { endpoint: socketPath });
  const volumeContext = { bucketName: "b", "csi.storage.k8s.io/serviceAccount.tokens": "TOKEN-VALUE" };
  await failure(client.call.nodePublishVolume({ volumeId: "vol-1", secrets: { access_key_id: "SECRET-VALUE" }, volumeContext }, { signal: limit() }));
  const text = lines.join("");
  assert.match(text, "/csi.v1.Node/NodePublishVolume");
  assert.match(text, "vol-1");
  assert.match(text, '"status":"NOT_FOUND"');
  assert.match(text, "no such bucket");
  assert.not.match(text, "SECRET-VALUE");
  assert.not.match(text, "TOKEN-VALUE");
});

test("an endpoint that is no absolute path is refused", async (context) => {
  for (const endpoint of ["unix://tmp/csi.sock", "tcp://0.0.0.0:1", "csi.sock", ""]) {
    const error = await failure(start(context, { endpoint, services: [identity] }));
    assert.is(error.code, "InvalidArgument");
  }
});

test("a place where no socket can be made is named in the error", async (context) => {
  await writeFile(`${context.folder}/file`, "");
  const error = await failure(start(context, { endpoint: `unix://${context.folder}/file/csi.sock`, services: [identity] }));
  assert.match(error.message, `cannot listen on ${context.folder}/file/csi.sock`);
});

test.run();
