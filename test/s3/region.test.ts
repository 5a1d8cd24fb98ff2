// A bucket in another region than the one asked: followed once where the user left it open, told where the user insisted.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { hasCode } from "../../src/core/errors.ts";
import { checkBucket } from "../../src/s3/check-bucket.ts";
import { createS3Store, type S3StoreOptions } from "../../src/s3/client.ts";
import { anonymousCredentials, staticCredentials } from "../../src/s3/credentials.ts";
import { type EmbeddedS3, startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";

const signal = AbortSignal.timeout(60_000);
const [home, other] = ["eu-central-1", "us-east-1"];

/** One that serves only its own region, and one that serves all but knows where a bucket is. */
const kinds = [
  ["400 AuthorizationHeaderMalformed", { region: home }],
  ["301 PermanentRedirect", {}],
] as const;

for (const [answer, kind] of kinds) {
  const withServer = async (use: (s3: EmbeddedS3, options: S3StoreOptions) => Promise<void>) => {
    const s3 = await startEmbeddedS3({ buckets: ["b"], ...kind });
    s3.bucket("b").region = home;
    s3.bucket("b").put("k", "content");
    const options = { bucket: "b", region: other, endpointUrl: s3.endpoint, pathStyle: true, credentials: staticCredentials(s3.key) };
    try {
      await use(s3, options);
    } finally {
      await s3.stop();
    }
  };

  test(`${answer}: the check follows once and says where the bucket is`, () =>
    withServer(async (s3, options) => {
      assert.is(await checkBucket({ ...options, signal }), home);
      assert.equal(statuses(s3), [Number(answer.slice(0, 3)), 200]);
      s3.counters.reset();
      assert.is(await checkBucket({ ...options, region: home, signal }), home);
      assert.equal(statuses(s3), [200], "nothing to follow");
    }));

  test(`${answer}: every call follows, HEAD without a document too, and only the first one pays for it`, () =>
    withServer(async (s3, options) => {
      for (const first of ["head", "put", "list"] as const) {
        const store = createS3Store(options);
        s3.counters.reset();
        const calls = { head: () => store.head("k", signal), put: () => store.put({ key: "new", body: [Buffer.from("x")], signal }), list: () => store.list({ prefix: "", signal }) };
        await calls[first]();
        await store.head("k", signal);
        assert.is(s3.counters.requests, 3, first);
        await store.deleteMany(["new"], signal);
        await store.close();
      }
    }));

  test(`${answer}: a region that the user gave is not left, and the right one is named`, () =>
    withServer(async (s3, options) => {
      const error = await checkBucket({ ...options, regionFixed: true, signal }).catch((e: unknown) => e);
      assert.ok(hasCode(error, "InvalidArgument"), String(error));
      assert.is((error as Error).message, `the bucket "b" is in the region ${home}, not in ${other}; give --region ${home}`);
      assert.is(s3.counters.requests, 1, "not tried again");
    }));
}

test("without a signature too", async () => {
  const s3 = await startEmbeddedS3({ buckets: ["public"], region: other });
  s3.bucket("public").isPublic = true;
  s3.bucket("public").region = home;
  const options = { bucket: "public", region: other, endpointUrl: s3.endpoint, pathStyle: true, credentials: anonymousCredentials, signal };
  // The endpoint is the user's, so there is nowhere to go; but the cause is told.
  assert.match(String(await checkBucket(options).catch((e: unknown) => e)), /"public" is in the region eu-central-1, which http:.* does not serve; give the endpoint of that region/);
  await s3.stop();
});

test("AWS's own endpoints: the connection moves to the other region's host", async () => {
  const folder = await temporaryFolder("region");
  const host = (region: string) => `s3.${region}.amazonaws.com`;
  const tls = certificateFor([`*.${host(home)}`, `*.${host(other)}`]);
  const ca = path.join(folder.path, "ca.pem");
  writeFileSync(ca, tls.cert);
  const here = await startEmbeddedS3({ buckets: ["bucket"], tls, region: home, domain: host(home) });
  const there = await startEmbeddedS3({ buckets: ["bucket"], tls, region: other, domain: host(other), key: here.key });
  for (const s3 of [here, there]) s3.bucket("bucket").region = home;
  here.bucket("bucket").put("k", "content");
  const proxy = await tunnelTo({ [`bucket.${host(home)}:443`]: here.port, [`bucket.${host(other)}:443`]: there.port });
  const store = createS3Store({ bucket: "bucket", region: other, credentials: staticCredentials(here.key), caBundle: ca, proxyEnv: { HTTPS_PROXY: proxy.url } });
  try {
    assert.is((await store.head("k", signal)).size, 7);
    assert.equal(proxy.asked, [`bucket.${host(other)}:443`, `bucket.${host(home)}:443`]);
    assert.equal([statuses(there), statuses(here)], [[301], [200]]);
  } finally {
    await store.close();
    await Promise.all([here.stop(), there.stop(), proxy.stop(), folder.remove()]);
  }
});

test.run();

function statuses(s3: EmbeddedS3): number[] {
  return s3.counters.log.map((request) => request.status);
}

/** A proxy that knows the way to hosts that do not exist. */
async function tunnelTo(ports: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connect", (request, socket: Socket) => {
    asked.push(request.url ?? "");
    const onward = connect(ports[request.url ?? ""] ?? 1, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on("error", () => {});
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, stop };
}

function certificateFor(names: readonly string[]): { key: string; cert: string } {
  const alternatives = names.map((name) => `DNS:${name}`).join(",");
  const out = execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "-", "-out", "-", "-days", "2", "-subj", "/CN=test", "-addext", `subjectAltName=${alternatives}`], { stdio: ["ignore", "pipe", "ignore"] }).toString();
  const block = (name: string) => new RegExp(`-----BEGIN ${name}-----[\\s\\S]*?-----END ${name}-----`).exec(out)?.[0] ?? "";
  return { key: block("PRIVATE KEY"), cert: block("CERTIFICATE") };
}
