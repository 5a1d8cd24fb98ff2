import { once } from "node:events";
import { closeSync, constants, promises as fs } from "node:fs";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Opcode } from "../../generated/fuse/kernel.ts";
import { DriverError } from "../../src/core/errors.ts";
import { abortConnection, isConnected } from "../../src/fuse/connection.ts";
import type { Caller, NodeId, ReadReply } from "../../src/fuse/file-system.ts";
import { mountFuse } from "../../src/fuse/mount.ts";
import { FuseSession } from "../../src/fuse/session.ts";
import { duplicate } from "../../src/linux/descriptor.ts";
import { libc } from "../../src/linux/libc.ts";
import { umount } from "../../src/linux/mount.ts";
import { getReadAhead, setReadAhead } from "../../src/linux/read-ahead.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";
import { testLog, withMount, withMountPoint } from "./mounted.ts";
import { run, shell, start } from "./run-child.ts";

const forever = 3_600_000;

test("files, directories, links, devices and attributes behave as on any file system", () =>
  withMount(new MemoryFileSystem(), async ({ path: cwd }) => {
    const text = await shell(
      `umask 022; echo one > a; ln a b; echo two >> b; cat a; ln -s a l; readlink l; cat l
       mkdir -m 750 d; mv a d/c; cat d/c; stat -c '%a %h %F' d d/c; mkfifo p; stat -c %F p; mknod n c 1 3; stat -c '%F %t:%T' n
       truncate -s 5G big; stat -c %s big; printf x | dd of=big bs=1 seek=5368709119 conv=notrunc status=none; tail -c 2 big | od -An -c | tr -d ' '
       touch -d '1969-12-31T23:59:58.25Z' old; stat -c %.3Y old; touch -d '2038-02-01T00:00:00.123456Z' new; stat -c %.3Y new
       rm -r d b l p n big old new; ls -A`,
      { cwd },
    );
    assert.equal(text.split("\n"), [
      "one", "two", "a", "one", "two", "one", "two", "750 2 directory", "644 2 regular file", "fifo", "character special file 1:3",
      "5368709120", "\\0x", "-1.750", "2148595200.123",
    ]);
  }));

test("1 MiB requests both ways, without a byte's difference", () =>
  withMount(new MemoryFileSystem(), async (m) => {
    assert.is(m.session.negotiated.maxWrite, 1 << 20);
    setReadAhead(m.device, 1024);
    assert.is(getReadAhead(m.device), 1024);
    await shell(
      `head -c 20000003 /dev/urandom > /dev/shm/fuse-test.$$; trap 'rm /dev/shm/fuse-test.$$' EXIT
       dd if=/dev/shm/fuse-test.$$ of=f bs=1M status=none; cmp f /dev/shm/fuse-test.$$
       dd if=f of=g bs=1M iflag=direct status=none; cmp g /dev/shm/fuse-test.$$; cp f h; cmp h g`,
      { cwd: m.path },
    );
  }));

test("10,000 names in a directory; removing them gives every lookup back", async () => {
  const memory = new MemoryFileSystem();
  await withMount(memory, async ({ path: cwd }) => {
    const listing = await shell("seq -f 'name-%05g' 10000 | xargs touch; ls -f | wc -l; ls -l | tail -1 | awk '{print $NF}'; ls -U | sort -u | wc -l", { cwd });
    assert.equal(listing.split("\n"), ["10002", "name-10000", "10000"]);
    await shell("ls -f | grep name | xargs rm", { cwd });
    // FORGETs come after the unlink, at the kernel's leisure.
    for (let i = 0; memory.nodes.size > 1 && i < 100; i++) await fs.stat(cwd);
    assert.is(memory.nodes.size, 1);
    assert.is(memory.nodes.get(1)?.children.size, 0);
  });
});

