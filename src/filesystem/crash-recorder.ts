// Keeps the crash record true to what is open, and goes on from the record of a process that died.
import type { Caller, Handle, OpenReply } from "../fuse/file-system.ts";
import { type CrashRecord, type Recorded, restoreNodesOf } from "./crash-record.ts";
import type { MountRecord } from "./record.ts";
import type { Volume } from "./volume.ts";
import { Upload } from "./writes/upload.ts";

export class CrashRecorder {
  readonly #volume: Volume;
  readonly #record: CrashRecord | undefined;
  /** Handles of the dead by the requests that opened them. */
  readonly #restored = new Map<number, Handle>();

  constructor(volume: Volume) {
    this.#volume = volume;
    this.#record = volume.options.crashRecord;
  }

  /** The last thing before the kernel is answered. */
  opened(reply: OpenReply, request: number): OpenReply {
    if (!this.#record) return reply;
    const { state } = this.#volume;
    const { handle } = reply;
    const reader = state.readers.get(handle);
    if (reader) {
      const { node, object, readByKernel } = reader;
      this.#record.opened({ handle, request, node: node.id, key: object.key, version: node.version, readByKernel });
    }
    const writer = state.writers.get(handle);
    // Appending goes on from an object as it was; what it has become by a crash is not known.
    if (writer?.sink instanceof Upload) this.#record.writing({ handle, request, node: writer.node.id, key: writer.node.key, opener: writer.opener });
    const directory = state.directories.get(handle);
    if (directory) this.#record.opened({ handle, request, node: directory.node.id, key: directory.node.key });
    return reply;
  }

  wrote(handle: Handle, offset: number, data: Uint8Array): void {
    this.#record?.wrote(handle, offset, data);
  }

  closed(handle: Handle): void {
    this.#record?.closed(handle);
  }

  /** The handle that a process gave to this very request and died before the kernel heard of it. */
  earlier({ resent, request }: Caller): Handle | undefined {
    return resent ? this.#restored.get(request) : undefined;
  }

  /** The nodes are there when this returns; the handles have to be opened again. */
  restore(recorded: Recorded): Pick<MountRecord, "readers" | "writers" | "directories"> {
    const { open, writing } = recorded;
    this.#volume.state.avoidNumbersOfTheDead(Date.now());
    restoreNodesOf(this.#volume.state, recorded);
    for (const { request, handle } of [...open, ...writing]) this.#restored.set(request, handle);
    const readers = open.flatMap(({ handle, node, key, version, readByKernel = false }) =>
      version ? { handle, node, key, etag: version.etag, size: version.size, active: true, readByKernel } : [],
    );
    const writers = writing.map(({ handle, node, opener, version, content }) => ({
      handle,
      node,
      opener,
      written: content.length > 0,
      state: version ? ("completed" as const) : ("open" as const),
      upload: { kind: "upload" as const, multipart: undefined, parts: [], tail: [content] },
    }));
    return { readers, writers, directories: open.filter(({ version }) => !version) };
  }

  /** What could not be restored leaves the record. */
  settle({ open, writing, directories }: Recorded): void {
    const { state } = this.#volume;
    for (const { handle } of [...open, ...writing])
      if (!state.readers.has(handle) && !state.writers.has(handle) && !state.directories.has(handle)) this.#record?.closed(handle);
    for (const { node } of directories) if (!state.nodes.has(node)) this.#record?.forgotten(node);
  }

  /** After a hand-over the record is empty, and the kernel knows all this already. */
  recordAll(): void {
    const { state } = this.#volume;
    for (const node of state.nodes.values()) state.record(node);
    for (const handle of [...state.readers.keys(), ...state.directories.keys()]) this.opened({ handle }, 0);
  }
}
