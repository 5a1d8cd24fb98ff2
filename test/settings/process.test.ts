// The real components in a real process: exit codes and what is printed where.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import manifest from "../../package.json" with { type: "json" };

const root = path.resolve(import.meta.dirname, "../..");
const test = suite("settings of a process", { folder: "", script: "" });

test.before(async (context) => {
  context.folder = await mkdtemp(path.join(root, "test/settings/.process-"));
  context.script = path.join(context.folder, "main.ts");
  await writeFile(
    context.script,
    `const [, , component, ...argv] = process.argv;
     const module = await import(\`../../../generated/settings/\${component}.ts\`);
     const { settingsOrExit } = await import("../../../src/settings/main.ts");
     console.log(JSON.stringify(settingsOrExit(module[component + "Component"], { argv, env: process.env })));`,
  );
});
test.after((context) => rm(context.folder, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(script: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }));
  });
}

test("wrong settings end it with 2 and one message on stderr", async ({ script }) => {
  const { code, stdout, stderr } = await run(script, ["node", "--metrics-port=x"]);
  assert.is(code, 2);
  assert.is(stdout, "");
  for (const part of ["node: 3 faults in its settings", "AWS_ENDPOINT_URL (--endpoint-url) is required", "CSI_NODE_NAME (--node-id) is required", "--metrics-port"]) {
    assert.match(stderr, part);
  }
});

test("the arguments of the driver before are understood", async ({ script }) => {
  const args = ["node", "--endpoint=unix:///csi/csi.sock", "--node-id=n1", "-v=4", "--mp-version=1.18.0"];
  const { code, stdout } = await run(script, args, { AWS_ENDPOINT_URL: "http://s3:8000" });
  assert.is(code, 0);
  const settings = JSON.parse(stdout);
  assert.equal([settings.nodeName, settings.logLevel, settings.mountpointVersion], ["n1", "info", "1.18.0"]);
});

for (const component of ["controller", "reconciler", "node", "mountpoint", "cli"]) {
  test(`${component} --help lists every setting on stdout and ends with 0`, async ({ script }) => {
    const { code, stdout, stderr } = await run(script, [component, "--help"]);
    assert.equal([code, stderr], [0, ""]);
    const module = await import(`../../generated/settings/${component}.ts`);
    for (const setting of module[`${component}Component`].settings) {
      for (const name of [...setting.env, ...setting.flags.map((flag: string) => `--${flag}`)]) assert.match(stdout, name);
    }
  });
}

test("--version prints JSON and ends with 0", async ({ script }) => {
  const { code, stdout } = await run(script, ["node", "--version"]);
  assert.is(code, 0);
  assert.is(JSON.parse(stdout).driverVersion, manifest.version);
});

test.run();
