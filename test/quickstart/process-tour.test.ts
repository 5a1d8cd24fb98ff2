// The README's first command, as a newcomer runs it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";
import { readMountInfo } from "../../src/linux/mount-info.ts";

const root = path.resolve(import.meta.dirname, "../..");
const shortcut = "/tmp/s3-quickstart";
const workspace = "/dev/shm/s3-csi-quickstart";
const command = [process.execPath, "--disable-warning=ExperimentalWarning", path.join(root, "scripts/quickstart.ts")];

test("without a terminal it shows everything, ends by itself and leaves nothing", async () => {
  const run = start(command);
  assert.is(await run.status, 0, run.output());
  for (const call of ["CSI CreateVolume", "CSI NodePublishVolume", "CSI NodeUnpublishVolume", "CSI DeleteVolume"]) {
    assert.match(run.output(), new RegExp(`✓ ${call} +\\d`));
  }
  assert.match(run.output(), /\$ cat hello\.txt.*\n\s+Hello from S3/);
  assert.match(run.output(), /14 {2}hello\.txt\n\s+20000000 {2}photos\/big\.bin/);
  await nothingLeft();
});

test("on a terminal the volume stays for the user until Ctrl-C", async () => {
  // script(1) gives it a terminal; what is typed there reaches the whole foreground group, as at a desk. `exec`, for dash (which
  // script takes where SHELL is not set) would stay as the parent and end with 130 of the same Ctrl-C, whatever its child does.
  const run = start(["script", "--quiet", "--return", "--command", `exec ${command.join(" ")}`, "/dev/null"]);
  try {
    await run.until(/Ctrl-C takes everything away/);
    const user = start(["sh", "-c", `cd ${shortcut} && echo mine > own.txt && cat own.txt hello.txt`]);
    assert.is(await user.status, 0, user.output());
    assert.match(user.output(), /mine\nHello from S3/);
    scanOfThisRun()?.folder(workspace);
    run.child.stdin?.write("\u0003");
    assert.is(await run.status, 0, run.output());
    assert.match(run.output(), /✓ CSI NodeUnpublishVolume[\s\S]*✓ CSI DeleteVolume/);
  } finally {
    run.child.kill("SIGTERM");
    await run.status;
  }
  await nothingLeft();
});

test("stopped half-way it takes away what it had made", async () => {
  const run = start(command);
  await run.until(/✓ CSI CreateVolume/);
  run.child.kill("SIGTERM");
  await run.status;
  await nothingLeft();
});

test("what a killed run leaves, the next --down takes away", async () => {
  const run = start(command);
  await run.until(/\$ echo/);
  run.child.kill("SIGKILL");
  // Its end, not that of its output: the command that it was showing waits for the file system, and holds the pipe.
  await once(run.child, "exit");
  assert.ok(mounts().length > 0, "the kill came too late");
  const down = start([...command, "--down"]);
  await down.status;
  await nothingLeft();
});

test.run();

interface Run {
  readonly child: ChildProcess;
  readonly status: Promise<number>;
  output(): string;
  until(pattern: RegExp): Promise<void>;
}

function start([file = "", ...args]: readonly string[]): Run {
  // No cluster of the machine's owner, and no colours of a terminal.
  const env = { ...process.env, KUBECONFIG: "", S3CSI_CLUSTER_DIR: "/nonexistent", NO_COLOR: "1" };
  const child = spawn(file, args, { env, stdio: ["pipe", "pipe", "pipe"], timeout: 120_000 });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  const status = once(child, "close").then(([code, signal]) => (code ?? signal) as number);
  return {
    child,
    status,
    output: () => text,
    async until(pattern) {
      while (!pattern.test(text)) {
        if (child.exitCode !== null) throw new Error(`it ended before ${pattern}:\n${text}`);
        await delay(20);
      }
    },
  };
}

function mounts(): string[] {
  return readMountInfo()
    .map((mount) => mount.mountPoint)
    .filter((place) => place.includes("s3-csi-quickstart"));
}

async function nothingLeft(): Promise<void> {
  assert.equal(mounts(), []);
  assert.not.ok(existsSync(workspace), "its directory is still there");
  await access(shortcut).then(
    () => assert.unreachable("its shortcut is still there"),
    () => {},
  );
}
