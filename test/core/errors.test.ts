import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Errno, errnoName, errnoOf } from "../../src/core/errno.ts";
import { DriverError, type ErrorCode, explain, hasCode, toDriverError } from "../../src/core/errors.ts";
import { codeOfGrpcStatus, errorCodeNamed, GrpcStatus, grpcStatusName, grpcStatusOf } from "../../src/core/grpc-status.ts";

const test = suite("errors");

const rows: [ErrorCode, keyof typeof Errno, keyof typeof GrpcStatus][] = [
  ["InvalidArgument", "EINVAL", "INVALID_ARGUMENT"],
  ["NotFound", "ENOENT", "NOT_FOUND"],
  ["AlreadyExists", "EEXIST", "ALREADY_EXISTS"],
  ["ReadOnly", "EROFS", "FAILED_PRECONDITION"],
  ["NotEmpty", "ENOTEMPTY", "FAILED_PRECONDITION"],
  ["Unimplemented", "ENOSYS", "UNIMPLEMENTED"],
  ["AccessDenied", "EACCES", "PERMISSION_DENIED"],
  ["BadCredentials", "EACCES", "UNAUTHENTICATED"],
  ["BucketMissing", "EIO", "NOT_FOUND"],
  ["Throttled", "EIO", "UNAVAILABLE"],
  ["DeadlineExceeded", "ETIMEDOUT", "DEADLINE_EXCEEDED"],
  ["Cancelled", "EINTR", "CANCELLED"],
  ["Conflict", "EIO", "ABORTED"],
  ["Internal", "EIO", "INTERNAL"],
];
for (const [code, errno, status] of rows) {
  test(`${code} is ${errno} to the kernel and ${status} to gRPC`, () => {
    const error = new DriverError(code, "m");
    assert.is(errnoOf(error), Errno[errno]);
    assert.is(grpcStatusName(grpcStatusOf(error)), status);
  });
}

test("an exact errno wins over the table", () => {
  assert.is(errnoOf(new DriverError("Io", "m", { errno: Errno.ENXIO })), Errno.ENXIO);
});

test("every gRPC status has a way back, and an unknown number is Internal", () => {
  for (const [name, value] of Object.entries(GrpcStatus)) if (name !== "OK") assert.ok(errorCodeNamed(codeOfGrpcStatus(value)), name);
  assert.is(codeOfGrpcStatus(99), "Internal");
});

test("the way back keeps the status", () => {
  for (const [name, value] of Object.entries(GrpcStatus)) {
    // Two statuses have no code of their own, and OK is none.
    if (["OK", "UNKNOWN", "OUT_OF_RANGE"].includes(name)) continue;
    assert.is(grpcStatusOf(new DriverError(codeOfGrpcStatus(value), "m")), value, name);
  }
});

test("a code by its name", () => {
  assert.is(errorCodeNamed("BucketMissing"), "BucketMissing");
  for (const name of ["", "constructor", "bucketMissing", "__proto__"]) assert.is(errorCodeNamed(name), undefined);
});

test("an abort keeps its meaning", () => {
  assert.is(toDriverError(AbortSignal.abort().reason).code, "Cancelled");
  assert.is(toDriverError(new DOMException("late", "TimeoutError")).code, "DeadlineExceeded");
  const cause = new DriverError("Busy", "told so");
  assert.is(toDriverError(Object.assign(new Error("aborted", { cause }), { name: "AbortError" })), cause);
});

test("whatever was thrown becomes one of ours, with its cause", () => {
  const thrown = new TypeError("oops");
  const error = toDriverError(thrown);
  assert.equal([error.code, error.message, error.cause], ["Internal", "oops", thrown]);
  assert.equal(toDriverError("text").message, "text");
  assert.ok(hasCode(new DriverError("Busy", ""), "Io", "Busy"));
  assert.not(hasCode(new Error("Busy"), "Busy"));
});

test("an explanation says every cause once", () => {
  const inner = new Error("connection refused");
  const middle = new Error("cannot reach S3: connection refused", { cause: inner });
  assert.is(explain(new DriverError("Unreachable", "mount failed", { cause: middle })), "mount failed: cannot reach S3: connection refused");
});

test("an explanation ends although the causes go in a circle", () => {
  const error = new Error("again");
  error.cause = error;
  assert.is(explain(error), "again");
});

test("errno numbers have names", () => {
  assert.is(errnoName(107), "ENOTCONN");
  assert.is(errnoName(4000), "errno 4000");
});

test.run();
