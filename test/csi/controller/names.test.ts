import * as fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { bucketNameFor, isDerivedName, isPredecessorsName } from "../../../src/csi/controller/bucket-name.ts";
import { isBucketName } from "../../../src/csi/controller/parameters.ts";
import { formatVolumeId, parseVolumeId, recordName } from "../../../src/csi/controller/volume-id.ts";

test("a claim's volume name stays readable in its bucket's name", () => {
  const bucket = bucketNameFor("csi-s3-", "pvc-0b7a4f66-6c9b-4d1e-9a53-2f1f0c3f7a10");
  assert.match(bucket, /^csi-s3-pvc-0b7a4f66-6c9b-4d1e-9a53-2f1f0c3f7a10-[0-9a-f]{10}$/);
  assert.ok(bucket.length <= 63);
});

test("every name gives a valid bucket name that proves its origin", () => {
  const prefix = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,29}$/).filter((p) => !/^(xn--|sthree-)/.test(p));
  fc.assert(
    fc.property(prefix, fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }), (p, name) => {
      const bucket = bucketNameFor(p, name);
      return isBucketName(bucket) && isDerivedName(bucket) && bucketNameFor(p, name) === bucket;
    }),
    { numRuns: 2000 },
  );
});

test("names that look alike get different buckets", () => {
  const alike = ["Foo", "foo", "foo-", "f_oo", "foo!", "a".repeat(100), "a".repeat(101), "ä", "ö"];
  assert.is(new Set(alike.map((name) => bucketNameFor("p-", name))).size, alike.length);
});

test("a name that somebody chose does not prove our origin", () => {
  for (const name of ["my-bucket", "csi-s3-foo", "csi-s3-foo-0123456789", "x", "-0123456789"]) assert.not(isDerivedName(name));
});

test("the predecessor's random names are known", () => {
  assert.ok(isPredecessorsName("csi-s3-3f0c2b44-9d5e-4a77-8c11-0a2b3c4d5e6f"));
  assert.not(isPredecessorsName("csi-s3-data"));
});

test("volume ids survive the way there and back", () => {
  const record = recordName("pvc-1");
  for (const id of [{ bucket: "abc" }, { bucket: "abc", region: "eu-west-1" }, { bucket: "abc", record }, { bucket: "abc", region: "r", record }]) {
    assert.equal(parseVolumeId(formatVolumeId(id)), id);
  }
});

test("ids that CreateVolume cannot have made do not parse", () => {
  for (const id of ["", "ab", "My-Static-Volume", "../x", "a/b/c", "abc/../def", "abc@", "abc/xyz", "x".repeat(100_000)]) assert.is(parseVolumeId(id), undefined);
});

test.run();
