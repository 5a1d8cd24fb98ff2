import { test } from "uvu";
import * as assert from "uvu/assert";
import { DriverError } from "../../src/core/errors.ts";
import { keysFromSecrets, unknownSecretFields } from "../../src/csi/secrets.ts";

test("no secrets mean the driver's own keys", () => {
  assert.is(keysFromSecrets({}), undefined);
});

test("all four fields are taken, trimmed", () => {
  assert.equal(keysFromSecrets({ access_key_id: " AK\n", secret_access_key: "sk/+=", session_token: "tok", region: "eu-1", other: "x" }), {
    accessKeyId: "AK",
    secretAccessKey: "sk/+=",
    sessionToken: "tok",
    region: "eu-1",
  });
  assert.equal(unknownSecretFields({ access_key_id: "a", other: "x" }), ["other"]);
});

const bad: [string, Record<string, string>, RegExp][] = [
  ["no secret key", { access_key_id: "TOPSECRET" }, /lacks secret_access_key/],
  ["no access key", { secret_access_key: "TOPSECRET" }, /lacks access_key_id/],
  ["an empty access key", { access_key_id: "", secret_access_key: "TOPSECRET" }, /lacks access_key_id/],
  ["a line break in the secret key", { access_key_id: "AK", secret_access_key: "TOPSECRET\naws_x = y" }, /secret_access_key has characters/],
  ["a line break in the token", { access_key_id: "AK", secret_access_key: "s", session_token: "TOPSECRET\n[other]" }, /session_token has characters/],
  ["a bracket in the access key", { access_key_id: "[TOPSECRET]", secret_access_key: "s" }, /access_key_id has characters/],
  ["a megabyte of key", { access_key_id: "TOPSECRET".repeat(120_000), secret_access_key: "s" }, /access_key_id has characters/],
  ["a region with a space", { access_key_id: "AK", secret_access_key: "s", region: "TOPSECRET 1" }, /region has characters/],
];
for (const [title, secrets, text] of bad) {
  test(`refused without showing it: ${title}`, () => {
    assert.throws(
      () => keysFromSecrets(secrets),
      (error: unknown) => error instanceof DriverError && error.code === "InvalidArgument" && text.test(error.message) && !error.message.includes("TOPSECRET"),
    );
  });
}

test.run();
