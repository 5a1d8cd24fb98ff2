// Serves the in-memory file system by the transport that is named. Arguments: transport, mount point. SIGTERM unmounts.
import { createLogger } from "../../../src/core/log.ts";
import { startFuseNative } from "../../../src/fuse/fuse-native/transport.ts";
import { mountFuse } from "../../../src/fuse/mount.ts";
import { FuseSession } from "../../../src/fuse/session.ts";
import { umount } from "../../../src/linux/mount.ts";
import { MemoryFileSystem } from "../memory-file-system.ts";

const [transport, mountPoint] = process.argv.slice(2) as [string, string];
const log = createLogger({ level: "error", component: transport });
const fileSystem = new MemoryFileSystem();
const common = { allowOther: true, defaultPermissions: true };
let stop: () => Promise<void>;
if (transport === "kernel") {
  const session = await FuseSession.start({ fd: mountFuse({ mountPoint, ...common }).fd, fileSystem, log });
  stop = async () => {
    umount(mountPoint, { lazy: true });
    await session.stop();
  };
} else {
  stop = (await startFuseNative({ mountPoint, fileSystem, log, ...common })).stop;
}
const alive = setInterval(() => {}, 60_000);
process.on("SIGTERM", async () => {
  await stop();
  clearInterval(alive);
  if (fileSystem.destroyed !== 1) process.exitCode = 3;
  process.stdout.write("stopped\n");
});
process.stdout.write("serving\n");
