// Sessions of directory buckets: got once, renewed in time, got anew when they or the keys behind them are no good any more.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DriverError, hasCode } from "../../src/core/errors.ts";
import { checkBucket } from "../../src/s3/check-bucket.ts";
import { createS3Store } from "../../src/s3/client.ts";
import { type Credentials, type CredentialsSource, staticCredentials, SwappableCredentials } from "../../src/s3/credentials.ts";
import { endpointOf } from "../../src/s3/endpoint.ts";
import type { ObjectStore } from "../../src/s3/object-store.ts";
import { directoryBucketZone, SessionCredentials } from "../../src/s3/session-credentials.ts";
import { type EmbeddedS3, startEmbeddedS3 } from "../bed/embedded-s3/server.ts";

const signal = AbortSignal.timeout(60_000);
const bucket = "data--usw2-az1--x-s3";

async function withStore(use: (store: ObjectStore, s3: EmbeddedS3, keys: SwappableCredentials) => Promise<void>): Promise<void> {
  const s3 = await startEmbeddedS3({ buckets: [bucket] });
  s3.bucket(bucket).put("k", "content");
  const keys = new SwappableCredentials(staticCredentials(s3.key));
  const store = createS3Store({ bucket, region: "us-west-2", endpointUrl: s3.endpoint, pathStyle: true, credentials: keys });
  try {
    await use(store, s3, keys);
  } finally {
    await store.close();
    await s3.stop();
  }
}

test("one session serves every call, however many begin at once", () =>
  withStore(async (store, s3) => {
    await Promise.all(Array.from({ length: 20 }, () => store.head("k", signal)));
    assert.is(s3.counters.of("CreateSession"), 1);
    // The keys themselves are not needed any more: it is the session that signs.
    s3.accounts.revoke(s3.key.accessKeyId);
    const { etag } = await store.put({ key: "new", body: [Buffer.from("1")], signal });
    const into = Buffer.alloc(1);
    await store.get({ key: "new", offset: 0, length: 1, into, ifMatch: etag, signal });
    await store.rename({ sourceKey: "new", key: "newer", noReplace: true, signal });
    await store.list({ prefix: "", signal });
    await store.delete("newer", { signal });
    assert.is(s3.counters.of("CreateSession"), 1);
    assert.is(s3.counters.errors, 0);
  }));

test("a session that the store takes for ended is replaced, unseen; HEAD, which can't say why, included", () =>
  withStore(async (store, s3) => {
    await store.head("k", signal);
    s3.accounts.expireSessions();
    await store.head("k", signal);
    s3.accounts.expireSessions();
    await store.list({ prefix: "", signal });
    assert.is(s3.counters.of("CreateSession"), 3);
  }));

test("other keys, another session", () =>
  withStore(async (store, s3, keys) => {
    await store.head("k", signal);
    const next = s3.accounts.create("main").key;
    s3.accounts.revoke(s3.key.accessKeyId);
    s3.accounts.expireSessions();
    keys.swap(staticCredentials(next));
    await store.head("k", signal);
    assert.is(s3.counters.of("CreateSession"), 2);
    assert.is(s3.counters.errors, 0);
  }));

test("a store without sessions gets the plain keys, and is asked once", () =>
  withStore(async (store, s3) => {
    s3.faults.add({ operation: "CreateSession", fault: { kind: "status", status: 501, code: "NotImplemented" } });
    for (let i = 0; i < 3; i++) await store.head("k", signal);
    assert.is(s3.counters.of("CreateSession"), 1);
  }));

test("a session that is not to be had for the moment is asked for again", () =>
  withStore(async (store, s3) => {
    s3.faults.add({ operation: "CreateSession", times: 2, fault: { kind: "status", status: 503 } });
    await store.head("k", signal);
    assert.is(s3.counters.of("CreateSession"), 3);
  }));

