// The FileSystem interface as the callbacks that fuse-native wants: negative errno or a result.
import type { Stat } from "fuse-native";
import { errnoOf } from "../../core/errno.ts";
import { DriverError } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import type { Attributes, Caller, DirectoryEntry, FileSystem, Handle, NodeId, SetAttributes } from "../file-system.ts";
import { PathWalker } from "./paths.ts";

type Operation = (...args: never[]) => void;
type Done<T = unknown> = (errno: number, result?: T) => void;

interface Open {
  readonly node: NodeId;
  readonly handle: Handle;
}

export function fuseNativeOperations(fs: FileSystem, log: Logger): Record<string, Operation> {
  const caller: Caller = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, pid: 0, signal: new AbortController().signal, resent: false, request: 0 };
  const paths = new PathWalker(fs, caller);
  const open = new Map<number, Open>();
  let nextFd = 1;

  /** Runs the work and reports its end through the callback. */
  function answer<T>(done: Done<T>, work: () => Promise<T>): void {
    work().then(
      (result) => done(0, result),
      (error) => {
        if (!(error instanceof DriverError)) log.error("a file system operation failed unexpectedly", { error });
        done(-errnoOf(error));
      },
    );
  }
  const simple = (done: Done, work: () => Promise<unknown>) => answer(done, async () => void (await work()));
  const change = (path: string, changes: SetAttributes, done: Done) =>
    simple(done, () => paths.at(path, (node) => need(fs.setattr).call(fs, node, changes, caller)));
  const keep = (node: NodeId, handle: Handle): number => {
    const fd = nextFd++;
    open.set(fd, { node, handle });
    return fd;
  };
  const opened = (fd: number): Open => {
    const found = open.get(fd);
    if (!found) throw new DriverError("BadHandle", `descriptor ${fd} is not open`);
    return found;
  };

  return {
    getattr: (path: string, done: Done<Stat>) =>
      answer(done, async () => toStat((await paths.at(path, (node) => need(fs.getattr).call(fs, node, undefined, caller))).attributes)),
    // Its presence is enough: fuse-native then calls getattr.
    fgetattr: () => {},
    statfs: (path: string, done: Done<unknown>) =>
      answer(done, async () => {
        const s = await paths.at(path, (node) => need(fs.statfs).call(fs, node, caller));
        const [blocks, bfree, bavail, files, ffree] = [s.blocks, s.bfree, s.bavail, s.files, s.ffree].map(Number);
        return { bsize: s.bsize, frsize: s.frsize, blocks, bfree, bavail, files, ffree, favail: ffree, fsid: 0, flag: 0, namemax: s.namelen };
      }),
    chmod: (path: string, mode: number, done: Done) => change(path, { mode }, done),
    chown: (path: string, uid: number, gid: number, done: Done) => change(path, { ...owner("uid", uid), ...owner("gid", gid) }, done),
    truncate: (path: string, size: number, done: Done) => change(path, { size }, done),
    ftruncate: (path: string, _fd: number, size: number, done: Done) => change(path, { size }, done),
    utimens: (path: string, _atime: number, mtime: number, done: Done) => change(path, { atimeMs: mtime, mtimeMs: mtime }, done),
    readlink: (path: string, done: Done<string>) =>
      answer(done, () => paths.at(path, (node) => need(fs.readlink).call(fs, node, caller))),
    symlink: (target: string, path: string, done: Done) =>
      simple(done, () => paths.above(path, (parent, name) => paths.drop(Promise.resolve(need(fs.symlink).call(fs, parent, name, target, caller))))),
    link: (from: string, to: string, done: Done) =>
      simple(done, () => paths.at(from, (node) => paths.above(to, (parent, name) => paths.drop(Promise.resolve(need(fs.link).call(fs, node, parent, name, caller)))))),
    mknod: (path: string, mode: number, dev: number, done: Done) =>
      simple(done, () => paths.above(path, (parent, name) => paths.drop(Promise.resolve(need(fs.mknod).call(fs, parent, name, mode, dev, 0, caller))))),
    mkdir: (path: string, mode: number, done: Done) =>
      simple(done, () => paths.above(path, (parent, name) => paths.drop(Promise.resolve(need(fs.mkdir).call(fs, parent, name, mode, 0, caller))))),
    unlink: (path: string, done: Done) => simple(done, () => paths.above(path, async (parent, name) => need(fs.unlink).call(fs, parent, name, caller))),
    rmdir: (path: string, done: Done) => simple(done, () => paths.above(path, async (parent, name) => need(fs.rmdir).call(fs, parent, name, caller))),
    rename: (from: string, to: string, done: Done) =>
      simple(done, () =>
        paths.above(from, (parent, name) => paths.above(to, async (newParent, newName) => need(fs.rename).call(fs, parent, name, newParent, newName, 0, caller))),
      ),
    open: (path: string, flags: number, done: Done<number>) =>
      answer(done, () => paths.at(path, async (node) => keep(node, (await need(fs.open).call(fs, node, flags, caller)).handle))),
    create: (path: string, mode: number, done: Done<number>) =>
      answer(done, () =>
        paths.above(path, async (parent, name) => {
          const made = await need(fs.create).call(fs, parent, name, mode, 2, 0, caller);
          await paths.drop(made.entry);
          return keep(made.entry.node, made.open.handle);
        }),
      ),
    read: (_path: string, fd: number, buffer: Buffer, length: number, offset: number, done: (result: number) => void) => {
      const work = async () => {
        const { node, handle } = opened(fd);
        const { chunks, release } = await need(fs.read).call(fs, node, handle, offset, length, caller);
        let size = 0;
        for (const chunk of chunks) {
          buffer.set(chunk, size);
          size += chunk.length;
        }
        release?.();
        return size;
      };
      work().then(done, (error) => done(-errnoOf(error)));
    },
    write: (_path: string, fd: number, buffer: Buffer, length: number, offset: number, done: (result: number) => void) => {
      const work = async () => {
        const { node, handle } = opened(fd);
        return need(fs.write).call(fs, node, handle, offset, buffer.subarray(0, length), caller);
      };
      work().then(done, (error) => done(-errnoOf(error)));
    },
    flush: (_path: string, fd: number, done: Done) => simple(done, async () => fs.flush?.(opened(fd).node, opened(fd).handle, 0n, caller)),
    fsync: (_path: string, dataOnly: number, fd: number, done: Done) =>
      simple(done, async () => fs.fsync?.(opened(fd).node, opened(fd).handle, dataOnly !== 0, caller)),
    release: (_path: string, fd: number, done: Done) =>
      simple(done, async () => {
        const { node, handle } = opened(fd);
        open.delete(fd);
        await fs.release?.(node, handle, 0, caller);
      }),
    readdir: (path: string, done: Done<string[]>) => answer(done, () => paths.at(path, (node) => listNames(fs, node, caller))),
    setxattr: (path: string, name: string, value: Buffer, _position: number, flags: number, done: Done) =>
      simple(done, () => paths.at(path, async (node) => need(fs.setxattr).call(fs, node, name, value, flags, caller))),
    getxattr: (path: string, name: string, _position: number, done: Done<Buffer>) =>
      answer(done, async () => Buffer.from(await paths.at(path, (node) => need(fs.getxattr).call(fs, node, name, caller)))),
    listxattr: (path: string, done: Done<readonly string[]>) =>
      answer(done, () => paths.at(path, (node) => need(fs.listxattr).call(fs, node, caller))),
    removexattr: (path: string, name: string, done: Done) => simple(done, () => paths.at(path, async (node) => need(fs.removexattr).call(fs, node, name, caller))),
  };
}

function need<T>(method: T | undefined): T {
  if (method === undefined) throw new DriverError("Unimplemented", "the file system does not have this");
  return method;
}

/** libfuse passes -1 for "leave it". */
function owner(key: "uid" | "gid", id: number): SetAttributes {
  return id >>> 0 === 0xffff_ffff ? {} : { [key]: id };
}

async function listNames(fs: FileSystem, node: NodeId, caller: Caller): Promise<string[]> {
  const names: string[] = [];
  const add = (entry: DirectoryEntry) => {
    if (entry.name !== "." && entry.name !== "..") names.push(entry.name);
    return true;
  };
  const { handle } = fs.opendir ? await fs.opendir(node, 0, caller) : { handle: 0 };
  try {
    await need(fs.readdir).call(fs, node, handle, 0, false, { add, addPlus: add }, caller);
  } finally {
    await fs.releasedir?.(node, handle, caller);
  }
  return names;
}

function toStat(a: Attributes): Stat {
  const { size, mode, uid, gid, nlink, ino, rdev, blocks } = a;
  return { mtime: new Date(a.mtimeMs), atime: new Date(a.atimeMs), ctime: new Date(a.ctimeMs), size, mode, uid, gid, nlink, ino, dev: 0, rdev, blocks };
}
