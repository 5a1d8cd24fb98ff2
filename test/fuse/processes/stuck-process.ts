// Reads are never answered; at the first one the server asks the kernel to drop the very page that is being read, which
// waits for that read, and then exits. Argument: the mount point.
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "../../../src/core/log.ts";
import type { Caller, ReadReply } from "../../../src/fuse/file-system.ts";
import { mountFuse } from "../../../src/fuse/mount.ts";
import { FuseSession } from "../../../src/fuse/session.ts";
import { MemoryFileSystem } from "../memory-file-system.ts";

const reading = Promise.withResolvers<number>();

class NeverReads extends MemoryFileSystem {
  override read(node: number): ReadReply {
    reading.resolve(node);
    return new Promise(() => {}) as never;
  }
}

const fileSystem = new NeverReads();
const { entry } = fileSystem.create(1, "f", 0o644, 0, 0, { uid: 0, gid: 0 } as Caller);
fileSystem.write(entry.node, 0, 0, Buffer.alloc(4096));
const { fd } = mountFuse({ mountPoint: process.argv[2] as string });
const session = await FuseSession.start({ fd, fileSystem, log: createLogger({ level: "error", component: "stuck" }) });
process.stdout.write("serving\n");
const node = await reading.promise;
let taken = false;
void session.notifier.invalidateNode(node).then(() => {
  taken = true;
});
await sleep(300);
// 8 would mean that the message was not stuck at all, and the test worthless.
process.exit(taken ? 8 : 7);
