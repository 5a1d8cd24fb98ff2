// A mount in a process of its own, so that its memory can be measured: serves until its standard input ends.
//   node serve.ts '{"server":{...},"bucket":"b","mountPoint":"/x","options":{...}}'
import { abortConnection, ensureControlFileSystem } from "../../src/fuse/connection.ts";
import { mountFuse } from "../../src/fuse/mount.ts";
import { FuseSession } from "../../src/fuse/session.ts";
import { setReadAhead } from "../../src/linux/read-ahead.ts";
import { umount } from "../../src/linux/mount.ts";
import { testLog } from "../fuse/mounted.ts";
import { createS3FileSystem } from "../../src/filesystem/file-system.ts";
import { storeOf } from "./mounted-bucket.ts";

const { server, bucket, mountPoint, options } = JSON.parse(process.argv[2] as string);
ensureControlFileSystem();
const store = storeOf(server, bucket);
const fileSystem = createS3FileSystem({ store, log: testLog, ...options });
const mounted = mountFuse({ mountPoint, allowOther: true, defaultPermissions: true });
setReadAhead(mounted.device, 1024);
const session = await FuseSession.start({ fd: mounted.fd, fileSystem, log: testLog });
fileSystem.attachNotifier(session.notifier);
process.stdout.write("ready\n");
process.stdin.resume().once("end", () => {
  // In this order: unmounted, its number may be another's.
  abortConnection(mounted.connection);
  umount(mountPoint, { lazy: true });
  process.exit(0);
});
