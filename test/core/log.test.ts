import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { secretFields } from "../../generated/proto/secret-fields.ts";
import { DriverError } from "../../src/core/errors.ts";
import { createLogger, type LogLevel } from "../../src/core/log.ts";

const test = suite("log");

function logged(level: LogLevel, act: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  act(createLogger({ level, component: "c", now: () => new Date(0), write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
}

test("a line has time, level, component, message and the keys", () => {
  const [line] = logged("info", (logger) => logger.with({ a: 1 }).info("done", { b: 2n, c: new Uint8Array(3) }));
  assert.equal(line, { time: "1970-01-01T00:00:00.000Z", level: "info", component: "c", msg: "done", a: 1, b: "2", c: "<3 bytes>" });
});

test("lines above the level are not written", () => {
  const lines = logged("warn", (logger) => {
    for (const level of ["error", "warn", "info", "debug", "trace"] as const) logger[level](level);
  });
  assert.equal(lines.map((line) => line.msg), ["error", "warn"]);
  assert.ok(createLogger({ level: "debug", component: "c" }).enabled("info"));
});

test("an error is written with its message, code and cause", () => {
  const [line] = logged("info", (logger) => logger.error("failed", { error: new DriverError("Io", "outer", { cause: new Error("inner") }) }));
  const error = line?.error as Record<string, unknown>;
  assert.equal([error.message, error.code, error.cause], ["outer", "Io", "inner"]);
});

test("what has no JSON is logged without its fields, and nothing throws", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const error = new Error("again");
  error.cause = error;
  const lines = logged("info", (logger) => {
    logger.info("circle", { circle });
    logger.info("error", { error });
  });
  assert.equal(lines.map((line) => [line.msg, line.logFault !== undefined]), [["circle", true], ["error", false]]);
});

test("every field that csi.proto marks as secret is on the list", () => {
  for (const name of ["secrets", "accessKeyId", "secretAccessKey", "sessionToken"]) assert.ok(secretFields.includes(name), name);
});

test("a secret field is dropped at any depth", () => {
  fc.assert(
    fc.property(fc.constantFrom(...secretFields), fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }), (name, way) => {
      const value = "TOP-SECRET-VALUE";
      const fields = way.reduce<Record<string, unknown>>((inner, key) => ({ [key]: inner, list: [inner] }), { [name]: value, deep: { [name]: { key: value } } });
      assert.not.match(JSON.stringify(logged("info", (logger) => logger.info("m", { fields }))), value);
    }),
  );
});

test.run();
