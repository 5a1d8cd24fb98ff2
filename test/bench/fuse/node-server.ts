// Serves the one file by one of our transports. Arguments: transport, mount point, window, size.
import { silentLogger } from "../../../src/core/log.ts";
import { startFuseNative } from "../../../src/fuse/fuse-native/transport.ts";
import { mountFuse } from "../../../src/fuse/mount.ts";
import { FuseSession } from "../../../src/fuse/session.ts";
import { OneFile } from "./one-file.ts";

const [transport, mountPoint, window, size] = process.argv.slice(2) as [string, string, string, string];
const fileSystem = new OneFile(Number(window), Number(size));
const log = silentLogger;
if (transport === "kernel") await FuseSession.start({ fd: mountFuse({ mountPoint }).fd, fileSystem, log });
else await startFuseNative({ mountPoint, fileSystem, log });
process.stdout.write("serving\n");
// fuse-native keeps no handle of its own on the event loop.
setInterval(() => {}, 60_000);
