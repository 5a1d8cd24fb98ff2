// `npm run codegen` as a command, on a copy of the repository.
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { slowness } from "../bed/load.ts";
import { repository, Scratch } from "./scratch.ts";

const test = suite("codegen command", { scratch: undefined as unknown as Scratch });
test.before(async (context) => {
  context.scratch = await Scratch.create();
  // What others are editing meanwhile is not this test's business.
  await run(context.scratch, "codegen/src/main.ts");
});
test.after(({ scratch }) => scratch.remove());

interface Outcome {
  readonly code: number;
  readonly text: string;
}

function run(scratch: Scratch, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: scratch.root, timeout: 180_000 }, (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? -1) : 0, text: stdout + stderr }));
  });
}

const codegen = (scratch: Scratch, ...args: string[]) => run(scratch, "codegen/src/main.ts", ...args);

test("twice in a row changes nothing, and the check agrees; a run takes less than 30 s", async ({ scratch }) => {
  const started = performance.now();
  assert.match((await codegen(scratch)).text, /codegen: \d+ files, 0 changed/);
  assert.ok(performance.now() - started < 30_000 * slowness());
  assert.equal(await codegen(scratch, "--check"), { code: 0, text: "" });
});

test("the check names the files that differ, are missing or belong to nobody", async ({ scratch }) => {
  await scratch.edit("generated/proto/csi.ts", (text) => text.replace("NodePublishVolume", "NodePublishedVolume"));
  await scratch.edit("chart/values.schema.json", (text) => `${text}\n`);
  await scratch.edit("chart/README.md", (text) => text.replace("| `s3.region` |", "| `s3.regions` |"));
  await rm(path.join(scratch.root, "generated/settings/node.ts"));
  await writeFile(path.join(scratch.root, "generated/settings/old.ts"), "");
  const { code, text } = await codegen(scratch, "--check");
  assert.is(code, 1);
  for (const line of [/differs +generated\/proto\/csi\.ts/, /differs +chart\/values\.schema\.json/, /differs +chart\/README\.md/, /missing +generated\/settings\/node\.ts/, /leftover +generated\/settings\/old\.ts/]) {
    assert.match(text, line);
  }
  assert.match(text, "5 file(s)");
});

test("a run repairs exactly these", async ({ scratch }) => {
  assert.match((await codegen(scratch)).text, "5 changed");
  assert.is((await codegen(scratch, "--check")).code, 0);
});

test("a broken source ends it with 1, the place and no stack, and writes nothing", async ({ scratch }) => {
  await scratch.edit("crds/mountpoints3podattachments.yaml", (text) => text.replace(/ +description: The node on which.*\n/, ""));
  const { code, text } = await codegen(scratch);
  assert.is(code, 1);
  assert.match(text, /crds\/mountpoints3podattachments\.yaml:\d+: the field \.spec\.nodeName has no description\n +to do: add one/);
  assert.not.match(text, /\n\s+at /);
  await scratch.edit("crds/mountpoints3podattachments.yaml", (text) => text.replace(/(nodeName:\n)( +)(type)/, "$1$2description: The node on which the workloads and their Mountpoint Pods run.\n$2$3"));
  assert.is((await codegen(scratch, "--check")).code, 0);
});

test("a changed CRD field breaks the type check of the code that used it", async ({ scratch }) => {
  const user = path.join(scratch.root, "src/core/user.ts");
  await writeFile(
    user,
    `import type { MountpointS3PodAttachment } from "../../generated/crd/mountpoint-s3-pod-attachment.ts";
     import { MountpointS3PodAttachment as Model } from "../../generated/models/mountpoint-s3-pod-attachment.ts";
     export const node = (attachment: MountpointS3PodAttachment) => attachment.spec.nodeName;
     export const modelNode = (model: Model) => model.spec.nodeName;\n`,
  );
  await writeFile(path.join(scratch.root, "tsconfig.user.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src/core/user.ts"] }));
  const typeCheck = () => run(scratch, path.join(repository, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.user.json");
  assert.equal(await typeCheck(), { code: 0, text: "" });
  await scratch.edit("crds/mountpoints3podattachments.yaml", (text) => text.replaceAll("nodeName", "hostName"));
  assert.is((await codegen(scratch)).code, 0);
  const { code, text } = await typeCheck();
  assert.is.not(code, 0);
  assert.match(text, /user\.ts\(3,\d+\): error TS2339: Property 'nodeName' does not exist/);
  assert.match(text, /user\.ts\(4,\d+\): error TS2339: Property 'nodeName' does not exist/);
});

test("an unknown argument is refused", async ({ scratch }) => {
  const { code, text } = await codegen(scratch, "--chekc");
  assert.is(code, 2);
  assert.match(text, "unknown argument --chekc");
});

test.run();
