// Waiting for a file that another process will make, in directories that may not be there yet either. By inotify: no polling.
import { existsSync, watch } from "node:fs";
import path from "node:path";

/** Resolves when the path exists; rejects with the signal's reason. */
export async function appeared(file: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const directory = nearestExisting(path.dirname(file));
    const change = nextChange(directory, signal);
    try {
      // Looked at after the watch is set, so nothing can happen unseen in between.
      if (existsSync(file)) return;
      if (nearestExisting(path.dirname(file)) === directory) await change.promise;
    } finally {
      change.close();
    }
  }
}

function nearestExisting(directory: string): string {
  return existsSync(directory) || directory === path.dirname(directory) ? directory : nearestExisting(path.dirname(directory));
}

function nextChange(directory: string, signal: AbortSignal): { readonly promise: Promise<void>; close(): void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const close = () => signal.removeEventListener("abort", onAbort);
  try {
    const watcher = watch(directory, () => resolve());
    // Removed while it is watched: the next look finds the nearest one that is left.
    watcher.on("error", () => resolve());
    return {
      promise,
      close() {
        watcher.close();
        close();
      },
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      close();
      throw error;
    }
    resolve();
    return { promise, close };
  }
}
