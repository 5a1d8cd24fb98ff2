// fsx: random reads, writes, truncates, mmap, holes and copies, each result compared with what it must be.
// FSX_OPERATIONS sets how many, over all runs.
//
// A run of fsx is short, and the next one begins with another seed and a new file: fsx 0.3.2 never unmaps what it has mapped for
// reading (domapread), so that the kernel walks ever more mappings for each truncate and write, and a single long run takes
// time that grows with its square, until it has more mappings than a process may have.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { MemoryFileSystem } from "../memory-file-system.ts";
import { withMount } from "../mounted.ts";
import { run } from "../run-child.ts";
import { ensureCargoTool } from "./cargo-tool.ts";

const operations = Number(process.env["FSX_OPERATIONS"] ?? 1_000_000);
const operationsPerRun = 5_000;
const exercisers = 4;
const directory = mkdtempSync(path.join(os.tmpdir(), "fsx-"));
test.after(() => rmSync(directory, { recursive: true }));

// Operations of 0 bytes are left out: POSIX forbids them for posix_fallocate.
const configuration = `
flen = 65536
[opsize]
max = 8192
min = 1
[weights]
close_open = 1
read = 10
write = 10
mapread = 10
mapwrite = 10
invalidate = 0.5
truncate = 1
fsync = 0.2
fdatasync = 0.2
posix_fallocate = 0.5
punch_hole = 0.5
sendfile = 1
copy_file_range = 1
`;

test(`${operations} random operations without a difference`, async () => {
  const fsx = await ensureCargoTool("fsx", "0.3.2");
  const file = path.join(directory, "fsx.toml");
  writeFileSync(file, configuration);
  await withMount(
    new MemoryFileSystem(),
    async (m) => {
      const seeds = Array.from({ length: Math.ceil(operations / operationsPerRun) }, (_, i) => i + 1).values();
      let done = 0;
      const exercise = async () => {
        for (const seed of seeds) {
          const target = path.join(m.path, `file-${seed}`);
          const { code, stdout, stderr } = await run(fsx, ["-q", "-f", file, "-S", String(seed), "-N", String(operationsPerRun), "-P", directory, target], { timeLimitMs: 60_000 });
          assert.is(code, 0, `seed ${seed}: ${stdout}${stderr}`);
          await rm(target);
          done += operationsPerRun;
        }
      };
      await Promise.all(Array.from({ length: exercisers }, exercise));
      assert.ok(done >= operations, `${done} operations were done`);
    },
    { timeLimitMs: 570_000 },
  );
});

test.run();
