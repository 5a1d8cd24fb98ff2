// How each kind of result becomes a message. `send` gives 0 or the errno of the write; when the kernel did not take the
// message (the request was withdrawn), `undo` gives back what the file system had handed out with it.
import { encodeFileLock, encodeGetxattrOut, encodeKstatfs, encodeLseekOut, encodeOpenOut, encodeWriteOut, OpenReplyFlag, structSize } from "../../generated/fuse/kernel.ts";
import { Errno } from "../core/errno.ts";
import { writeAttrOut, writeEntryOut } from "./attributes.ts";
import type { DirectoryBuffer } from "./directory-sink.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { AttributesReply, Entry, FileLock, OpenReply, ReadReply, StatFs } from "./file-system.ts";
import type { Request } from "./request.ts";

export interface Reply<T> {
  send(d: Dispatcher, r: Request, value: T): number;
  undo?(d: Dispatcher, r: Request, value: T): void;
}

export const emptyReply: Reply<unknown> = { send: (d, r) => d.out.finish(r, 0) };

export const entryReply: Reply<Entry> = {
  send(d, r, entry) {
    writeEntryOut(d.out.words, d.out.bodyAt, entry);
    return d.out.finish(r, structSize.entryOut);
  },
  undo: (d, _, entry) => d.forget(entry.node, 1),
};

export const attributesReply: Reply<AttributesReply> = {
  send(d, r, value) {
    writeAttrOut(d.out.words, d.out.bodyAt, value);
    return d.out.finish(r, structSize.attrOut);
  },
};

export const openReply: Reply<OpenReply> = {
  send(d, r, open) {
    writeOpenOut(d.out.words, d.out.bodyAt, open);
    return d.out.finish(r, structSize.openOut);
  },
  undo: (d, r, open) => d.releaseUnseen(r.node, open.handle, r),
};

export const openDirectoryReply: Reply<OpenReply> = {
  send: openReply.send,
  undo: (d, r, open) => d.releaseDirectoryUnseen(r.node, open.handle, r),
};

export const createReply: Reply<{ entry: Entry; open: OpenReply }> = {
  send(d, r, { entry, open }) {
    writeEntryOut(d.out.words, d.out.bodyAt, entry);
    writeOpenOut(d.out.words, d.out.bodyAt + (structSize.entryOut >> 2), open);
    return d.out.finish(r, structSize.entryOut + structSize.openOut);
  },
  undo(d, r, { entry, open }) {
    d.releaseUnseen(entry.node, open.handle, r);
    d.forget(entry.node, 1);
  },
};

export const sizeReply: Reply<number> = {
  send(d, r, size) {
    encodeWriteOut(d.out.words, d.out.bodyAt, { size });
    return d.out.finish(r, structSize.writeOut);
  },
};

/** A count of 64 bits: lseek's offset, copy_file_range's bytes. */
export const offsetReply: Reply<number> = {
  send(d, r, offset) {
    encodeLseekOut(d.out.words, d.out.bodyAt, { offset });
    return d.out.finish(r, structSize.lseekOut);
  },
};

export const dataReply: Reply<ReadReply> = {
  send: (d, r, { chunks, release }) => d.out.data(r, chunks, release),
  undo: (_, __, { release }) => release?.(),
};

export const textReply: Reply<string> = {
  send: (d, r, text) => d.out.data(r, [Buffer.from(text)], undefined),
};

export const directoryReply: Reply<DirectoryBuffer> = {
  send: (d, r, sink) => d.out.data(r, [sink.bytes.subarray(0, sink.used)], undefined, true),
  undo(d, _, sink) {
    for (const node of sink.counted) d.forget(node, 1);
  },
};

export const statFsReply: Reply<StatFs> = {
  send(d, r, value) {
    encodeKstatfs(d.out.words, d.out.bodyAt, value);
    return d.out.finish(r, structSize.kstatfs);
  },
};

export const lockReply: Reply<FileLock> = {
  send(d, r, lock) {
    encodeFileLock(d.out.words, d.out.bodyAt, lock);
    return d.out.finish(r, structSize.fileLock);
  },
};

/** An attribute's value, or its size when the caller asked for that with a size of 0. */
export function xattrReply(room: number): Reply<Uint8Array> {
  return {
    send(d, r, value) {
      if (room > 0) return value.length > room ? d.out.error(r, Errno.ERANGE) : d.out.data(r, [value], undefined);
      encodeGetxattrOut(d.out.words, d.out.bodyAt, { size: value.length });
      return d.out.finish(r, structSize.getxattrOut);
    },
  };
}

function writeOpenOut(words: Uint32Array, at: number, o: OpenReply): void {
  const openFlags =
    (o.directIo ? OpenReplyFlag.DIRECT_IO : 0) |
    (o.keepCache ? OpenReplyFlag.KEEP_CACHE : 0) |
    (o.nonSeekable ? OpenReplyFlag.NONSEEKABLE : 0) |
    (o.cacheDirectory ? OpenReplyFlag.CACHE_DIR : 0) |
    (o.noFlush ? OpenReplyFlag.NOFLUSH : 0) |
    (o.parallelDirectWrites ? OpenReplyFlag.PARALLEL_DIRECT_WRITES : 0) |
    (o.backingId === undefined ? 0 : OpenReplyFlag.PASSTHROUGH);
  encodeOpenOut(words, at, { fh: o.handle, openFlags, backingId: o.backingId ?? 0 });
}
