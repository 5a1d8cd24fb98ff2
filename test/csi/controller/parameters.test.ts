import { test } from "uvu";
import * as assert from "uvu/assert";
import { DriverError } from "../../../src/core/errors.ts";
import { parseParameters } from "../../../src/csi/controller/parameters.ts";

const fails = (parameters: Record<string, string>, text: RegExp, name = "pvc-1") =>
  assert.throws(
    () => parseParameters(name, parameters),
    (error: unknown) => error instanceof DriverError && error.code === "InvalidArgument" && text.test(error.message),
  );

test("no parameters: a bucket of its own, deleted when empty", () => {
  assert.equal(parseParameters("pvc-1", {}), { kind: "bucket", bucketNamePrefix: "csi-s3-", onDelete: "delete-if-empty" });
});

test("bucketNamePrefix, region and onDelete are honoured", () => {
  assert.equal(parseParameters("pvc-1", { bucketNamePrefix: "team-a-", region: "eu-west-3", onDelete: "purge" }), {
    kind: "bucket",
    bucketNamePrefix: "team-a-",
    region: "eu-west-3",
    onDelete: "purge",
  });
});

test("bucket and a prefix template make a place in a shared bucket", () => {
  const parameters = {
    bucket: "shared",
    prefix: "${pvc.namespace}/${pvc.name}",
    "csi.storage.k8s.io/pvc/name": "data",
    "csi.storage.k8s.io/pvc/namespace": "shop",
    "csi.storage.k8s.io/pv/name": "pvc-1",
  };
  assert.equal(parseParameters("pvc-1", parameters), { kind: "prefix", bucket: "shared", prefix: "shop/data/", onDelete: "delete-if-empty" });
});

test("a shared bucket without a template gives every volume its own name", () => {
  assert.equal(parseParameters("pvc-7", { bucket: "shared" }), { kind: "prefix", bucket: "shared", prefix: "pvc-7/", onDelete: "delete-if-empty" });
});

test("secret names are accepted in pairs", () => {
  const pair = { "csi.storage.k8s.io/provisioner-secret-name": "s", "csi.storage.k8s.io/provisioner-secret-namespace": "n" };
  assert.is(parseParameters("pvc-1", pair).kind, "bucket");
  fails({ "csi.storage.k8s.io/provisioner-secret-name": "s" }, /belong together/);
  fails({ "csi.storage.k8s.io/node-publish-secret-namespace": "n" }, /belong together/);
});

const refused: [title: string, parameters: Record<string, string>, text: RegExp][] = [
  ["an unknown parameter, by its name", { bucketPrefix: "x" }, /unknown StorageClass parameter "bucketPrefix"/],
  ["a prefix without a bucket", { prefix: "a" }, /prefix needs the parameter bucket/],
  ["bucketNamePrefix with bucket", { bucket: "shared", bucketNamePrefix: "a" }, /bucketNamePrefix has no meaning/],
  ["a bucket name in capitals", { bucket: "Shared" }, /not a valid bucket name/],
  ["an unknown onDelete", { onDelete: "keep" }, /must be delete-if-empty, purge or retain/],
  ["a prefix of bucket names in capitals", { bucketNamePrefix: "Team" }, /lower-case/],
  ["a prefix of bucket names that is too long", { bucketNamePrefix: "a".repeat(31) }, /1 to 30/],
  ["a region with a slash", { region: "eu/west" }, /not a region name/],
  ["an unknown variable", { bucket: "shared", prefix: "${pod.name}" }, /unknown variable \$\{pod.name\}/],
  ["a variable the provisioner did not send", { bucket: "shared", prefix: "${pvc.name}" }, /--extra-create-metadata/],
  ["a prefix that climbs out", { bucket: "shared", prefix: "../${pv.name}" }, /must resolve to names/],
  ["a prefix with an empty segment", { bucket: "shared", prefix: "a//b" }, /must resolve to names/],
  ["a prefix among the driver's records", { bucket: "shared", prefix: ".s3-csi/${pv.name}" }, /where the driver keeps its records/],
  ["a prefix of a thousand bytes", { bucket: "shared", prefix: "a".repeat(1000) }, /more than 512 bytes/],
];
for (const [title, parameters, text] of refused) test(`refused: ${title}`, () => fails(parameters, text));

test.run();
