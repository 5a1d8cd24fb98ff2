// What can go wrong between us and a store, made to happen: faults, TLS, proxies, time-outs, stale connections.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DriverError, type ErrorCode } from "../../src/core/errors.ts";
import { checkBucket } from "../../src/s3/check-bucket.ts";
import { createS3Store, type S3StoreOptions } from "../../src/s3/client.ts";
import { anonymousCredentials, staticCredentials } from "../../src/s3/credentials.ts";
import { proxyFor } from "../../src/s3/http/proxy.ts";
import { profileCredentials } from "../../src/s3/profile-credentials.ts";
import { startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";

const signal = AbortSignal.timeout(150_000);
const s3 = await startEmbeddedS3({ buckets: ["b"], domain: "localhost" });
const folder = await temporaryFolder("transport");
const options = (more: Partial<S3StoreOptions> = {}): S3StoreOptions => ({
  bucket: "b", region: "us-east-1", endpointUrl: s3.endpoint, pathStyle: true, credentials: staticCredentials(s3.key), ...more,
});
const body = randomBytes(300_000);
s3.bucket("b").put("k", body);
const etag = `"${s3.bucket("b").object("k").etag}"`;

/** Runs with a store of its own and no faults left over. */
const withStore = async (run: (store: ReturnType<typeof createS3Store>) => Promise<void>, more: Partial<S3StoreOptions> = {}) => {
  const store = createS3Store(options(more));
  try {
    await run(store);
  } finally {
    s3.faults.clear();
    await store.close();
  }
};
const read = async (store: ReturnType<typeof createS3Store>, ifMatch?: string) => {
  const into = Buffer.alloc(body.length);
  await store.get({ key: "k", offset: 0, length: body.length, into, signal, ...(ifMatch ? { ifMatch } : {}) });
  return into;
};

for (const fault of [
  { kind: "reset" }, { kind: "reset-mid-body" }, { kind: "truncated" }, { kind: "status", status: 500 }, { kind: "status", status: 503 }, { kind: "lost-reply" },
] as const) {
  test(`a read survives ${JSON.stringify(fault)} twice`, () =>
    withStore(async (store) => {
      s3.faults.add({ operation: "GetObject", times: 2, fault });
      assert.ok((await read(store)).equals(body));
      assert.is(s3.faults.hits, 2);
      s3.faults.clear();
      s3.faults.add({ operation: "GetObject", times: 2, fault });
      assert.ok((await read(store, etag)).equals(body), "resumed where it broke");
    }));
}

test("a body with another checksum than the store has is never given out", () =>
  withStore(async (store) => {
    await store.put({ key: "sum", body: [body], signal });
    const get = async () => {
      const into = Buffer.alloc(body.length);
      await store.get({ key: "sum", offset: 0, length: body.length, whole: true, into, signal });
      return into;
    };
    s3.faults.add({ operation: "GetObject", times: 1, fault: { kind: "corrupt" } });
    assert.ok((await get()).equals(body));
    s3.faults.add({ operation: "GetObject", fault: { kind: "wrong-checksum" } });
    await refused(get(), "ChecksumMismatch");
  }, { maxAttempts: 2 }));

test("refusals are not tried again", () =>
  withStore(async (store) => {
    for (const [status, code] of [[403, "AccessDenied"], [404, "NotFound"], [412, "Stale"]] as const) {
      const seen = s3.counters.of("GetObject");
      s3.faults.clear();
      s3.faults.add({ operation: "GetObject", fault: { kind: "status", status } });
      await refused(read(store), code);
      assert.is(s3.counters.of("GetObject"), seen + 1);
    }
  }));

test("attempts are counted, Retry-After is respected", () =>
  withStore(async (store) => {
    const seen = s3.counters.of("HeadObject");
    s3.faults.add({ operation: "HeadObject", fault: { kind: "status", status: 503, retryAfter: "1" } });
    const started = performance.now();
    await refused(store.head("k", signal), "Throttled");
    assert.is(s3.counters.of("HeadObject"), seen + 2);
    assert.ok(performance.now() - started >= 1000);
  }, { maxAttempts: 2 }));

test("a conditional put whose reply was lost is known to be ours", () =>
  withStore(async (store) => {
    s3.faults.add({ operation: "PutObject", times: 1, fault: { kind: "lost-reply" } });
    const put = await store.put({ key: "once", body: [body], ifNoneMatch: true, signal });
    assert.is(put.etag, `"${s3.bucket("b").object("once").etag}"`);
    s3.faults.clear();
    s3.faults.add({ operation: "PutObject", times: 1, fault: { kind: "lost-reply" } });
    await refused(store.put({ key: "once", body: [Buffer.from("other")], ifNoneMatch: true, signal }), "AlreadyExists");
  }));

test("a completion whose reply was lost is known to be ours", () =>
  withStore(async (store) => {
    const upload = await store.createUpload("completed", {}, signal);
    const parts = [await store.uploadPart(upload, 1, [body], signal)];
    s3.faults.add({ operation: "CompleteMultipartUpload", times: 1, fault: { kind: "lost-reply" } });
    const done = await store.completeUpload(upload, parts, { ifNoneMatch: true, signal });
    assert.is(done.etag, `"${s3.bucket("b").object("completed").etag}"`);
  }));

test("5 % of all requests fail: every byte right, nothing left behind", () =>
  withStore(async (store) => {
    for (const fault of [{ kind: "reset" }, { kind: "truncated" }, { kind: "status", status: 503 }, { kind: "lost-reply" }, { kind: "slow", ms: 20 }] as const)
      s3.faults.add({ ratio: 0.01, fault });
    const one = async (i: number) => {
      const content = randomBytes(1 + (i % 5000));
      await store.put({ key: `many/${i}`, body: [content], ifNoneMatch: true, signal });
      const into = Buffer.alloc(content.length);
      await store.get({ key: `many/${i}`, offset: 0, length: content.length, into, signal });
      assert.ok(into.equals(content));
    };
    for (let i = 0; i < 1000; i += 50) await Promise.all(Array.from({ length: 50 }, (_, n) => one(i + n)));
  }));

test("connections are reused, and one that was closed meanwhile costs no attempt", () =>
  withStore(async (store) => {
    await store.head("k", signal);
    const before = s3.counters.connections;
    for (let i = 0; i < 20; i++) await store.head("k", signal);
    assert.is(s3.counters.connections, before);
    s3.dropConnections();
    await store.head("k", signal);
    assert.is(s3.counters.connections, before + 1);
  }, { maxAttempts: 1 }));

test("no more connections than allowed; waiters get their turn", () =>
  withStore(async (store) => {
    s3.dropConnections();
    const before = s3.counters.connections;
    await Promise.all(Array.from({ length: 50 }, () => store.head("k", signal)));
    assert.ok(s3.counters.connections - before <= 3);
  }, { maxConnections: 3 }));

test("a store that never answers, and one that stops within a body, is given up", async () => {
  await withStore(async (store) => {
    s3.faults.add({ operation: "HeadObject", fault: { kind: "hang" } });
    await refused(store.head("k", signal), "DeadlineExceeded");
  }, { maxAttempts: 1, timeouts: { firstByteMs: 200 } });
});

test("a completion is given the time that a store needs to put the parts together", () =>
  withStore(async (store) => {
    const upload = await store.createUpload("slowly", {}, signal);
    const parts = [await store.uploadPart(upload, 1, [Buffer.alloc(32 << 20)], signal)];
    s3.faults.add({ operation: "CompleteMultipartUpload", fault: { kind: "slow", ms: 2000 } });
    assert.is((await store.completeUpload(upload, parts, { signal })).size, 32 << 20);
    assert.is(s3.faults.hits, 1, "asked once");
  }, { timeouts: { firstByteMs: 200 } }));

test("a copy is given the time that a store needs for it", () =>
  withStore(async (store) => {
    await store.put({ key: "source", body: [Buffer.alloc(16 << 20)], signal });
    s3.faults.add({ operation: "CopyObject", fault: { kind: "slow", ms: 1000 } });
    await store.copy({ sourceKey: "source", sourceSize: 16 << 20, key: "copy", signal });
    assert.is(s3.faults.hits, 1, "asked once");
  }, { timeouts: { firstByteMs: 200 } }));

test("a closed store ends its calls with Cancelled", async () => {
  const store = createS3Store(options());
  s3.faults.add({ operation: "HeadObject", fault: { kind: "hang" } });
  const call = refused(store.head("k", signal), "Cancelled");
  await store.list({ prefix: "", signal });
  await store.close();
  await call;
  s3.faults.clear();
});

test("keys that were rotated a moment ago are looked up again, for reads and for HEAD", async () => {
  const credentialsFile = path.join(folder.path, "credentials");
  const write = (key: { accessKeyId: string; secretAccessKey: string }) =>
    writeFileSync(credentialsFile, `[default]\naws_access_key_id = ${key.accessKeyId}\naws_secret_access_key = ${key.secretAccessKey}\n`);
  const first = s3.accounts.create("main").key;
  write(first);
  await withStore(async (store) => {
    await store.head("k", signal);
    write(s3.accounts.create("main").key);
    s3.accounts.revoke(first.accessKeyId);
    await store.list({ prefix: "", signal });
  }, { credentials: profileCredentials({ profile: "default", credentialsFile }), maxAttempts: 1 });
  const session = s3.accounts.createSession(s3.account, { ttlMs: -1 });
  await withStore((store) => refused(store.head("k", signal), "BadCredentials"), { credentials: staticCredentials(session), maxAttempts: 1 });
});

test("virtual host: the bucket is in the host's name", () =>
  withStore(async (store) => {
    assert.ok((await read(store)).equals(body));
  }, { pathStyle: false, endpointUrl: `http://localhost:${s3.port}` }));

test("public buckets need no signature", async () => {
  s3.createBucket("public").isPublic = true;
  await checkBucket({ ...options({ bucket: "public", credentials: anonymousCredentials }), signal });
  await refused(checkBucket({ ...options({ credentials: anonymousCredentials }), signal }), "AccessDenied");
});

test("TLS with an authority of our own; without it, refused", async () => {
  const tls = certificates(folder.path);
  const secure = await startEmbeddedS3({ buckets: ["b"], tls, key: s3.key });
  try {
    const caBundle = path.join(folder.path, "ca.pem");
    const over = { endpointUrl: secure.endpoint, caBundle };
    await withStore(async (store) => {
      await store.put({ key: "over-tls", body: [body], signal });
      const into = Buffer.alloc(body.length);
      await store.get({ key: "over-tls", offset: 0, length: body.length, into, signal });
      assert.ok(into.equals(body));
      assert.equal(await store.listUploads("", signal), [], "the SDK trusts it too");
    }, over);
    await refused(checkBucket({ ...options({ endpointUrl: secure.endpoint }), signal }), "TlsUntrusted", /--ca-bundle/);
    await refused(checkBucket({ ...options({ endpointUrl: s3.endpoint.replace("http:", "https:") }), signal, maxAttempts: 1 }), "Unreachable", /does not speak TLS/);
    const proxy = await startProxy();
    await withStore(async (store) => {
      const into = Buffer.alloc(body.length);
      await store.get({ key: "over-tls", offset: 0, length: body.length, into, signal });
      assert.ok(into.equals(body));
      assert.is(proxy.tunnels(), 1);
    }, { ...over, proxyEnv: { HTTPS_PROXY: proxy.url } });
    await withStore(async (store) => {
      await store.head("over-tls", signal);
      assert.is(proxy.tunnels(), 1, "NO_PROXY goes straight");
    }, { ...over, proxyEnv: { HTTPS_PROXY: proxy.url, NO_PROXY: "127.0.0.1" } });
    await proxy.stop();
  } finally {
    await secure.stop();
  }
});

test("a plain proxy gets whole addresses", async () => {
  const proxy = await startProxy();
  await withStore(async (store) => {
    assert.ok((await read(store)).equals(body));
    assert.is(proxy.forwarded(), 1);
  }, { proxyEnv: { http_proxy: proxy.url } });
  await proxy.stop();
});

test("which proxy", () => {
  const at = (host: string, env: Record<string, string>) => proxyFor({ tls: true, host, port: 443 }, { HTTPS_PROXY: "http://u:p%40@proxy:3128", ...env });
  assert.equal(at("s3.example.com", {}), { host: "proxy", port: 3128, authorization: `Basic ${Buffer.from("u:p@").toString("base64")}` });
  assert.is(at("s3.example.com", { NO_PROXY: "other, .example.com" }), undefined);
  assert.is(at("s3.example.com", { no_proxy: "*" }), undefined);
  assert.ok(at("s3.example.com", { NO_PROXY: "s3.example.com:8443" }));
});

test.after(async () => {
  await s3.stop();
  await folder.remove();
});
test.run();

async function refused(promise: Promise<unknown>, code: ErrorCode, message?: RegExp): Promise<void> {
  const error = await promise.then(
    () => assert.unreachable(`should have failed with ${code}`),
    (e: unknown) => e,
  );
  assert.instance(error, DriverError);
  assert.is((error as DriverError).code, code, (error as DriverError).message);
  if (message) assert.match((error as DriverError).message, message);
}

/** An authority in ca.pem, and a certificate that it signed for 127.0.0.1. */
function certificates(inside: string): { key: string; cert: string } {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: inside, stdio: ["ignore", "pipe", "ignore"] }).toString();
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...newKey, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=test authority");
  openssl("req", ...newKey, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server");
  writeFileSync(path.join(inside, "extensions"), "subjectAltName=IP:127.0.0.1,DNS:localhost");
  const cert = openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2", "-extfile", "extensions");
  const key = openssl("pkey", "-in", "server.key");
  rmSync(path.join(inside, "server.key"));
  return { key, cert };
}

/** An HTTP proxy: CONNECT opens a tunnel, an absolute address is forwarded. */
async function startProxy() {
  let tunnels = 0;
  let forwarded = 0;
  const sockets = new Set<Socket>();
  const server = createHttpServer();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", (request, socket) => {
    tunnels++;
    const [host = "", port] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  server.on("request", async (request, response) => {
    forwarded++;
    const url = new URL(request.url ?? "");
    const { request: send } = await import("node:http");
    const onward = send({ host: url.hostname, port: url.port, path: `${url.pathname}${url.search}`, method: request.method, headers: request.headers, agent: false }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels: () => tunnels,
    forwarded: () => forwarded,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close").catch(() => {});
    },
  };
}
