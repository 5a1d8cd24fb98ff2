// Connections that outlive their server: it runs as uid 1000 without capabilities and is killed under load; the kept
// duplicate goes to the next one. TAKE_OVERS sets how often.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, mkdtempSync, promises as fs, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { silentLogger } from "../../src/core/log.ts";
import { findMount } from "../../src/linux/mount-info.ts";
import { mountFuse } from "../../src/fuse/mount.ts";
import { ConnectionWatchdog } from "../../src/fuse/watchdog.ts";
import { withMountPoint } from "./mounted.ts";
import { startLoad } from "./processes/load.ts";
import { Server, serverUid } from "./processes/server.ts";

const takeOvers = Number(process.env["TAKE_OVERS"] ?? 200);
const directory = mkdtempSync(path.join(os.tmpdir(), "take-over-"));
chownSync(directory, serverUid, serverUid);
const servers = new Set<Server>();
test.after(async () => {
  for (const server of servers) await server.kill();
  rmSync(directory, { recursive: true });
});

async function newServer(): Promise<Server> {
  const server = await Server.start(directory);
  servers.add(server);
  void server.exited.then(() => servers.delete(server));
  return server;
}

const mountOptions = { allowOther: true, userId: serverUid, groupId: serverUid };

test("a server without any privilege serves the descriptor it was given", () =>
  withMountPoint(async (mountPoint, guard) => {
    const { fd, connection } = mountFuse({ mountPoint, ...mountOptions });
    guard(connection);
    const server = await newServer();
    await server.serve(fd);
    assert.is((await fs.readdir(path.join(mountPoint, "many"))).length, 200);
    const status = await fs.readFile(`/proc/${server.child.pid}/status`, "utf8");
    assert.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m);
    for (const set of ["CapEff", "CapPrm", "CapBnd"]) assert.match(status, new RegExp(`^${set}:\t0{16}$`, "m"));
    closeSync(fd);
    await server.kill();
  }));

test(`${takeOvers} servers killed under load: no error, no wrong byte`, () =>
  withMountPoint(
    async (mountPoint, guard) => {
      const { fd, connection } = mountFuse({ mountPoint, ...mountOptions });
      guard(connection);
      let server = await newServer();
      let state = await server.serve(fd);
      const load = await startLoad(mountPoint);
      const gaps: number[] = [];
      for (let i = 0; i < takeOvers; i++) {
        const next = await newServer();
        await sleep(Math.random() * 30);
        const before = performance.now();
        await server.kill();
        state = await next.serve(fd, state);
        gaps.push(performance.now() - before);
        server = next;
      }
      const result = await load.stop();
      gaps.sort((a, b) => a - b);
      console.log(JSON.stringify({ takeOvers, ...result, gapMs: { median: gaps[gaps.length >> 1], longest: gaps.at(-1) } }));
      assert.equal(result.errors, []);
      assert.is(result.wrong, 0);
      assert.ok(result.operations > takeOvers * 10, `${result.operations} operations`);
      // 500 ms on an idle machine; a busy one gets more time, a hang none.
      assert.ok(result.longestMs < Number(process.env["TAKE_OVER_STALL_MS"] ?? 5000), `the longest wait was ${result.longestMs} ms`);
      await server.kill();
      closeSync(fd);
    },
    540_000,
  ));

test("a mounter that was killed gets the descriptor back from the server, and can pass it on", () =>
  withMountPoint(async (mountPoint, guard) => {
    const server = await newServer();
    const script = path.join(path.dirname(fileURLToPath(import.meta.url)), "processes/mounter-process.ts");
    const mounter = spawn(process.execPath, [script, mountPoint, server.socketPath], { stdio: ["ignore", "pipe", "inherit"] });
    await once(mounter.stdout, "data");
    guard(findMount(mountPoint)?.minor as number);
    const load = await startLoad(mountPoint);
    mounter.kill("SIGKILL");
    await once(mounter, "exit");
    const { fd, state } = await server.giveBack();
    // From here on we are the mounter: the server's death must not hurt.
    const next = await newServer();
    await server.kill();
    await next.serve(fd, state);
    const result = await load.stop();
    assert.equal(result.errors, []);
    assert.is(result.wrong, 0);
    await next.kill();
    closeSync(fd);
  }));

test("no server within the limit: callers get EIO, and a later server goes on", () =>
  withMountPoint(async (mountPoint, guard) => {
    const { fd, connection } = mountFuse({ mountPoint, ...mountOptions });
    guard(connection);
    const server = await newServer();
    const state = await server.serve(fd);
    const load = await startLoad(mountPoint);
    await sleep(50);
    const expired = Promise.withResolvers<string>();
    const watchdog = new ConnectionWatchdog({ fd, connection, limitMs: 300, log: silentLogger, onExpired: expired.resolve });
    await server.kill();
    watchdog.unserved();
    assert.is(await expired.promise, "answering errors");
    const result = await load.stop();
    assert.ok(result.errors.length > 0);
    for (const error of result.errors) assert.match(error, /^EIO/);
    const next = await newServer();
    watchdog.served();
    await next.serve(fd, state);
    assert.is((await fs.readFile(path.join(mountPoint, "many", "file-1"))).length, 10_000);
    await next.kill();
    watchdog.close();
    closeSync(fd);
  }));

test("no server within the limit, by the other policy: the connection is aborted, nobody hangs", () =>
  withMountPoint(async (mountPoint, guard) => {
    const { fd, connection } = mountFuse({ mountPoint, ...mountOptions });
    guard(connection);
    const server = await newServer();
    await server.serve(fd);
    await server.kill();
    const expired = Promise.withResolvers<string>();
    const watchdog = new ConnectionWatchdog({ fd, connection, limitMs: 100, policy: "abort", log: silentLogger, onExpired: expired.resolve });
    watchdog.unserved();
    const waiting = fs.stat(path.join(mountPoint, "data")).then(() => "", (error) => error.code);
    assert.is(await expired.promise, "aborted");
    assert.match(await waiting, /ECONNABORTED|ENOTCONN/);
    closeSync(fd);
  }));

test.run();
