// A server without privileges that answers every OPEN with a backing file. Arguments: a socket to connect to twice (for
// commands, and as the broker), the directory of the files.
import { closeSync, openSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { createLogger } from "../../../src/core/log.ts";
import { DriverError } from "../../../src/core/errors.ts";
import { BrokerClient } from "../../../src/fuse/broker/broker-client.ts";
import { type Attributes, type Entry, type FileSystem, FileType } from "../../../src/fuse/file-system.ts";
import { FuseSession } from "../../../src/fuse/session.ts";
import { receiveFd, sendFd } from "../../../src/linux/fd-passing.ts";
import { connectUnix } from "../../../src/linux/unix-socket.ts";

const [socketPath, directory] = process.argv.slice(2) as [string, string];
const control = connectUnix(socketPath);
const broker = new BrokerClient(connectUnix(socketPath));
const names = readdirSync(directory).sort();
let requests = 0;

function attributes(node: number): Attributes {
  const found = statSync(node === 1 ? directory : path.join(directory, names[node - 2] as string));
  const mode = node === 1 ? FileType.directory | 0o755 : FileType.regular | 0o666;
  return { ino: node, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: found.size, blocks: 0, blksize: 4096, atimeMs: 0, mtimeMs: found.mtimeMs, ctimeMs: found.ctimeMs };
}

const ids = new Map<number, number>();
const fileSystem: FileSystem = {
  wantedCapabilities: ["PASSTHROUGH"],
  init({ granted }) {
    if (!granted.has("PASSTHROUGH")) throw new DriverError("NotSupported", "this kernel has no passthrough");
  },
  lookup(_parent, name): Entry {
    const index = names.indexOf(name);
    if (index < 0) throw new DriverError("NotFound", name);
    return { node: index + 2, attributes: attributes(index + 2), validMs: 0, entryValidMs: 0 };
  },
  getattr: (node) => ({ attributes: attributes(node), validMs: 0 }),
  setattr: (node) => ({ attributes: attributes(node), validMs: 0 }),
  async open(node) {
    const fd = openSync(path.join(directory, names[node - 2] as string), "r+");
    try {
      const backingId = ids.get(node) ?? (await broker.register(fd));
      ids.set(node, backingId);
      return { handle: node, backingId };
    } finally {
      closeSync(fd);
    }
  },
  async release(node) {
    const id = ids.get(node);
    ids.delete(node);
    if (id !== undefined) await broker.unregister(id);
  },
  read() {
    requests++;
    throw new DriverError("Io", "this should never be asked");
  },
  write() {
    requests++;
    throw new DriverError("Io", "this should never be asked");
  },
};

for (;;) {
  const { data, fd } = await receiveFd(control);
  if (fd === undefined) sendFd(control, undefined, data.toString() === "reads" ? String(requests) : "?");
  else {
    await FuseSession.start({ fd, fileSystem, log: createLogger({ level: "error", component: "passthrough" }) });
    sendFd(control, undefined, "serving");
  }
}
