import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { hasCode } from "../../src/core/errors.ts";
import { receiveFd, sendFd, tryReceiveFd } from "../../src/linux/fd-passing.ts";
import { acceptUnix, connectUnix, listenUnix, peerCredentials, unixSocketPair } from "../../src/linux/unix-socket.ts";

const directory = mkdtempSync(path.join(os.tmpdir(), "fd-passing-"));
test.after(() => rmSync(directory, { recursive: true }));
const limit = () => AbortSignal.timeout(5000);

test("a descriptor arrives with its text, both ways, while the receiver waits", async () => {
  const file = path.join(directory, "file");
  writeFileSync(file, "content");
  const [a, b] = unixSocketPair();
  const waiting = receiveFd(b, limit());
  setImmediate(() => {
    const fd = openSync(file, "r");
    sendFd(a, fd, "token");
    closeSync(fd);
  });
  const got = await waiting;
  assert.is(got.data.toString(), "token");
  sendFd(b, got.fd, "back");
  closeSync(got.fd as number);
  const back = await receiveFd(a, limit());
  assert.is(readFileSync(back.fd as number, "utf8"), "content");
  for (const fd of [a, b, back.fd as number]) closeSync(fd);
});

test("text without a descriptor; nothing yet; the peer gone", async () => {
  const [a, b] = unixSocketPair();
  assert.is(tryReceiveFd(b), undefined);
  sendFd(a, undefined, "plain");
  const got = await receiveFd(b, limit());
  assert.is(got.data.toString(), "plain");
  assert.is(got.fd, undefined);
  const waiting = receiveFd(b, limit());
  closeSync(a);
  await waiting.then(() => assert.unreachable(), (error) => assert.ok(hasCode(error, "Disconnected")));
  closeSync(b);
});

test("waiting ends with its signal and leaves no descriptor behind", async () => {
  const [a, b] = unixSocketPair();
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let i = 0; i < 20; i++) await receiveFd(b, AbortSignal.timeout(1)).then(() => assert.unreachable(), (e) => assert.is(e.name, "TimeoutError"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(open(), before);
  closeSync(a);
  closeSync(b);
});

for (const length of [20, 107, 108, 300]) {
  test(`a listener at a path of about ${length} bytes`, async () => {
    const deep = path.join(directory, ...Array.from({ length: Math.ceil(length / 100) }, () => "d".repeat(Math.min(length, 90))));
    mkdirSync(deep, { recursive: true });
    const socket = path.join(deep, "fd.sock");
    const listener = listenUnix(socket);
    assert.ok(existsSync(socket));
    const accepted = acceptUnix(listener, limit());
    const client = connectUnix(socket);
    const server = await accepted;
    assert.is(peerCredentials(server).pid, process.pid);
    sendFd(client, undefined, "x");
    assert.is((await receiveFd(server, limit())).data.toString(), "x");
    // A second listener takes the path over from a dead predecessor.
    closeSync(listener);
    assert.throws(() => connectUnix(socket), (error: unknown) => hasCode(error, "Unreachable"));
    closeSync(listenUnix(socket));
    for (const fd of [client, server]) closeSync(fd);
  });
}

test.run();
