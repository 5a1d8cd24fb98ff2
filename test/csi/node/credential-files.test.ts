import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CommDirectory } from "../../../src/csi/node/comm-directory.ts";
import { credentialsMessage, removeCredentialFiles, writeCredentialFiles } from "../../../src/csi/node/credential-files.ts";
import { type TemporaryFolder, temporaryFolder } from "../../bed/temporary-folder.ts";

const test = suite<{ folder: TemporaryFolder; comm: string }>("credential files");
test.before.each(async (context) => {
  context.folder = await temporaryFolder("comm", "memory");
  context.comm = path.join(context.folder.path, "comm");
  mkdirSync(context.comm);
});
test.after.each(({ folder }) => folder.remove());
const keys = { accessKeyId: "AK", secretAccessKey: "SK", sessionToken: "TOK", region: "eu-1" };

test("one set of files, readable by the daemon's group only", async ({ comm }) => {
  await using directory = await CommDirectory.open(comm);
  assert.ok(await writeCredentialFiles(directory, keys));
  const files = path.join(comm, "credentials");
  assert.equal(readdirSync(files).sort(), ["s3-csi-config", "s3-csi-credentials"]);
  assert.is(statSync(files).mode & 0o777, 0o750);
  assert.is(statSync(path.join(files, "s3-csi-credentials")).mode & 0o777, 0o640);
  assert.is(readFileSync(path.join(files, "s3-csi-credentials"), "utf8"), "[s3-csi]\naws_access_key_id = AK\naws_secret_access_key = SK\naws_session_token = TOK\n");
  assert.is(readFileSync(path.join(files, "s3-csi-config"), "utf8"), "[profile s3-csi]\nregion = eu-1\n");
});

test("unchanged keys are not written again, changed ones replace the file", async ({ comm }) => {
  await using directory = await CommDirectory.open(comm);
  await writeCredentialFiles(directory, keys);
  const file = path.join(comm, "credentials", "s3-csi-credentials");
  const { ino } = statSync(file);
  assert.not(await writeCredentialFiles(directory, keys));
  assert.is(statSync(file).ino, ino);
  assert.ok(await writeCredentialFiles(directory, { ...keys, secretAccessKey: "NEW" }));
  assert.is.not(statSync(file).ino, ino);
  await removeCredentialFiles(directory);
  assert.equal(readdirSync(comm), []);
});

test("a daemon's symbolic link does not lead the keys elsewhere", async ({ comm, folder }) => {
  const outside = path.join(folder.path, "outside");
  mkdirSync(outside);
  symlinkSync(outside, path.join(comm, "credentials"));
  await using directory = await CommDirectory.open(comm);
  let refused = "";
  await writeCredentialFiles(directory, keys).catch((error: Error) => {
    refused = error.message;
  });
  assert.match(refused, /not a directory of the driver/);
  assert.equal(readdirSync(outside), []);
});

test("the daemon is told its own name of the directory", () => {
  assert.equal(credentialsMessage(keys, "/comm").source, {
    $case: "files",
    files: { profile: "s3-csi", configFile: "/comm/credentials/s3-csi-config", credentialsFile: "/comm/credentials/s3-csi-credentials" },
  });
  assert.is(credentialsMessage(undefined, "/comm").source?.$case, "anonymous");
});

test.run();
