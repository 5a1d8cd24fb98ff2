import { test } from "uvu";
import * as assert from "uvu/assert";
import { Capability, decodeInitOut } from "../../generated/fuse/kernel.ts";
import { hasCode } from "../../src/core/errors.ts";
import { type Agreed, describeAgreed, negotiate, writeInitOut } from "../../src/fuse/negotiation.ts";
import { decodeSessionState, encodeSessionState } from "../../src/fuse/session-state.ts";

const limits = { maxWrite: 1 << 20, maxBackground: 64 };

function init(major: number, minor: number, flags: number, flags2?: number): Agreed | undefined {
  const words = new Uint32Array(16);
  words.set([major, minor, 131072, flags, flags2 ?? 0]);
  return negotiate(words, 0, flags2 === undefined ? 16 : 64, ["DO_READDIRPLUS", "PASSTHROUGH", "WRITEBACK_CACHE"], limits);
}

const everything = 0x7fffffff;
const without = (...names: (keyof typeof Capability)[]) => everything & ~names.reduce((sum, name) => sum | (1 << Capability[name]), 0);

const kernels: [string, Agreed | undefined, { minor: number; maxWrite: number; has: string[]; lacks: string[] }][] = [
  ["5.10 (7.32, no flags2)", init(7, 32, without("SETXATTR_EXT", "INIT_EXT")), { minor: 32, maxWrite: 1 << 20, has: ["MAX_PAGES", "DO_READDIRPLUS", "WRITEBACK_CACHE"], lacks: ["PASSTHROUGH", "HAS_RESEND", "INIT_EXT", "SETXATTR_EXT"] }],
  ["6.1 (7.37)", init(7, 37, everything, 0x1), { minor: 37, maxWrite: 1 << 20, has: ["INIT_EXT", "WRITEBACK_CACHE"], lacks: ["PASSTHROUGH", "HAS_RESEND", "SECURITY_CTX"] }],
  ["6.18 (7.45)", init(7, 45, everything, 0x5fd), { minor: 45, maxWrite: 1 << 20, has: ["PASSTHROUGH", "HAS_RESEND"], lacks: ["WRITEBACK_CACHE", "POSIX_LOCKS", "SPLICE_READ"] }],
  ["one from the future (7.99)", init(7, 99, -1, -1), { minor: 45, maxWrite: 1 << 20, has: ["PASSTHROUGH"], lacks: ["INIT_RESERVED"] }],
  ["one without MAX_PAGES", init(7, 27, without("MAX_PAGES", "INIT_EXT")), { minor: 27, maxWrite: 131072, has: ["BIG_WRITES"], lacks: ["MAX_PAGES"] }],
];

for (const [kernel, agreed, expected] of kernels) {
  test(`kernel ${kernel}`, () => {
    if (!agreed) throw new Error("not agreed");
    const { minor, maxWrite, granted, offered } = describeAgreed(agreed);
    assert.is(minor, expected.minor);
    assert.is(maxWrite, expected.maxWrite);
    for (const name of expected.has) assert.ok(granted.has(name), name);
    for (const name of expected.lacks) assert.not(granted.has(name), name);
    for (const name of granted) assert.ok(offered.has(name), `${name} was never offered`);
    const words = new Uint32Array(16).fill(0xdeadbeef);
    writeInitOut(words, 0, agreed);
    const out = decodeInitOut(words, 0);
    assert.is(out.flags, agreed.flags);
    assert.is(out.flags2, agreed.flags2);
    assert.is(out.maxPages * 4096, maxWrite);
    assert.is(out.maxStackDepth, granted.has("PASSTHROUGH") ? 1 : 0);
    assert.is(words[15], 0, "what is reserved is zero");
  });
}

test("a newer major version is asked to come down, an older one refused, a wrong wish named", () => {
  assert.is(init(8, 0, 0), undefined);
  assert.throws(() => init(6, 0, 0), (error: unknown) => hasCode(error, "NotSupported"));
  assert.throws(() => negotiate(new Uint32Array([7, 45, 0, 0]), 0, 16, ["NO_SUCH"], limits), /NO_SUCH/);
});

test("the state survives its journey; anything else is refused", () => {
  const state = { format: 1, agreed: init(7, 45, everything, 0x5fd) as Agreed } as const;
  assert.equal(decodeSessionState(encodeSessionState(state)), state);
  for (const bad of ["", "null", "{}", '{"format":2}', '{"format":1,"agreed":{"major":7}}', "\xff"]) {
    assert.throws(() => decodeSessionState(Buffer.from(bad)), (error: unknown) => hasCode(error, "InvalidArgument"));
  }
});

test.run();
