// The POSIX suite pjdfstest through the mount. Which cases do not run, and why: docs/fuse-posix.md.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { MemoryFileSystem } from "../memory-file-system.ts";
import { withMount } from "../mounted.ts";
import { run } from "../run-child.ts";
import { ensureCargoTool } from "./cargo-tool.ts";

const directory = mkdtempSync(path.join(os.tmpdir(), "pjdfstest-"));
const otherFileSystem = mkdtempSync("/dev/shm/pjdfstest-");
test.after(() => {
  for (const made of [directory, otherFileSystem]) rmSync(made, { recursive: true });
});

const configuration = `
[features]
posix_fallocate = {}
rename_ctime = {}
utimensat = {}
utime_now = {}
[settings]
naptime = 0.005
allow_remount = false
[dummy_auth]
entries = [["nobody", "nogroup"], ["daemon", "daemon"]]
`;

test("every case passes, save those that this setting cannot run", async () => {
  const pjdfstest = await ensureCargoTool("pjdfstest", "0.2.2");
  const file = path.join(directory, "pjdfstest.toml");
  writeFileSync(file, configuration);
  await withMount(
    new MemoryFileSystem(),
    async (m) => {
      const { code, stdout, stderr } = await run(pjdfstest, ["-c", file, "-p", m.path, "-s", otherFileSystem], { timeLimitMs: 200_000 });
      const lines = stdout.split("\n");
      const named = (word: string) => lines.filter((line) => line.endsWith(` ${word}`)).map((line) => line.split(" ")[0] as string);
      assert.is(code, 0, `${named("FAILED").join(", ")}\n${stderr}`);
      assert.equal(named("FAILED"), []);
      const skipped = named("skipped").filter((name) => !/::erofs_/.test(name));
      assert.equal(skipped.sort(), ["link::link_count_max", "stat::birthtime"].filter((name) => named("skipped").includes(name)));
      console.log(lines.find((line) => line.startsWith("Summary:")));
      assert.ok(named("ok").length >= 380, `${named("ok").length} cases passed`);
    },
    { timeLimitMs: 240_000 },
  );
});

test.run();
