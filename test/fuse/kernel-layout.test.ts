// The layouts in proto/fuse-kernel.yaml against the C header of this machine: size and offset of every field that it knows.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { ensureAptPackages } from "../../scripts/tools/apt.ts";

interface Abi {
  readonly opcodes: Record<string, { code: number }>;
  readonly capabilities: Record<string, number>;
  readonly notifications: Record<string, number>;
  readonly structs: Record<string, { size: number; fields: Record<string, [string, number]> }>;
}

const abi = parse(readFileSync(path.resolve(import.meta.dirname, "../../proto/fuse-kernel.yaml"), "utf8")) as Abi;
/** Ours alone: variants of one C struct, halves of a number, and what is newer than Debian's header. */
const oursAlone = new Set(["setxattr_ext_in", "init_ext_in", "backing_map", "statx_in", "copy_file_range_out"]);
const shorter = new Set(["init_in", "setxattr_in"]);

test("every struct has the size and offsets of the C header", async () => {
  await ensureAptPackages(["gcc", "libc6-dev", "linux-libc-dev"]);
  const lines: string[] = [];
  const expected = new Map<string, number>();
  for (const [name, { size, fields }] of Object.entries(abi.structs)) {
    if (oursAlone.has(name)) continue;
    if (!shorter.has(name)) {
      expected.set(name, size);
      lines.push(`printf("${name} %zu\\n", ${name === "dirent" ? "offsetof(struct fuse_dirent, name)" : `sizeof(struct fuse_${name})`});`);
    }
    for (const [field, [, offset]] of Object.entries(fields)) {
      if (field.startsWith("pad") || field.endsWith("_high") || ["backing_id", "max_stack_depth", "request_timeout"].includes(field)) continue;
      expected.set(`${name}.${field}`, offset);
      lines.push(`printf("${name}.${field} %zu\\n", offsetof(struct fuse_${name}, ${field.replace(/_low$/, "")}));`);
    }
  }
  for (const [name, { code }] of Object.entries(abi.opcodes)) {
    if (code > 51) continue;
    expected.set(name, code);
    lines.push(`printf("${name} %d\\n", FUSE_${name});`);
  }
  for (const [name, bit] of Object.entries(abi.capabilities)) {
    if (bit === 34 || bit > 35) continue;
    expected.set(`bit ${name}`, bit);
    lines.push(`printf("bit ${name} %d\\n", __builtin_ctzll((unsigned long long)FUSE_${name} & ((unsigned long long)FUSE_${name} >> 63 ? 0x80000000ull : ~0ull)));`);
  }
  const directory = mkdtempSync(path.join(os.tmpdir(), "layout-"));
  try {
    const source = path.join(directory, "layout.c");
    writeFileSync(source, `#include <linux/fuse.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n${lines.join("\n")}\nreturn 0;\n}\n`);
    const execute = promisify(execFile);
    await execute("gcc", ["-w", "-o", path.join(directory, "layout"), source]);
    const { stdout } = await execute(path.join(directory, "layout"));
    const found = new Map(stdout.trim().split("\n").map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
    assert.ok(found.size > 250, `${found.size} facts`);
    for (const [what, value] of expected) assert.is(value, found.get(what), what);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test.run();
