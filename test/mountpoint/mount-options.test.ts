import { test } from "uvu";
import * as assert from "uvu/assert";
import { readArguments } from "../../src/mountpoint/arguments.ts";
import { mountOptions } from "../../src/mountpoint/mount-options.ts";
import { type OptionRule, optionTable } from "../../src/mountpoint/option-table.ts";

const read = (...args: string[]) => mountOptions("bucket", readArguments(args), {});
const fault = (run: () => unknown, message: RegExp) => {
  try {
    run();
  } catch (error) {
    return assert.match((error as Error).message, message);
  }
  assert.unreachable("should have been refused");
};

/** mount-s3's own, as its manual lists them. */
const mountS3 = [
  "prefix", "region", "endpoint-url", "force-path-style", "transfer-acceleration", "dual-stack", "requester-pays", "bucket-type", "no-sign-request", "profile",
  "read-only", "storage-class", "sse", "sse-kms-key-id", "expected-bucket-owner", "upload-checksums", "infer-content-type", "allow-delete", "allow-overwrite",
  "incremental-upload", "auto-unmount", "allow-root", "allow-other", "uid", "gid", "dir-mode", "file-mode", "maximum-throughput-gbps", "max-threads",
  "memory-target", "part-size", "read-part-size", "write-part-size", "ca-bundle", "bind", "foreground", "log-directory", "no-log", "debug", "debug-crt",
  "log-metrics", "otlp-endpoint", "otlp-export-interval", "cache", "max-cache-size", "cache-xz", "metadata-ttl", "negative-metadata-ttl", "user-agent-prefix",
  "cache-block-size",
];

test("no option of mount-s3 is unknown", () => {
  assert.equal(mountS3.filter((name) => !(name in optionTable)), []);
});

test("each is taken, or refused with a reason", () => {
  for (const name of mountS3) {
    const rule: OptionRule = optionTable[name as keyof typeof optionTable];
    const value = { flag: undefined, text: rule.choices?.[0] ?? "x", integer: String(Math.max(rule.min ?? 1, 1)), octal: "700", ttl: "5", list: "x" }[rule.kind];
    const argument = value === undefined ? `--${name}` : `--${name}=${value}`;
    if (rule.refused) fault(() => readArguments([argument]), new RegExp(`--${name} is not offered: `));
    else assert.ok(readArguments([argument]).values.has(name as keyof typeof optionTable), name);
  }
});

test("values arrive where they belong", () => {
  const options = read(
    "--prefix", "a/b/", "--uid=1000", "--gid", "0", "--dir-mode=0770", "--file-mode=660", "--allow-delete", "--metadata-ttl=indefinite", "--negative-metadata-ttl", "7",
    "--part-size=5242880", "--write-part-size=16777216", "--memory-target=512", "--region=eu-west-1", "--force-path-style", "--cache=/c", "--max-cache-size=10", "-d",
  );
  const { fileSystem } = options;
  assert.equal(
    [fileSystem.prefix, fileSystem.uid, fileSystem.gid, fileSystem.directoryMode, fileSystem.fileMode, fileSystem.allowDelete, fileSystem.allowOverwrite],
    ["a/b/", 1000, 0, 0o770, 0o660, true, false],
  );
  assert.equal([fileSystem.metadataTtl, fileSystem.negativeMetadataTtl], ["indefinite", { seconds: 7 }]);
  assert.equal([fileSystem.readPartSize, fileSystem.writePartSize, fileSystem.memoryBudget], [5242880, 16777216, 384 * 1024 * 1024]);
  assert.equal([options.connection.region, options.connection.pathStyle, options.debug], ["eu-west-1", true, true]);
  assert.equal(options.cache, { directory: "/c", maxBytes: 10 * 1024 * 1024 });
});

test("the environment gives what options do not", () => {
  const env = { AWS_REGION: "r", AWS_ENDPOINT_URL: "http://e", AWS_MAX_ATTEMPTS: "3", AWS_CA_BUNDLE: "/ca" };
  const { connection } = mountOptions("b", readArguments(["--region=flag"]), env);
  assert.equal([connection.region, connection.endpointUrl, connection.maxAttempts, connection.caBundle], ["flag", "http://e", 3, "/ca"]);
});

test("fstab: escapes, ro, what is for others", () => {
  const options = mountOptions("b", readArguments(["-o", "ro,_netdev,x-systemd.requires=net,prefix=a\\,b/,uid=5,allow-other"]), {});
  assert.equal([options.fileSystem.readOnly, options.fileSystem.prefix, options.fileSystem.uid, options.allowOther], [true, "a,b/", 5, true]);
  fault(() => readArguments(["-o", "foreground,read-only,what"]), /foreground can't be given.*write "ro".*unknown option what/);
});

test("every fault in one message", () => {
  fault(() => readArguments(["--nope", "--uid=-1", "--dir-mode=999", "--metadata-ttl=soon", "--sse=rot13", "--part-size=1", "--gid"]), /--nope.*--uid.*--dir-mode.*--metadata-ttl.*--sse.*--part-size.*--gid/);
});

test("what does not go together", () => {
  fault(() => read("--allow-root", "--allow-other"), /exclude each other/);
  fault(() => read("--sse-kms-key-id=arn"), /needs --sse/);
  fault(() => read("--max-cache-size=1"), /needs --cache/);
  fault(() => read("--prefix=a"), /must end in/);
  fault(() => mountOptions("s3://b/p/", readArguments(["--prefix=q/"]), {}), /--prefix can't be used/);
  assert.equal(mountOptions("s3://b/p/", readArguments([]), {}).fileSystem.prefix, "p/");
});

test("a directory bucket is known by its name", () => {
  assert.is(mountOptions("x--usw2-az1--x-s3", readArguments([]), {}).fileSystem.bucketType, "directory");
  assert.is(read().fileSystem.bucketType, undefined);
});

test.run();
