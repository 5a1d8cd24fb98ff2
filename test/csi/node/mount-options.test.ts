import { test } from "uvu";
import * as assert from "uvu/assert";
import { mountOptions, type MountOptionsInput } from "../../../src/csi/node/mount-options.ts";

const parse = (flags: string[], more: Partial<MountOptionsInput> = {}) =>
  mountOptions({ flags, readOnly: false, fsGroup: "", prefix: undefined, region: undefined, userAgent: "agent", ...more });
const fixed = ["--allow-root", "--force-path-style", "--user-agent-prefix=agent"];

const normalised: [title: string, flags: string[], args: string[]][] = [
  ["nothing", [], fixed],
  ["a bare word gets dashes", ["allow-delete"], ["--allow-delete", ...fixed]],
  ["dashes stay", ["--allow-delete"], ["--allow-delete", ...fixed]],
  ["a blank separates the value", ["prefix a/b/"], [...fixed.slice(0, 2), "--prefix=a/b/", ...fixed.slice(2)]],
  ["the first = separates, later ones belong to the value", ["prefix=a=b/"], [...fixed.slice(0, 2), "--prefix=a=b/", ...fixed.slice(2)]],
  ["blanks around are dropped", ["  --region   eu-1 "], [...fixed.slice(0, 2), "--region=eu-1", ...fixed.slice(2)]],
  ["twice is once", ["allow-delete", "--allow-delete"], ["--allow-delete", ...fixed]],
  ["what concerns the process is dropped", ["-f", "--foreground", "help", "-v", "--version"], fixed],
  ["allow-other instead of allow-root", ["allow-other"], ["--allow-other", ...fixed.slice(1)]],
];
for (const [title, flags, args] of normalised) test(`normalised: ${title}`, () => assert.equal(parse(flags).args, args));

test("what the administrator decides is stripped and said", () => {
  const { args, stripped } = parse(["endpoint-url http://evil", "--profile=x", "cache-xz a", "incremental-upload", "storage-class GLACIER", "-o ro"]);
  assert.equal(args, fixed);
  assert.equal(new Set(stripped), new Set(["--endpoint-url", "--profile", "--cache-xz", "--incremental-upload", "--storage-class", "-o"]));
});

test("aws-max-attempts moves to the environment", () => {
  const { args, env } = parse(["aws-max-attempts 5"]);
  assert.equal([args, env], [fixed, { AWS_MAX_ATTEMPTS: "5" }]);
});

test("fsGroup becomes gid with 770 and 660, unless the options say otherwise", () => {
  const { args, allowOther } = parse([], { fsGroup: "2000" });
  for (const arg of ["--gid=2000", "--allow-other", "--dir-mode=770", "--file-mode=660"]) assert.ok(args.includes(arg), arg);
  assert.ok(allowOther);
  assert.ok(parse(["dir-mode 755"], { fsGroup: "2000" }).args.includes("--dir-mode=755"));
  assert.not(parse(["gid 5"], { fsGroup: "2000" }).args.includes("--gid=2000"));
  assert.throws(() => parse([], { fsGroup: "wheel" }), /numeric group id/);
});

test("read-only by access mode or by option", () => {
  assert.ok(parse([], { readOnly: true }).readOnly);
  assert.ok(parse(["read-only"]).readOnly);
  assert.not(parse([]).readOnly);
});

test("a shared bucket's volume keeps its prefix", () => {
  assert.ok(parse([], { prefix: "shop/one/" }).args.includes("--prefix=shop/one/"));
  assert.throws(() => parse(["prefix shop/"], { prefix: "shop/one/" }), /cannot be used/);
});

test("the class's region counts unless the options name one", () => {
  assert.ok(parse([], { region: "eu-1" }).args.includes("--region=eu-1"));
  assert.not(parse(["region us-2"], { region: "eu-1" }).args.includes("--region=eu-1"));
});

test("an agent prefix of the user's does not replace the driver's", () => {
  assert.equal(parse(["user-agent-prefix evil"]).args, fixed);
});

test("line breaks are refused", () => {
  assert.throws(() => parse(["prefix a\nb"]), /control characters/);
});

test.run();
