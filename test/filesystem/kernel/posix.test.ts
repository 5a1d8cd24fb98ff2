// What programs do, on a real mount of real servers.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run, shell } from "../../fuse/run-child.ts";
import { put, type Server, withBucket, withEmbedded } from "../mounted-bucket.ts";
import { withVersityGw } from "../versity-bucket.ts";

const python = (script: string) => `python3 - <<'EOF'\nimport os, errno\n${script}\nEOF`;

function cases(server: string, withServer: (use: (server: Server) => Promise<void>) => Promise<void>): void {
  test(`${server}: trees are copied in and out unchanged`, async () => {
    await withServer((s) =>
      withBucket(s, "bucket", {}, async ({ path }) => {
        await shell(`
          src=$(mktemp -d); trap 'rm -rf "$src"' EXIT
          mkdir -p $src/t/deep/er "$src/t/with space"
          for i in 1 2 3; do head -c $((i * 1000)) /dev/urandom > $src/t/deep/f$i; done
          head -c 20000000 /dev/urandom > $src/t/deep/er/big; : > $src/t/empty; printf 'é' > "$src/t/with space/naïve ☃"
          cp -r $src/t ${path}/copy
          diff -r $src/t ${path}/copy
          (cd $src/t && find . -type f | sort | xargs -d '\\n' sha256sum) > $src/sums
          cd ${path}/copy && sha256sum --quiet -c $src/sums`);
      }),
    );
  });

  test(`${server}: shell redirection, dd, touch and append`, async () => {
    await withServer((s) =>
      withBucket(s, "bucket", {}, async ({ path }) => {
        const sh = (script: string) => shell(script, { cwd: path });
        await sh("echo one > f; (echo two; echo three) > g; touch h; dd if=/dev/zero of=i bs=64k count=40 status=none");
        assert.is(await sh("cat f g; wc -c < h; wc -c < i"), "one\ntwo\nthree\n0\n2621440");
        const appended = await run("bash", ["-c", "echo more >> f"], { cwd: path });
        assert.is(appended.code, 1);
        assert.match(appended.stderr, "Operation not permitted");
        const again = await run("bash", ["-c", "echo other > f"], { cwd: path });
        assert.match(again.stderr, "Operation not permitted");
        assert.is(await sh("cat f"), "one");
      }),
    );
  });

  test(`${server}: S-WRITE-5 dup and fork`, async () => {
    await withServer((s) =>
      withBucket(s, "bucket", {}, async ({ path, store }) => {
        await shell(
          python(`
fd = os.open("dup", os.O_WRONLY | os.O_CREAT)
two = os.dup(fd)
os.close(fd)            # nothing written yet: not the end
os.write(two, b"written after the first close")
os.close(two)
fd = os.open("fork", os.O_WRONLY | os.O_CREAT)
os.write(fd, b"parent ")
if os.fork() == 0:
    os.close(fd)        # not the opener: not the end
    os._exit(0)
os.wait()
os.write(fd, b"goes on")
os.close(fd)
fd = os.open("twice", os.O_WRONLY | os.O_CREAT)
two = os.dup(fd)
os.write(fd, b"x")
os.close(fd)
try:
    os.write(two, b"y")
except OSError as e:
    assert e.errno == errno.EIO, e
else:
    raise SystemExit("written after the end")
`),
          { cwd: path },
        );
        assert.is((await store.head("dup")).size, 29);
        assert.is((await store.head("fork")).size, 14);
        assert.is((await store.head("twice")).size, 1);
      }),
    );
  });

  test(`${server}: S-FRESH-2 S-FRESH-7 a file that another client replaces is read anew, an unchanged one from memory`, async () => {
    await withServer((s) =>
      withBucket(s, "bucket", {}, async ({ path, store }) => {
        for (let version = 1; version <= 3; version++) {
          const body = Buffer.alloc(300_000 + version, version);
          await put(store, "shared", body);
          await new Promise((resolve) => setTimeout(resolve, 1050));
          const sum = await shell("cat shared | sha256sum; stat -c %s shared", { cwd: path });
          const { createHash } = await import("node:crypto");
          assert.is(sum, `${createHash("sha256").update(body).digest("hex")}  -\n${body.length}`);
        }
      }),
    );
  });

  test(`${server}: errors reach the program`, async () => {
    await withServer((s) =>
      withBucket(s, "bucket", { allowDelete: true, allowOverwrite: true }, async ({ path, store }) => {
        await put(store, "d/f", "content");
        await shell(
          python(`
def fails(want, act):
    try: act()
    except OSError as e:
        assert e.errno == want, (errno.errorcode[e.errno], errno.errorcode[want])
        return
    raise SystemExit("no error, wanted " + errno.errorcode[want])
fails(errno.EPERM, lambda: os.rmdir("d"))
fails(errno.ENOENT, lambda: os.open("nothing", os.O_RDONLY))
fails(errno.EISDIR, lambda: os.open("d", os.O_WRONLY))
fails(errno.EINVAL, lambda: os.open("d/f", os.O_RDONLY | os.O_SYNC))
fails(errno.EPERM, lambda: os.open("d/f", os.O_WRONLY))
fails(errno.EPERM, lambda: os.symlink("a", "b"))
fails(errno.EPERM, lambda: os.link("d/f", "l"))
fails(errno.EPERM, lambda: os.truncate("d/f", 3))
fails(errno.EPERM, lambda: os.chmod("d/f", 0o600))
fails(errno.EPERM, lambda: os.utime("d/f"))
fails(errno.ENOTSUP, lambda: os.getxattr("d/f", "user.x"))
fails(errno.ENOSYS, lambda: os.rename("d/f", "g"))
fails(errno.EINVAL, lambda: os.mkfifo("fifo"))
fails(errno.EEXIST, lambda: os.mkdir("d"))
fails(errno.EEXIST, lambda: os.open("d/f", os.O_WRONLY | os.O_CREAT | os.O_EXCL))
fd = os.open("w", os.O_WRONLY | os.O_CREAT)
os.write(fd, b"abc")
os.lseek(fd, 1, 0)
fails(errno.EINVAL, lambda: os.write(fd, b"x"))
fails(errno.EINVAL, lambda: os.close(fd))
fd = os.open("d/f", os.O_RDONLY)
os.fsync(fd)
fails(errno.EPERM, lambda: os.open("d/f", os.O_WRONLY | os.O_TRUNC))
os.close(fd)
fd = os.open("d/f", os.O_WRONLY | os.O_TRUNC)
os.write(fd, b"new")
os.close(fd)
assert open("d/f").read() == "new"
os.unlink("d/f")
fails(errno.ENOENT, lambda: os.stat("d/f"))
os.mkdir("local"); os.rmdir("local")
st = os.statvfs(".")
assert st.f_namemax == 255 and st.f_blocks == 18014398509481983, st
`),
          { cwd: path },
        );
      }),
    );
  });

  test(`${server}: S-NAME-6 odd names are made, listed, read and deleted`, async () => {
    await withServer((s) =>
      withBucket(s, "bucket", { allowDelete: true }, async ({ path, store }) => {
        const names = `
names = ["with space", "quote'\\"", "new\\nline", "back\\\\slash", "日本語", "😀", "-", "~", "a" * 255, "é" * 127, "%41", "a+b&c=d;e?f#g", "tab\\t"]
`;
        await shell(
          python(`${names}
for n in names: open(n, "w").write(n)
assert sorted(os.listdir(".")) == sorted(names), sorted(os.listdir("."))
for n in names: assert open(n).read() == n
for n in ["a" * 256, "é" * 128]:
    try: open(n, "w")
    except OSError as e: assert e.errno == errno.ENAMETOOLONG, e
    else: raise SystemExit("a name of 256 bytes")
`),
          { cwd: path },
        );
        assert.is((await store.head("new\nline")).size, 8);
        assert.is((await store.head("a+b&c=d;e?f#g")).size, 13);
        await shell(python(`${names}\nfor n in names: os.unlink(n)\nassert os.listdir(".") == []`), { cwd: path });
        assert.equal((await store.list({ prefix: "" })).objects, []);
      }),
    );
  });
}

test("S-WRITE-8 bytes of a failed write are not shown from the page cache", async () => {
  await withEmbedded((server) =>
    withBucket(server, "bucket", { allowOverwrite: true }, async ({ path, store }) => {
      await put(store, "f", "old content");
      assert.is(await shell("cat f", { cwd: path }), "old content");
      const mend = server.s3.faults.add({ operation: "PutObject", fault: { kind: "status", status: 403, code: "AccessDenied" } });
      const script = `import os
fd = os.open("f", os.O_WRONLY | os.O_TRUNC)
os.write(fd, b"new and longer content")
os.close(fd)`;
      const failed = await run("python3", ["-c", script], { cwd: path });
      assert.match(failed.stderr, "Input/output error");
      assert.is(await shell("cat f; stat -c %s f", { cwd: path }), "old content11");
      mend();
      await shell("echo new > f", { cwd: path });
      assert.is(await shell("cat f", { cwd: path }), "new");
    }),
  );
});

cases("embedded", (use) => withEmbedded(use));
cases("versitygw", (use) => withVersityGw(use));

test.run();
