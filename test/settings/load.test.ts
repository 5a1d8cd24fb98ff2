import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Component } from "../../generated/settings/setting.ts";
import { loadSettings, SettingsError } from "../../src/settings/load.ts";

interface Sample {
  readonly name: string;
  readonly port: number;
  readonly waitMs: number;
  readonly quiet: boolean;
  readonly kind: "pod" | "process";
  readonly labels: Readonly<Record<string, string>>;
  readonly hosts: readonly string[];
  readonly memory: string;
  readonly key?: string;
}

const sample: Component<Sample> = {
  name: "sample",
  settings: [
    { name: "name", type: "string", description: "Who.", env: ["NAME", "OLD_NAME"], flags: ["name", "n"], required: true },
    { name: "port", type: "port", description: "Where.", env: ["PORT"], flags: ["port"], default: "80" },
    { name: "waitMs", type: "duration", description: "How long.", env: ["WAIT"], flags: ["wait"], default: "2m" },
    { name: "quiet", type: "boolean", description: "Silence.", env: ["QUIET"], flags: ["quiet"], default: "false" },
    { name: "kind", type: "enum", description: "Kind.", env: ["KIND"], flags: ["kind"], values: ["pod", "process"], default: "pod" },
    { name: "labels", type: "map", description: "Labels.", env: ["LABELS"], flags: ["labels"], default: "{}" },
    { name: "hosts", type: "list", description: "Hosts.", env: ["HOSTS"], flags: ["hosts"], default: "" },
    { name: "memory", type: "quantity", description: "Memory.", env: ["MEMORY"], flags: ["memory"], default: "64Mi", allowEmpty: true },
    { name: "key", type: "string", description: "Key.", env: ["KEY"], flags: [], secret: true, pattern: "^[A-Z]+$", patternHint: "of capital letters" },
  ],
};

const test = suite("settings");
const load = (argv: string[] = [], env: Record<string, string> = {}) => loadSettings(sample, { argv, env: { NAME: "e", ...env } });

function faults(argv: string[], env: Record<string, string> = {}): string {
  try {
    loadSettings(sample, { argv, env });
  } catch (error) {
    assert.instance(error, SettingsError);
    return (error as Error).message;
  }
  return assert.unreachable("should have been refused") as never;
}

test("defaults fill what nobody set", () => {
  assert.equal(load(), { name: "e", port: 80, waitMs: 120_000, quiet: false, kind: "pod", labels: {}, hosts: [], memory: "64Mi" });
});

test("a flag wins over the environment, the environment over the default", () => {
  assert.is(load([], { PORT: "81" }).port, 81);
  assert.is(load(["--port=82"], { PORT: "81" }).port, 82);
});

for (const argv of [["--name=x"], ["--name", "x"], ["-name=x"], ["-n", "x"]]) {
  test(`${argv.join(" ")} is understood`, () => assert.is(load(argv).name, "x"));
}

test("a boolean flag needs no value but takes one", () => {
  assert.is(load(["--quiet"]).quiet, true);
  assert.is(load(["--quiet=false"], { QUIET: "true" }).quiet, false);
});

test("an older name of a variable counts when the newer is absent", () => {
  assert.is(loadSettings(sample, { argv: [], env: { OLD_NAME: "old" } }).name, "old");
  assert.is(loadSettings(sample, { argv: [], env: { NAME: "new", OLD_NAME: "old" } }).name, "new");
});

test("an empty variable is as good as none, where empty means nothing", () => {
  assert.is(load([], { PORT: "" }).port, 80);
  assert.is(load([], { MEMORY: "" }).memory, "");
});

const values: [string, string, unknown][] = [
  ["waitMs", "--wait=1h30m", 5_400_000],
  ["waitMs", "--wait=1.5s", 1500],
  ["waitMs", "--wait=0", 0],
  ["labels", "--labels=a=b,c=d=e", { a: "b", c: "d=e" }],
  ["labels", '--labels={"a":"b,c"}', { a: "b,c" }],
  ["hosts", "--hosts=a, b,,c", ["a", "b", "c"]],
  ["memory", "--memory=1.5Gi", "1.5Gi"],
];
for (const [name, flag, expected] of values) {
  test(`${flag} gives ${JSON.stringify(expected)}`, () => assert.equal(load([flag])[name as keyof Sample], expected));
}

const wrong: [string, string][] = [
  ["--port=http", '--port: "http" is not a whole number'],
  ["--port=70000", '--port: "70000" is more than 65535'],
  ["--wait=2", '--wait: "2" is not a duration'],
  ["--wait=2m1", '--wait: "2m1" is not a duration'],
  ["--quiet=maybe", '--quiet: "maybe" is neither true nor false'],
  ["--kind=systemd", '--kind: "systemd" is not one of pod, process'],
  ["--labels=a", '--labels: "a" is not a list such as key=value'],
  ['--labels={"a":1}', "is not a JSON object of texts"],
  ["--memory=lots", "is not a quantity"],
  ["--prot=1", "--prot is not a flag of this program; did you mean --port?"],
  ["--wait", "--wait needs a value"],
  ["serve", "an argument is not a flag"],
];
for (const [flag, message] of wrong) test(`${flag} is refused`, () => assert.match(faults([flag], { NAME: "x" }), message));

test("all faults come in one message", () => {
  const message = faults(["--port=x", "--frob"], { WAIT: "soon" });
  for (const part of ["sample: 4 faults", "--port", "--frob", 'WAIT: "soon"', "NAME (--name) is required: Who."]) assert.match(message, part);
});

test("a secret's value is never shown, and it has no flag", () => {
  assert.not.match(faults([], { NAME: "x", KEY: "s3cret" }), "s3cret");
  assert.match(faults([], { NAME: "x", KEY: "s3cret" }), "KEY: the value is not of capital letters");
  assert.not.match(faults(["--key=s3cret"], { NAME: "x" }), "s3cret");
  assert.not.match(faults(["--key", "s3cret"], { NAME: "x" }), "s3cret");
});

test.run();
