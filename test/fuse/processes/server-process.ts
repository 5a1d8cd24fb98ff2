// Serves a connection that it is given over a unix socket. Arguments: the socket's path, the directory of its data.
// A message with a descriptor is {resume?, broker?}: serve it, answered by the session's state. "get": the descriptor back.
import { closeSync } from "node:fs";
import { createLogger } from "../../../src/core/log.ts";
import { FuseSession } from "../../../src/fuse/session.ts";
import { duplicate } from "../../../src/linux/descriptor.ts";
import { receiveFd, sendFd } from "../../../src/linux/fd-passing.ts";
import { acceptUnix, listenUnix } from "../../../src/linux/unix-socket.ts";
import { StatelessFileSystem } from "./stateless-file-system.ts";

const [socketPath, directory] = process.argv.slice(2) as [string, string];
const log = createLogger({ level: "error", component: "server" });
const listener = listenUnix(socketPath);
let kept: number | undefined;
let session: FuseSession | undefined;

process.on("SIGTERM", async () => {
  await session?.stop({ graceMs: 1000 });
  process.exit(0);
});
process.stdout.write("listening\n");

for (;;) {
  const socket = await acceptUnix(listener);
  const { data, fd } = await receiveFd(socket);
  if (fd !== undefined) {
    kept = fd;
    const { resume } = JSON.parse(data.toString());
    session = await FuseSession.start({ fd: duplicate(fd), fileSystem: new StatelessFileSystem(directory), log, ...(resume && { resume }) });
    // Our own duplicate must not keep an unmounted connection's process alive.
    void session.closed.then(() => process.exit(0));
  }
  sendFd(socket, fd === undefined ? kept : undefined, JSON.stringify(session?.exportState() ?? null));
  closeSync(socket);
}
