// A real mount for a test. The server runs in the test's own process, so the test may only touch the mount asynchronously;
// whatever happens, after the time limit the connection is aborted and nothing stays asleep in the kernel.
import { mkdtempSync, rmdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createLogger, type LogLevel } from "../../src/core/log.ts";
import { abortConnection, ensureControlFileSystem } from "../../src/fuse/connection.ts";
import type { FileSystem } from "../../src/fuse/file-system.ts";
import { type FuseMount, type FuseMountOptions, mountFuse } from "../../src/fuse/mount.ts";
import { FuseSession, type SessionOptions } from "../../src/fuse/session.ts";
import { umount } from "../../src/linux/mount.ts";
import { findMount } from "../../src/linux/mount-info.ts";

export interface Mounted extends FuseMount {
  readonly path: string;
  readonly session: FuseSession;
}

export interface MountedOptions {
  readonly mount?: Partial<FuseMountOptions>;
  readonly session?: Partial<SessionOptions>;
  readonly timeLimitMs?: number;
}

export const testLog = createLogger({ level: (process.env["TEST_LOG_LEVEL"] as LogLevel | undefined) ?? "error", component: "test" });

export async function withMount<T>(fileSystem: FileSystem, use: (mounted: Mounted) => Promise<T>, options: MountedOptions = {}): Promise<T> {
  return withMountPoint(async (mountPoint, guard) => {
    const mounted = mountFuse({ mountPoint, allowOther: true, defaultPermissions: true, ...options.mount });
    guard(mounted.connection);
    const session = await FuseSession.start({ fd: mounted.fd, fileSystem, log: testLog, ...options.session });
    try {
      return await use({ ...mounted, path: mountPoint, session });
    } finally {
      umount(mountPoint, { lazy: true });
      await session.stop({ graceMs: 100 });
    }
  }, options.timeLimitMs);
}

/** A directory to mount on. Connections given to `guard` are aborted at the end of the time limit, or of the test if they are still
 *  mounted: the number of one that is not may be another's by now. */
export async function withMountPoint<T>(use: (mountPoint: string, guard: (connection: number) => void) => Promise<T>, timeLimitMs = 30_000): Promise<T> {
  ensureControlFileSystem();
  const mountPoint = mkdtempSync(path.join(os.tmpdir(), "fuse-test-"));
  const connections = new Set<number>();
  const abortAll = () => {
    for (const connection of connections) abortConnection(connection);
  };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    abortAll();
    reject(new Error(`the test took longer than ${timeLimitMs} ms`));
  }, timeLimitMs);
  try {
    return await Promise.race([use(mountPoint, (connection) => connections.add(connection)), late]);
  } finally {
    clearTimeout(timer);
    for (let mounted = findMount(mountPoint); mounted; mounted = findMount(mountPoint)) {
      abortConnection(mounted.minor);
      umount(mountPoint, { lazy: true });
    }
    rmdirSync(mountPoint);
  }
}
