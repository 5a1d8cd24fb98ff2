// A signal that reaches a program while it waits for S3 ends its call (EINTR); the request itself may go on for others.
import { DriverError } from "../core/errors.ts";
import type { Caller } from "../fuse/file-system.ts";

/** `undo` takes back what came too late for the caller. */
export function interruptible<T>(work: Promise<T>, caller: Caller, undo?: (late: T) => void): Promise<T> {
  const { signal } = caller;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let left = false;
  const onAbort = () => {
    left = true;
    reject(new DriverError("Cancelled", "the caller was interrupted"));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  work.then(
    (value) => {
      signal.removeEventListener("abort", onAbort);
      if (left) undo?.(value);
      else resolve(value);
    },
    (error: unknown) => {
      signal.removeEventListener("abort", onAbort);
      reject(error);
    },
  );
  return promise;
}
