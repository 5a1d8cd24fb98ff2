// The server dies at any moment while its mount is in use, and nobody else holds the connection: callers get errors, no
// process stays asleep, the mount can be removed. DEATH_ROUNDS sets how often.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { abortConnection, ensureControlFileSystem } from "../../src/fuse/connection.ts";
import { mountFuse } from "../../src/fuse/mount.ts";
import { umount } from "../../src/linux/mount.ts";
import { findMount, isMountPoint } from "../../src/linux/mount-info.ts";
import { mountedDevice } from "../../src/linux/mounted-device.ts";
import { probePath } from "../../src/linux/probe.ts";
import { withMountPoint } from "./mounted.ts";
import { Server, serverUid } from "./processes/server.ts";

const rounds = Number(process.env["DEATH_ROUNDS"] ?? 100);
const directory = mkdtempSync(path.join(os.tmpdir(), "server-death-"));
chownSync(directory, serverUid, serverUid);
test.after(() => rmSync(directory, { recursive: true }));

/** Callers that go on whatever they get, until they are killed. */
function callers(mountPoint: string): { pids: number[]; ended: Promise<unknown> } {
  const scripts = [
    "while :; do cat data; done", "while :; do ls -l many; done", "while :; do head -c 100000 /dev/zero | dd of=out conv=notrunc; done",
    "i=0; while :; do : > made/made-$((i % 99)); rm made/made-$((i % 99)); i=$((i + 1)); done",
  ];
  const children = scripts.map((script) => spawn("sh", ["-c", `cd / && exec sh -c 'cd "$0" && ${script}' "$1"`, "sh", mountPoint], { stdio: "ignore", detached: true }));
  return { pids: children.map((c) => c.pid as number), ended: Promise.all(children.map((c) => once(c, "exit"))) };
}

function killGroups(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}

async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => Promise.reject(new Error(`${what}: not within ${ms} ms`)));
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}

test(`${rounds} deaths by SIGTERM and SIGKILL under load`, () =>
  withMountPoint(
    async (mountPoint, guard) => {
      ensureControlFileSystem();
      // The next one starts while this one serves: most of a round is Node's start.
      let starting = Server.start(directory);
      for (let round = 0; round < rounds; round++) {
        const signal = round % 2 === 0 ? "SIGKILL" : "SIGTERM";
        const server = await starting;
        starting = Server.start(directory);
        const { fd, connection } = mountFuse({ mountPoint, allowOther: true, userId: serverUid, groupId: serverUid });
        guard(connection);
        await server.serve(fd);
        closeSync(fd);
        const load = callers(mountPoint);
        try {
          await sleep(Math.random() * 100);
          await within(10_000, `round ${round}: the server's end by ${signal}`, server.kill(signal));
          killGroups(load.pids);
          await within(10_000, `round ${round}: the callers' end`, load.ended);
          for (const pid of load.pids) assert.not(sleepsInKernel(pid), `round ${round}`);
          assert.is((await probePath(mountPoint, 5000)).state, "dead");
          // A caller's last child may still be on its way out of the mount.
          while (isMountPoint(mountPoint)) {
            try {
              umount(mountPoint);
            } catch (error) {
              if ((error as { code: string }).code !== "Busy") throw error;
              await sleep(5);
            }
          }
        } finally {
          killGroups(load.pids);
          server.child.kill("SIGKILL");
          if (findMount(mountPoint)?.minor === connection) abortConnection(connection);
        }
      }
      await (await starting).kill();
    },
    280_000,
  ));

function sleepsInKernel(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("D") ?? false;
}

test("a connection that is held but not served is found to hang, without hanging us", () =>
  withMountPoint(async (mountPoint, guard) => {
    const { fd, connection } = mountFuse({ mountPoint });
    guard(connection);
    const before = performance.now();
    assert.is((await probePath(path.join(mountPoint, "x"), 300)).state, "hung");
    assert.is(mountedDevice(mountPoint)?.minor, connection);
    assert.ok(performance.now() - before < 3000);
    abortConnection(connection);
    assert.is(mountedDevice(mountPoint)?.minor, connection);
    assert.is((await probePath(path.join(mountPoint, "x"), 3000)).state, "dead");
    closeSync(fd);
  }));

test("process.exit() ends a server whose message to the kernel is stuck behind a request it never answers", () =>
  withMountPoint(async (mountPoint, guard) => {
    const script = path.resolve(import.meta.dirname, "processes/stuck-process.ts");
    const server = spawn(process.execPath, [script, mountPoint], { stdio: ["ignore", "pipe", "inherit"] });
    await once(server.stdout, "data");
    guard(findMount(mountPoint)?.minor as number);
    const readerEnded = once(spawn("cat", [path.join(mountPoint, "f")], { stdio: "ignore" }), "exit");
    const [code] = await within(10_000, "the server's exit", once(server, "exit"));
    assert.is(code, 7);
    const [readerCode] = await within(10_000, "the reader's end", readerEnded);
    assert.is(readerCode, 1);
  }));

test.run();
