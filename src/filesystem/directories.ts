// Reading directories: ".", "..", then what S3 lists, merged with what exists only here. The next page is asked for while
// the current one is read. Offsets count entries; they may go on, repeat the last reply or start again at 0.
import type { DirectorySink, Entry, Handle } from "../fuse/file-system.ts";
import { FileType } from "../fuse/file-system.ts";
import { compareKeys } from "../s3/key-order.ts";
import { attributesOf, entryOf } from "./attributes.ts";
import type { Remote } from "./directory-index.ts";
import { badHandle, ioError } from "./errors.ts";
import { listedNames } from "./listing.ts";
import type { Namespace } from "./namespace.ts";
import type { DirectoryNode, Node } from "./state.ts";
import { notifyLater, type Volume } from "./volume.ts";

interface Listed {
  readonly name: string;
  /** Undefined for what exists only here. */
  readonly remote: Remote | undefined;
  readonly order: number;
  readonly untilMs: number;
}

interface Batch {
  readonly entries: readonly Listed[];
  readonly last: boolean;
}

export class OpenDirectory {
  readonly handle: Handle;
  readonly node: DirectoryNode;
  readonly #volume: Volume;
  readonly #namespace: Namespace;
  #walk: Walk | undefined;

  constructor(handle: Handle, node: DirectoryNode, volume: Volume, namespace: Namespace) {
    this.handle = handle;
    this.node = node;
    this.#volume = volume;
    this.#namespace = namespace;
  }

