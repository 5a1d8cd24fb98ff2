// Mounts and gives the descriptor to the server, then waits to be killed. Arguments: mount point, the server's socket.
import { mountFuse } from "../../../src/fuse/mount.ts";
import { receiveFd, sendFd } from "../../../src/linux/fd-passing.ts";
import { connectUnix } from "../../../src/linux/unix-socket.ts";

const [mountPoint, socketPath] = process.argv.slice(2) as [string, string];
const { fd } = mountFuse({ mountPoint, allowOther: true, userId: 1000, groupId: 1000 });
const socket = connectUnix(socketPath);
sendFd(socket, fd, "{}");
await receiveFd(socket);
process.stdout.write("mounted\n");
setInterval(() => {}, 1000);
