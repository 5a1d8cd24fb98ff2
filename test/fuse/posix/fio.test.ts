// fio: blocks written in random order and verified by checksum, buffered, direct and mapped.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ensureAptPackages } from "../../../scripts/tools/apt.ts";
import { MemoryFileSystem } from "../memory-file-system.ts";
import { withMount } from "../mounted.ts";
import { run } from "../run-child.ts";

const cases: [string, string[]][] = [
  ["buffered, 4 KiB to 1 MiB", ["--ioengine=psync", "--bsrange=4k-1m"]],
  ["direct, 64 KiB, 8 in flight", ["--ioengine=libaio", "--direct=1", "--bs=64k", "--iodepth=8"]],
  ["mapped, 4 KiB", ["--ioengine=mmap", "--bs=4k"]],
];

for (const [title, options] of cases) {
  test(`fio verifies what it wrote: ${title}`, async () => {
    await ensureAptPackages(["fio"]);
    await withMount(
      new MemoryFileSystem(),
      async (m) => {
        const common = ["--name=verify", `--directory=${m.path}`, "--rw=randwrite", "--size=32m", "--numjobs=2", "--verify=crc32c", "--verify_fatal=1", "--do_verify=1", "--randseed=1", "--end_fsync=1"];
        const { code, stdout, stderr } = await run("fio", [...common, ...options], { timeLimitMs: 100_000 });
        assert.is(code, 0, stdout + stderr);
        assert.not.match(stdout + stderr, /verify: bad|err= *[1-9]/);
      },
      { timeLimitMs: 110_000 },
    );
  });
}

test.run();