test("extended attributes", () =>
  withMount(new MemoryFileSystem(), async ({ path: cwd }) => {
    const script = `
import os
open('f','w').close()
os.setxattr('f', b'user.a', b'1\\x002', os.XATTR_CREATE)
assert os.getxattr('f', 'user.a') == b'1\\x002'
try: os.setxattr('f', 'user.a', b'', os.XATTR_CREATE); assert False
except FileExistsError: pass
try: os.setxattr('f', 'user.b', b'', os.XATTR_REPLACE); assert False
except OSError as e: assert e.errno == 61
os.setxattr('f', 'user.big', b'x' * 60000)
assert len(os.getxattr('f', 'user.big')) == 60000
assert sorted(os.listxattr('f')) == ['user.a', 'user.big']
os.removexattr('f', 'user.a'); assert os.listxattr('f') == ['user.big']`;
    const { code, stderr } = await run("python3", ["-c", script], { cwd });
    assert.is(code, 0, stderr);
  }));

test("locks: one holds, the other waits and can be interrupted", () =>
  withMount(new MemoryFileSystem({ capabilities: ["POSIX_LOCKS", "FLOCK_LOCKS"] }), async ({ path: cwd }) => {
    await shell("touch f", { cwd });
    const holder = start("flock", ["--no-fork", "f", "sh", "-c", "echo held; exec sleep 20"], { cwd });
    await once(holder.child.stdout as NodeJS.ReadableStream, "data");
    assert.is((await run("flock", ["-n", "f", "true"], { cwd })).code, 1);
    const waiter = start("flock", ["f", "true"], { cwd });
    await fs.stat(cwd);
    waiter.child.kill("SIGTERM");
    assert.is((await waiter.ended).signal, "SIGTERM");
    holder.child.kill("SIGKILL");
    await holder.ended;
    assert.is((await run("flock", ["-n", "f", "true"], { cwd })).code, 0);
  }));

for (const [name, errno] of [["EACCES", 13], ["EDQUOT", 122], ["ESTALE", 116]] as const) {
  test(`a file system's ${name} is what the caller sees`, async () => {
    class Failing extends MemoryFileSystem {
      override read(): ReadReply {
        throw new DriverError("Io", "no", { errno });
      }
    }
    await withMount(new Failing(), async (m) => {
      await fs.writeFile(path.join(m.path, "f"), "x");
      await fs.readFile(path.join(m.path, "f")).then(() => assert.unreachable(), (error) => assert.is(error.errno, -errno));
    });
  });
}

test("operations that the file system lacks have the errno that POSIX expects", async () => {
  const { nodes } = new MemoryFileSystem();
  const poor = { lookup: () => ({ node: 0, attributes: nodes.get(1)!.attributes(), validMs: 0, entryValidMs: 0 }), getattr: () => ({ attributes: nodes.get(1)!.attributes(), validMs: 0 }) };
  await withMount(poor, async (m) => {
    await fs.mkdir(path.join(m.path, "d")).then(() => assert.unreachable(), (error) => assert.is(error.code, "ENOSYS"));
    await fs.readdir(m.path).then(() => assert.unreachable(), (error) => assert.is(error.code, "ENOSYS"));
    assert.is((await fs.stat(m.path)).isDirectory(), true);
  });
});

test("a name that is not UTF-8 is refused", () =>
  withMount(new MemoryFileSystem(), async (m) => {
    const name = Buffer.concat([Buffer.from(`${m.path}/`), Buffer.from([0xff, 0x41])]);
    await fs.writeFile(name, "").then(() => assert.unreachable(), (error) => assert.is(error.code, "EINVAL"));
    await fs.writeFile(path.join(m.path, "\ufffd-é-😀"), "ok");
    assert.equal(await fs.readdir(m.path), ["\ufffd-é-😀"]);
  }));

/** open() waits until its signal is aborted. */
class Hanging extends MemoryFileSystem {
  readonly opened = Promise.withResolvers<Caller>();
  override open(_node: NodeId, _flags: number, caller?: Caller): never {
    this.opened.resolve(caller as Caller);
    return new Promise((_, reject) => (caller as Caller).signal.addEventListener("abort", () => reject((caller as Caller).signal.reason))) as never;
  }
}

