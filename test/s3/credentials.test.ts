// Where credentials come from: environment, profile files that change, web identity at a real STS, a container's service.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { SwappableCredentials, staticCredentials } from "../../src/s3/credentials.ts";
import { defaultCredentials, webIdentityCredentials } from "../../src/s3/default-credentials.ts";
import { profileCredentials } from "../../src/s3/profile-credentials.ts";
import { sdkCredentials } from "../../src/s3/sdk-credentials.ts";
import { startMoto } from "../bed/moto.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";

const folder = await temporaryFolder("credentials");
const inside = (name: string) => path.join(folder.path, name);
const keys = (n: number) => ({ accessKeyId: `AKIA${n}`, secretAccessKey: `secret${n}` });
const file = (profile: string, n: number) => `[${profile}]\naws_access_key_id = AKIA${n}\naws_secret_access_key=secret${n}\n`;

test("the environment, with and without a session token", async () => {
  const env = { AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "secret1" };
  assert.equal(await defaultCredentials(env).get(), keys(1));
  assert.equal(await defaultCredentials({ ...env, AWS_SESSION_TOKEN: "t" }).get(), { ...keys(1), sessionToken: "t" });
});

test("a profile, from the credentials file or the config file; read again when it changes", async () => {
  const credentialsFile = inside("credentials");
  writeFileSync(credentialsFile, `; a comment\n${file("default", 1)}${file("other", 2)}aws_session_token = tok\n`);
  writeFileSync(inside("config"), file("profile third", 3));
  let now = 0;
  const named = (profile: string) => profileCredentials({ profile, credentialsFile, configFile: inside("config") }, () => now);
  assert.equal(await named("default").get(), keys(1));
  assert.equal(await named("other").get(), { ...keys(2), sessionToken: "tok" });
  assert.equal(await named("third").get(), keys(3));
  await rejects(named("none").get(), /no profile "none"/);
  const source = named("default");
  assert.equal(await source.get(), keys(1));
  writeFileSync(credentialsFile, file("default", 9));
  assert.equal(await source.get(), keys(1), "not looked at within a second");
  now = 1001;
  assert.equal(await source.get(), keys(9));
});

test("AWS_PROFILE and the files' places are respected", async () => {
  writeFileSync(inside("mine"), file("mine", 4));
  const env = { AWS_PROFILE: "mine", AWS_SHARED_CREDENTIALS_FILE: inside("mine"), AWS_CONFIG_FILE: inside("none"), AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "x" };
  assert.equal(await defaultCredentials(env).get(), keys(4));
});

test("a profile that names a process is left to the SDK", async () => {
  const said = JSON.stringify({ Version: 1, AccessKeyId: "AKIA5", SecretAccessKey: "secret5" });
  writeFileSync(inside("process"), `[p]\ncredential_process = echo '${said}'\n`);
  const found = await profileCredentials({ profile: "p", credentialsFile: inside("process"), configFile: inside("none") }).get();
  assert.is(found?.accessKeyId, "AKIA5");
});

test("a web identity token is exchanged at STS", async () => {
  await using moto = await startMoto({ signal: AbortSignal.timeout(90_000) });
  writeFileSync(inside("token"), "a.jwt.token");
  const source = webIdentityCredentials({
    AWS_WEB_IDENTITY_TOKEN_FILE: inside("token"),
    AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/reader",
    AWS_ENDPOINT_URL_STS: moto.endpoint,
    AWS_REGION: "us-east-1",
  });
  const found = await source.get();
  assert.match(found?.accessKeyId ?? "", /^ASIA/);
  assert.ok(found?.sessionToken);
  assert.ok((found?.expiresMs ?? 0) > Date.now());
});

test("a container's credentials service", async () => {
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ AccessKeyId: "AKIA6", SecretAccessKey: "secret6", Token: "tok6", Expiration: new Date(Date.now() + 3_600_000).toISOString() })),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/creds`;
  process.env["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = url;
  try {
    const found = await defaultCredentials({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url }).get();
    assert.equal([found?.accessKeyId, found?.sessionToken], ["AKIA6", "tok6"]);
  } finally {
    delete process.env["AWS_CONTAINER_CREDENTIALS_FULL_URI"];
    server.close();
  }
});

test("renewed before they run out, asked for once, and a failed renewal does not hurt while the old ones are good", async () => {
  let now = 0;
  let asked = 0;
  let broken = false;
  const provider = async () => {
    asked++;
    if (broken) throw new Error("no");
    return { ...keys(asked), expiration: new Date(now + 3_600_000) };
  };
  const source = sdkCredentials("a test", () => provider, () => now);
  const [a, b] = await Promise.all([source.get(), source.get()]);
  assert.equal([a?.accessKeyId, b?.accessKeyId, asked], ["AKIA1", "AKIA1", 1]);
  now = 3_600_000 - 60_000;
  broken = true;
  assert.is((await source.get())?.accessKeyId, "AKIA1");
  await new Promise((resolve) => setImmediate(resolve));
  now = 3_600_001;
  await rejects(Promise.resolve(source.get()), /no credentials from a test/);
  broken = false;
  assert.match((await source.get())?.accessKeyId ?? "", /^AKIA[3-9]$/);
});

test("a source can be exchanged", async () => {
  const source = new SwappableCredentials(staticCredentials(keys(1)));
  source.swap(staticCredentials(keys(2)));
  assert.equal(await source.get(), keys(2));
});

test.after(() => folder.remove());
test.run();

async function rejects(promise: Promise<unknown> | unknown, message: RegExp): Promise<void> {
  const error = await Promise.resolve(promise).then(
    () => assert.unreachable("should have failed"),
    (e: Error) => e,
  );
  assert.match((error as Error).message, message);
}
