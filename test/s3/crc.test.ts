import { randomBytes } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { crc32c, crc64nvme } from "../../src/s3/crc.ts";

const hex = (base64: string) => Buffer.from(base64, "base64").toString("hex");

test("the published check values", () => {
  assert.is(hex(crc32c().update(Buffer.from("123456789")).base64()), "e3069283");
  assert.is(hex(crc64nvme().update(Buffer.from("123456789")).base64()), "ae8b14860a799888");
  assert.is(hex(crc32c().base64()), "00000000");
  assert.is(hex(crc64nvme().base64()), "0000000000000000");
});

test("in pieces or at once, at any alignment", () => {
  const data = randomBytes(200_001);
  for (const make of [crc32c, crc64nvme]) {
    const whole = make().update(data).base64();
    for (const cut of [1, 7, 8, 65_535, 65_536, 65_537, 199_999]) {
      assert.is(make().update(data.subarray(0, cut)).update(data.subarray(cut)).base64(), whole);
    }
  }
});

test("the same as a bitwise computation", () => {
  const bitwise = (data: Uint8Array) => {
    let crc = 0xffffffff;
    for (const byte of data) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    }
    return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
  };
  for (let length = 0; length < 40; length++) {
    const data = randomBytes(length);
    assert.is(hex(crc32c().update(data).base64()), bitwise(data));
  }
});

test.run();