test("a caller that is interrupted aborts its request's signal", async () => {
  const hanging = new Hanging();
  await withMount(hanging, async ({ path: cwd }) => {
    await fs.writeFile(path.join(cwd, "f"), "x");
    const reader = start("cat", ["f"], { cwd });
    const caller = await hanging.opened.promise;
    assert.is(caller.signal.aborted, false);
    assert.is(caller.pid, reader.child.pid);
    reader.child.kill("SIGTERM");
    assert.is((await reader.ended).signal, "SIGTERM");
    assert.is((caller.signal.reason as DriverError).code, "Cancelled");
  });
});

test("a request that takes too long is answered ETIMEDOUT and its signal aborted", async () => {
  const hanging = new Hanging();
  await withMount(hanging, async (m) => {
    await fs.writeFile(path.join(m.path, "f"), "x");
    const before = performance.now();
    await fs.readFile(path.join(m.path, "f")).then(() => assert.unreachable(), (error) => assert.is(error.code, "ETIMEDOUT"));
    assert.ok(performance.now() - before < 3000);
    assert.is(((await hanging.opened.promise).signal.reason as DriverError).code, "DeadlineExceeded");
  }, { session: { requestTimeoutMs: 200 } });
});

test("unmount ends the session and calls destroy once", async () => {
  const memory = new MemoryFileSystem();
  await withMount(memory, async (m) => {
    const kept = duplicate(m.fd);
    umount(m.path);
    assert.not.ok(isConnected(kept));
    closeSync(kept);
    assert.is(await m.session.closed, "unmounted");
    assert.is(memory.destroyed, 1);
  });
  assert.is(memory.destroyed, 1);
});

test("abort ends the session; stop ends it with an error for who comes later", async () => {
  await withMount(new MemoryFileSystem(), async (m) => {
    const kept = duplicate(m.fd);
    assert.ok(isConnected(kept));
    abortConnection(m.connection);
    assert.not.ok(isConnected(kept));
    closeSync(kept);
    assert.is(await m.session.closed, "aborted");
  });
  await withMount(new MemoryFileSystem(), async (m) => {
    await m.session.stop();
    assert.is(await m.session.closed, "stopped");
    await fs.stat(path.join(m.path, "x")).then(() => assert.unreachable(), (error) => assert.is(error.code, "ENOTCONN"));
  });
});

test("stop waits for requests under way, then answers what is left with EIO", async () => {
  const hanging = new Hanging();
  await withMount(hanging, async (m) => {
    await fs.writeFile(path.join(m.path, "f"), "x");
    const reading = fs.readFile(path.join(m.path, "f")).then(() => assert.unreachable(), (error) => error.code);
    await hanging.opened.promise;
    await m.session.stop({ graceMs: 50 });
    assert.is(await reading, "EIO");
  });
});

test("the notifier: attributes, entries, deletion, content in and out of the page cache", async () => {
  const memory = new MemoryFileSystem({ validMs: forever, open: { keepCache: true } });
  await withMount(memory, async (m) => {
    const file = path.join(m.path, "f");
    await fs.writeFile(file, "12345");
    const node = (await fs.stat(file)).ino;
    memory.write(node, 0, 5, Buffer.from("678"));
    assert.is((await fs.stat(file)).size, 5, "the kernel still believes its cache");
    await m.session.notifier.invalidateNode(node);
    assert.is((await fs.stat(file)).size, 8);

    await m.session.notifier.store(node, 0, [Buffer.from("AB"), Buffer.from("CDE678")]);
    assert.is(await fs.readFile(file, "utf8"), "ABCDE678", "the page cache was filled by us");
    assert.is((await m.session.notifier.retrieve(node, 0, 8)).toString(), "ABCDE678");
    await m.session.notifier.invalidateNode(node, 0, 0);
    assert.is(await fs.readFile(file, "utf8"), "12345678");

    const root = memory.nodes.get(1)!;
    root.children.set("g", root.children.get("f")!);
    root.children.delete("f");
    assert.is((await fs.stat(file)).size, 8, "the kernel still knows the old name");
    await m.session.notifier.invalidateEntry(1, "f");
    await fs.stat(file).then(() => assert.unreachable(), (error) => assert.is(error.code, "ENOENT"));
    await fs.stat(path.join(m.path, "g"));

    root.children.delete("g");
    await m.session.notifier.deleted(1, node, "g");
    await fs.stat(path.join(m.path, "g")).then(() => assert.unreachable(), (error) => assert.is(error.code, "ENOENT"));
    await m.session.notifier.invalidateEntry(1, "never-heard-of");
  });
});

