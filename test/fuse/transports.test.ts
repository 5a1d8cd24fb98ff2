// What both transports must do alike, in a process of their own; and what fuse-native refuses.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ensureAptPackages } from "../../scripts/tools/apt.ts";
import { hasCode } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import { fuseNativeLimits, type FuseNativeLimit } from "../../src/fuse/fuse-native/limits.ts";
import { startFuseNative } from "../../src/fuse/fuse-native/transport.ts";
import { findMount, isMountPoint } from "../../src/linux/mount-info.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";
import { withMountPoint } from "./mounted.ts";
import { shell } from "./run-child.ts";

const suite: [string, string, string][] = [
  ["write, append, read", "echo one > f; echo two >> f; cat f; rm f", "one\ntwo"],
  ["overwrite and truncate", "echo long text > f; echo short > f; cat f; truncate -s 3 f; cat f; rm f", "short\nsho"],
  ["random writes", "truncate -s 1M f; printf X | dd of=f bs=1 seek=500000 conv=notrunc status=none; tail -c +500001 f | head -c 1; stat -c ' %s' f; rm f", "X 1048576"],
  ["directories", "mkdir -p a/b/c; touch a/b/c/f; ls a/b/c; rmdir a 2>&1 | grep -o 'not empty'; rm -r a; ls -A", "f\nnot empty"],
  ["rename over", "echo 1 > a; echo 2 > b; mv a b; cat b; ls; rm b", "1\nb"],
  ["symbolic links", "echo x > f; ln -s f l; readlink l; cat l; rm f l", "f\nx"],
  ["hard links", "echo x > f; ln f g; echo y >> g; cat f; rm f; cat g; rm g", "x\ny\nx\ny"],
  ["permissions", "umask 022; touch f; chmod 640 f; stat -c %a f; chown 12:34 f; stat -c %u:%g f; rm f", "640\n12:34"],
  ["modification time", "touch -d @1000000000 f; stat -c %Y f; rm f", "1000000000"],
  ["attributes", `python3 -c "
import os
open('f','w'); os.setxattr('f','user.k',b'v'); print(os.getxattr('f','user.k').decode(), os.listxattr('f')); os.removexattr('f','user.k'); print(os.listxattr('f')); os.unlink('f')"`, "v ['user.k']\n[]"],
  ["missing names", "cat nope 2>&1 | grep -o 'No such file'; rmdir nope 2>&1 | grep -o 'No such file'", "No such file\nNo such file"],
  ["fifos", "mkfifo p; stat -c %F p; rm p", "fifo"],
  ["the file system's size", "stat -f -c '%s %b' .", "4096 1073741824"],
  ["1,000 names", "seq 1000 | xargs touch; ls | wc -l; seq 1000 | xargs rm; ls -A | wc -l", "1000\n0"],
  ["32 MiB there and back", "head -c 32M /dev/urandom | tee f | sha256sum > sum; sha256sum < f | cmp - sum && echo same; cp f g; cmp f g && echo same; rm f g sum", "same\nsame"],
];

for (const transport of ["kernel", "fuse-native"]) {
  test(`${transport}: ${suite.length} things a file system does`, async () => {
    await ensureAptPackages(["libfuse2", "fuse3"]);
    await withMountPoint(async (mountPoint, guard) => {
      const server = spawn(process.execPath, [path.resolve(import.meta.dirname, "processes/memory-process.ts"), transport, mountPoint], { stdio: ["ignore", "pipe", "inherit"] });
      try {
        await once(server.stdout, "data");
        guard(findMount(mountPoint)?.minor as number);
        for (const [title, script, expected] of suite) assert.is(await shell(script, { cwd: mountPoint }), expected, `${transport}: ${title}`);
        server.kill("SIGTERM");
        const [code] = await once(server, "exit");
        assert.is(code, 0);
        assert.not(isMountPoint(mountPoint));
      } finally {
        server.kill("SIGKILL");
      }
    }, 60_000);
  });
}

for (const limit of Object.keys(fuseNativeLimits) as FuseNativeLimit[]) {
  test(`fuse-native refuses at mount time: ${limit}`, async () => {
    await withMountPoint(async (mountPoint) => {
      const started = startFuseNative({ mountPoint, fileSystem: new MemoryFileSystem(), log: silentLogger, required: [limit] });
      await started.then(() => assert.unreachable(), (error) => {
        assert.ok(hasCode(error, "NotSupported"));
        assert.ok(error.message.includes(fuseNativeLimits[limit]));
      });
      assert.not(isMountPoint(mountPoint));
    });
  });
}

test.run();
