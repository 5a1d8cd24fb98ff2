// One file of memory, as libfuse3-server.c has it.
import { DriverError } from "../../../src/core/errors.ts";
import { type Attributes, type AttributesReply, type Entry, type FileSystem, FileType, type NodeId, type OpenReply, type ReadReply } from "../../../src/fuse/file-system.ts";

const slack = 4 << 20;

export class OneFile implements FileSystem {
  readonly #content: Buffer;
  readonly #window: number;
  readonly #size: number;

  constructor(window: number, size: number) {
    this.#content = Buffer.alloc(window + slack, 7);
    this.#window = window;
    this.#size = size;
  }

  lookup(parent: NodeId, name: string): Entry {
    if (parent !== 1 || name !== "file") throw new DriverError("NotFound", "no such name");
    return { node: 2, attributes: this.#attributes(2), validMs: 0, entryValidMs: 0 };
  }

  getattr(node: NodeId): AttributesReply {
    return { attributes: this.#attributes(node), validMs: 0 };
  }

  setattr(node: NodeId): AttributesReply {
    return this.getattr(node);
  }

  open(): OpenReply {
    return { handle: 0 };
  }

  read(_node: NodeId, _handle: number, offset: number, size: number): ReadReply {
    const length = Math.max(0, Math.min(size, this.#size - offset));
    const at = offset % this.#window;
    return { chunks: [this.#content.subarray(at, at + length)] };
  }

  write(_node: NodeId, _handle: number, offset: number, data: Uint8Array): number {
    this.#content.set(data, offset % this.#window);
    return data.length;
  }

  #attributes(node: NodeId): Attributes {
    const mode = node === 1 ? FileType.directory | 0o755 : FileType.regular | 0o666;
    const size = node === 1 ? 0 : this.#size;
    return { ino: node, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blocks: 0, blksize: 4096, atimeMs: 0, mtimeMs: 0, ctimeMs: 0 };
  }
}