test("O_TRUNC, O_APPEND, O_EXCL and O_DIRECT", () =>
  withMount(new MemoryFileSystem(), async (m) => {
    const file = path.join(m.path, "f");
    await fs.writeFile(file, "long content");
    await fs.writeFile(file, "short");
    await fs.appendFile(file, "+");
    assert.is(await fs.readFile(file, "utf8"), "short+");
    await fs.open(file, "wx").then(() => assert.unreachable(), (error) => assert.is(error.code, "EEXIST"));
    const handle = await fs.open(file, constants.O_RDONLY | constants.O_DIRECT);
    assert.is((await handle.read(Buffer.alloc(4096), 0, 4096, 0)).bytesRead, 6);
    await handle.close();
  }));

test("a server that died with INIT in its hands is followed by one that gets it again", () =>
  withMountPoint(async (mountPoint, guard) => {
    const { fd, connection } = mountFuse({ mountPoint });
    guard(connection);
    const taken = Buffer.alloc(8192);
    assert.ok((libc.read(fd, taken, taken.length) as number) > 0);
    assert.is(taken.readUInt32LE(4), Opcode.INIT);
    const session = await FuseSession.start({ fd, fileSystem: new MemoryFileSystem(), log: testLog });
    assert.is((await fs.stat(mountPoint)).isDirectory(), true);
    await session.stop();
  }));

test("a connection that somebody else negotiated cannot be served without the state", () =>
  withMount(new MemoryFileSystem(), async (m) => {
    const kept = duplicate(m.fd);
    const state = m.session.exportState();
    await m.session.stop({ handOver: true });
    assert.is(await m.session.closed, "handed over");
    const waiting = fs.stat(path.join(m.path, "x")).then(() => assert.unreachable(), (error) => error.code);
    const blind = FuseSession.start({ fd: duplicate(kept), fileSystem: new MemoryFileSystem(), log: testLog });
    await blind.then(() => assert.unreachable(), (error) => assert.match(error.message, /its state was not given/));
    // What the blind one took is not lost.
    const next = await FuseSession.start({ fd: kept, fileSystem: new MemoryFileSystem(), log: testLog, resume: state });
    assert.is(await waiting, "ENOENT");
    await next.stop();
  }));

test("a read-only mount refuses every change before the file system hears of it", async () => {
  const memory = new MemoryFileSystem();
  memory.create(1, "f", 0o644, 0, 0, { uid: 0, gid: 0 } as Caller);
  await withMount(memory, async (m) => {
    const file = path.join(m.path, "f");
    const changes = [() => fs.writeFile(file, "x"), () => fs.unlink(file), () => fs.mkdir(`${file}d`), () => fs.rename(file, `${file}2`), () => fs.chmod(file, 0o600), () => fs.truncate(file), () => fs.symlink("x", `${file}l`)];
    for (const change of changes) await change().then(() => assert.unreachable(), (error) => assert.is(error.code, "EROFS"));
    assert.is((await fs.stat(file)).size, 0);
  }, { mount: { readOnly: true } });
});

test.run();
