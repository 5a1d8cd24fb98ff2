// The second transport: the same FileSystem over fuse-native and the machine's libfuse 2. Slower and poorer than our own
// session (see limits.ts), it is there for comparison and for where the kernel protocol cannot be spoken directly.
import { DriverError } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import type { FileSystem } from "../file-system.ts";
import { type FuseNativeLimit, refuseBeyondLimits } from "./limits.ts";
import { fuseNativeOperations } from "./operations.ts";

export interface FuseNativeOptions {
  readonly mountPoint: string;
  readonly fileSystem: FileSystem;
  readonly log: Logger;
  readonly allowOther?: boolean;
  readonly defaultPermissions?: boolean;
  /** What the caller cannot do without: refused now rather than missed later. */
  readonly required?: readonly FuseNativeLimit[];
  readonly requestTimeoutMs?: number;
}

export interface FuseNativeSession {
  /** Unmounts and ends. */
  stop(): Promise<void>;
}

export async function startFuseNative(options: FuseNativeOptions): Promise<FuseNativeSession> {
  refuseBeyondLimits(options.required ?? []);
  const { default: Fuse } = await load();
  const { fileSystem, mountPoint, log } = options;
  const noCapability = { major: 7, minor: 19, offered: new Set<string>(), granted: new Set<string>(), maxWrite: 131072, maxReadahead: 131072 };
  await fileSystem.init?.(noCapability);
  const fuse = new Fuse(mountPoint, fuseNativeOperations(fileSystem, log), {
    allowOther: options.allowOther ?? false,
    defaultPermissions: options.defaultPermissions ?? false,
    // Options that fuse-native does not know ride on one that it passes on; without big_writes a WRITE has 4 KiB, and
    // libfuse has one validity for all, which only 0 makes true.
    fsname: "mountpoint-s3,big_writes,use_ino,attr_timeout=0,entry_timeout=0,nosuid,nodev",
    timeout: options.requestTimeoutMs ?? false,
  });
  await settle("mount", (done) => fuse.mount(done));
  return {
    async stop() {
      await settle("unmount", (done) => fuse.unmount(done));
      await fileSystem.destroy?.();
    },
  };
}

async function load(): Promise<typeof import("fuse-native")> {
  try {
    return await import("fuse-native");
  } catch (error) {
    throw new DriverError("FailedPrecondition", "fuse-native cannot be loaded; it needs the system's libfuse2 (apt-get install libfuse2)", { cause: error });
  }
}

function settle(what: string, call: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) =>
    call((error) => (error ? reject(new DriverError("Io", `fuse-native could not ${what}: ${error.message}`, { cause: error })) : resolve())),
  );
}