  async read(offset: number, plus: boolean, sink: DirectorySink): Promise<void> {
    if (offset === 0) this.close();
    const fresh = this.#walk === undefined;
    this.#walk ??= new Walk(this.node, this.#volume, this.#namespace);
    const walk = this.#walk;
    let at = offset;
    // Opened by another process before us: its entries are listed again up to where it was.
    if (fresh && offset > 2) await walk.need(offset - 3);
    for (; at < 2; at++) if (!this.#addDots(at, plus, sink)) return;
    if (at - 2 < walk.kept || at - 2 > walk.produced) throw badHandle("this offset was never handed out, or long ago");
    walk.forgetBefore(at - 2);
    for (;;) {
      const listed = walk.at(at - 2) ?? (await walk.need(at - 2));
      if (!listed) return;
      const full = plus ? !this.#addPlus(listed, at + 1, sink) : !this.#add(listed, at + 1, sink);
      if (full) return;
      at++;
    }
  }

  #addDots(at: number, plus: boolean, sink: DirectorySink): boolean {
    const node = at === 0 ? this.node : (this.node.parent ?? this.node);
    const entry = { name: at === 0 ? "." : "..", ino: node.id, type: FileType.directory, nextOffset: at + 1 };
    if (!plus) return sink.add(entry);
    // The kernel makes no node of these two.
    const attributes: Entry = { node: 0, attributes: attributesOf(this.#volume, node), validMs: 0, entryValidMs: 0 };
    return sink.addPlus(entry, attributes);
  }

  #addPlus(listed: Listed, nextOffset: number, sink: DirectorySink): boolean {
    const node = this.#nodeOf(listed);
    if (!node) return true;
    const taken = sink.addPlus({ name: listed.name, ino: node.id, type: typeOf(node.kind), nextOffset }, entryOf(this.#volume, node));
    if (taken) this.#volume.state.handedOut(node);
    else this.#volume.state.collect(node);
    return taken;
  }

  #add(listed: Listed, nextOffset: number, sink: DirectorySink): boolean {
    const child = this.node.children.get(listed.name);
    const { remote } = listed;
    if (!remote || child) {
      const node = this.#nodeOf(listed);
      // Lookups and plus-readdir tell the kernel by their reply; a plain listing does not.
      if (child && child !== node && child.lookups > 0)
        notifyLater(this.#volume, (notifier) => notifier.invalidateEntry(this.node.id, listed.name));
      return !node || sink.add({ name: listed.name, ino: node.id, type: typeOf(node.kind), nextOffset });
    }
    if (this.node.index.changedSince(listed.name, listed.order)) return true;
    remote.reservedId ??= this.#volume.state.reserveNodeId();
    return sink.add({ name: listed.name, ino: remote.reservedId, type: typeOf(remote.kind), nextOffset });
  }

  /** Undefined when it has gone since it was listed. */
  #nodeOf(listed: Listed): Node | undefined {
    if (!listed.remote) {
      const child = this.node.children.get(listed.name);
      return child?.local ? child : undefined;
    }
    return this.#namespace.apply(this.node, listed.name, listed.remote, listed.order, listed.untilMs);
  }

  close(): void {
    this.#walk?.close();
    this.#walk = undefined;
  }
}

/** One pass over the directory. */
class Walk {
  readonly #node: DirectoryNode;
  readonly #volume: Volume;
  readonly #namespace: Namespace;
  /** Names of local children when the pass began, in order. */
  #local: string[];
  #entries: Listed[] = [];
  #next: Promise<Batch> | undefined;
  #token: string | undefined;
  #undecided: ReadonlyMap<string, Remote> = new Map();
  #ended = false;
  #open = true;
  /** Index of the first entry that can still be given. */
  kept = 0;

  constructor(node: DirectoryNode, volume: Volume, namespace: Namespace) {
    this.#node = node;
    this.#volume = volume;
    this.#namespace = namespace;
    this.#local = [...node.children.values()]
      .filter((child) => child.local)
      .map((child) => child.name)
      .sort(compareKeys);
    node.index.begin();
  }

  get produced(): number {
    return this.kept + this.#entries.length;
  }

  at(index: number): Listed | undefined {
    return this.#entries[index - this.kept];
  }

  async need(index: number): Promise<Listed | undefined> {
    while (index >= this.produced && !this.#ended) {
      const next = this.#next ?? this.#fetch();
      this.#next = undefined;
      const { entries, last } = await next;
      for (const entry of entries) this.#entries.push(entry);
      this.#ended = last;
      if (!last && this.#open) this.#prefetch();
    }
    return this.at(index);
  }

  forgetBefore(index: number): void {
    // Shifting costs; a page at a time is cheap enough.
    if (index - this.kept < 1000) return;
    this.#entries = this.#entries.slice(index - this.kept);
    this.kept = index;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#node.index.end();
  }

  #prefetch(): void {
    this.#next = this.#fetch();
    // Its failure is told to whoever needs the page.
    this.#next.catch(() => {});
  }

  async #fetch(): Promise<Batch> {
    const { state, store, options } = this.#volume;
    const order = state.nextOrder();
    const page = await store.list({ prefix: this.#node.key, delimiter: "/", continuationToken: this.#token }).catch((error: unknown) => {
      throw ioError(error, options.profile, `listing ${this.#node.key}`);
    });
    this.#token = page.nextToken;
    const untilMs = this.#volume.now() + options.positiveMs;
    const ordered = options.bucketType === "general-purpose";
    const { names, undecided } = listedNames(this.#node.key, page, this.#undecided);
    if (!ordered) for (const [name, remote] of undecided) if (!names.has(name)) names.set(name, remote);
    this.#undecided = ordered ? undecided : new Map();
    for (const name of names.keys()) if (this.#node.index.changedSince(name, order)) names.delete(name);
    this.#namespace.remember(this.#node, { names: new Map(names), order, untilMs });
    const entries: Listed[] = [...names].map(([name, remote]) => ({ name, remote, order, untilMs }));
    if (ordered) entries.sort((a, b) => compareKeys(a.name, b.name));
    const last = page.nextToken === undefined;
    return { entries: this.#mergeLocal(entries, ordered, last, order), last };
  }

  #mergeLocal(entries: readonly Listed[], ordered: boolean, last: boolean, order: number): readonly Listed[] {
    if (this.#local.length === 0) return entries;
    const listed = new Set(entries.map((entry) => entry.name));
    const end = entries.at(-1)?.name;
    const isDue = (name: string) => last || (ordered && end !== undefined && compareKeys(name, end) <= 0 && !this.#undecided.has(name));
    const due = this.#local.filter(isDue);
    this.#local = this.#local.filter((name) => !isDue(name));
    const merged = [...entries, ...due.filter((name) => !listed.has(name)).map((name) => ({ name, remote: undefined, order, untilMs: 0 }))];
    return ordered ? merged.sort((a, b) => compareKeys(a.name, b.name)) : merged;
  }
}

function typeOf(kind: Node["kind"]): number {
  return kind === "directory" ? FileType.directory : FileType.regular;
}