test("the check says why there is no session", () =>
  withStore(async (_, s3) => {
    const why = (key: Credentials, name = bucket) =>
      checkBucket({ bucket: name, region: "us-west-2", endpointUrl: s3.endpoint, pathStyle: true, credentials: staticCredentials(key), signal }).catch((e: unknown) => e);
    assert.ok(hasCode(await why({ ...s3.key, secretAccessKey: "x" }), "BadCredentials"));
    assert.ok(hasCode(await why(s3.key, "none--usw2-az1--x-s3"), "BucketMissing"));
    const denied = await why(s3.accounts.create("somebody else").key);
    assert.ok(hasCode(denied, "AccessDenied"));
    assert.match(String(denied), /CreateSession/);
    assert.is(await why(s3.key), "us-west-2");
  }));

test("the zone is in the name, and the endpoint in the zone", () => {
  assert.equal([bucket, "plain", "plain--x-s3", "a--b--use1-az4--x-s3"].map(directoryBucketZone), ["usw2-az1", undefined, undefined, "use1-az4"]);
  assert.is(endpointOf({ region: "us-west-2" }, bucket).authority, `${bucket}.s3express-usw2-az1.us-west-2.amazonaws.com`);
  assert.is(endpointOf({ region: "us-west-2", endpointUrl: "http://10.0.0.1:8000" }, bucket).basePath, `/${bucket}`);
});

interface Made {
  readonly source: SessionCredentials;
  readonly clock: { now: number };
  readonly created: string[];
  fail?: Error;
  refused?: string;
}

function sessions(base: CredentialsSource = staticCredentials({ accessKeyId: "base", secretAccessKey: "s" })): Made {
  const made: Made = { clock: { now: 0 }, created: [], source: undefined as never };
  const create = async ({ accessKeyId }: Credentials): Promise<Credentials> => {
    await new Promise(setImmediate);
    if (made.fail) throw made.fail;
    if (made.refused === accessKeyId) throw new DriverError("BadCredentials", "no such key");
    made.created.push(accessKeyId);
    return { accessKeyId: `session-${made.created.length}`, secretAccessKey: "s", sessionToken: "t", expiresMs: made.clock.now + 300_000 };
  };
  return Object.assign(made, { source: new SessionCredentials({ base, create, now: () => made.clock.now }) });
}

test("renewed while it is still good, so that nobody waits; waited for when it is not", async () => {
  const made = sessions();
  const key = async () => (await made.source.get())?.accessKeyId;
  assert.is(await key(), "session-1");
  made.clock.now = 200_000;
  assert.is(await key(), "session-1");
  made.clock.now = 220_000;
  assert.is(await key(), "session-1", "on its way");
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.is(await key(), "session-2");
  made.clock.now += 299_000;
  assert.is(await key(), "session-3", "too late for the old one");
  assert.is(made.created.length, 3);
});

test("a renewal that fails spoils nothing while the session is good", async () => {
  const made = sessions();
  await made.source.get();
  made.fail = new DriverError("Unavailable", "for the moment");
  made.clock.now = 250_000;
  assert.is((await made.source.get())?.accessKeyId, "session-1");
  await new Promise((resolve) => setTimeout(resolve, 10));
  made.clock.now = 290_000;
  assert.match(String(await made.source.get().catch((e: unknown) => e)), /for the moment/);
});

test("keys that were rotated a moment ago are looked up again", async () => {
  const given: Credentials[] = [{ accessKeyId: "old", secretAccessKey: "s" }];
  const made = sessions({ description: "rotating", get: () => given[0], doubt: () => void given.unshift({ accessKeyId: "new", secretAccessKey: "s" }) });
  made.refused = "old";
  assert.is((await made.source.get())?.accessKeyId, "session-1");
  assert.equal(made.created, ["new"]);
});

test("without keys there is no session", async () => {
  assert.is(await sessions({ description: "none", get: () => undefined }).source.get(), undefined);
});

test.run();
