// From names to nodes. Precedence: a directory in S3, then what exists only here (a file being written, a directory made
// by mkdir), then a file in S3. A node stands for one version of an object: another ETag is another node.
import type { Awaitable } from "../fuse/file-system.ts";
import { compareKeys } from "../s3/key-order.ts";
import type { Page, Remote } from "./directory-index.ts";
import { ioError, stale } from "./errors.ts";
import { listedNames } from "./listing.ts";
import { justBefore } from "./names.ts";
import { NegativeCache } from "./negative-cache.ts";
import { queryName, reaches } from "./query.ts";
import type { DirectoryNode, FileNode, Node } from "./state.ts";
import type { Volume } from "./volume.ts";

const rememberedPages = 64;

export class Namespace {
  readonly negative = new NegativeCache();
  readonly #volume: Volume;
  /** Requests for single names that are on their way. */
  readonly #asking = new Map<string, Promise<Node | undefined>>();
  readonly #listing = new Map<DirectoryNode, Promise<{ readonly order: number; covers(key: string): boolean }>>();
  readonly #pages: { readonly directory: DirectoryNode; readonly page: Page }[] = [];

  constructor(volume: Volume) {
    this.#volume = volume;
  }

  /** What the name means now. `fresh` asks S3 even if the answer is known. */
  resolve(directory: DirectoryNode, name: string, fresh = false): Awaitable<Node | undefined> {
    if (!fresh) {
      const now = this.#volume.now();
      const child = directory.children.get(name);
      if (child && child.validUntilMs > now) return child;
      const known = directory.index.find(name, now);
      if (known) {
        directory.index.answered++;
        return this.apply(directory, name, known.remote, known.page.order, known.page.untilMs);
      }
      if (!child && this.#volume.options.negativeMs > 0 && this.negative.until(directory.id, name, now) > 0) return undefined;
    }
    return this.#ask(directory, name, fresh);
  }

  /** The same node, checked with S3 where it has to be. Stale when its path leads to another one now. */
  revalidate<T extends Node>(node: T, fresh = false): Awaitable<T | undefined> {
    const { parent } = node;
    if (!parent) return node;
    const attached = this.#volume.state.isAttached(node);
    if (attached && !fresh && node.validUntilMs > this.#volume.now()) return node;
    if (!this.#volume.state.isAttached(parent)) throw stale(`${node.key} is no longer where it was`);
    const found = this.resolve(parent, node.name, fresh);
    const same = (other: Node | undefined) => {
      if (other && other !== node) throw stale(`${node.key} is another file now`);
      return other as T | undefined;
    };
    return found instanceof Promise ? found.then(same) : same(found);
  }

  /** Puts an answer of S3 into the tree and returns what the name means after it. */
  apply(directory: DirectoryNode, name: string, remote: Remote | undefined, order: number, untilMs: number): Node | undefined {
    const child = directory.children.get(name);
    if (directory.index.changedSince(name, order)) return child;
    if (child && child.knownSince > order) return child;
    if (!remote) return this.#applyMissing(directory, name, child, order, untilMs);
    this.negative.remove(directory.id, name);
    const node =
      remote.kind === "directory" ? this.#applyDirectory(directory, name, child, remote) : this.#applyFile(directory, name, child, remote);
    node.knownSince = order;
    node.validUntilMs = untilMs;
    return node;
  }

  /** This mount changed the name itself: answers to requests that were sent before do not count. */
  changed(directory: DirectoryNode, name: string): void {
    directory.index.changed(name, this.#volume.state.nextOrder());
    this.negative.remove(directory.id, name);
  }

  /** Keeps a listed page to answer lookups from. */
  remember(directory: DirectoryNode, page: Page): void {
    directory.index.add(page);
    this.#pages.push({ directory, page });
    if (this.#pages.length <= rememberedPages) return;
    const oldest = this.#pages.shift();
    oldest?.directory.index.drop(oldest.page);
  }

  #ask(directory: DirectoryNode, name: string, fresh: boolean): Promise<Node | undefined> {
    const key = directory.key + name;
    const under = this.#asking.get(key);
    // An answer that is on its way may be older than an object that was written just now: only its "yes" counts.
    if (under && !fresh) return under.then((node) => node ?? this.#askAlone(directory, name));
    const now = this.#volume.now();
    if (!fresh && this.#volume.options.bucketType === "general-purpose" && directory.index.wantsListing(now))
      return this.#askByListing(directory, name);
    return this.#askAlone(directory, name);
  }

  #askAlone(directory: DirectoryNode, name: string): Promise<Node | undefined> {
    const { state, store, options } = this.#volume;
    const key = directory.key + name;
    const order = state.nextOrder();
    directory.index.begin();
    const asked = queryName(store, options.bucketType, key).then(
      (remote) => {
        const now = this.#volume.now();
        if (remote) directory.index.noteFound(now);
        return this.apply(directory, name, remote, order, now + options.positiveMs);
      },
      (error: unknown) => {
        throw ioError(error, options.profile, `looking for ${key}`);
      },
    );
    const done = asked.finally(() => {
      directory.index.end();
      if (this.#asking.get(key) === done) this.#asking.delete(key);
    });
    this.#asking.set(key, done);
    return done;
  }

  async #askByListing(directory: DirectoryNode, name: string): Promise<Node | undefined> {
    const arrived = this.#volume.state.nextOrder();
    const under = this.#listing.get(directory);
    const listing = under ?? this.#list(directory, name).finally(() => this.#listing.delete(directory));
    if (!under) this.#listing.set(directory, listing);
    const { order, covers } = await listing;
    const now = this.#volume.now();
    const known = directory.index.find(name, now);
    if (known) {
      directory.index.answered++;
      directory.index.noteFound(now);
      return this.apply(directory, name, known.remote, known.page.order, known.page.untilMs);
    }
    // Absence only counts in a listing that began after the question.
    if (order > arrived && covers(directory.key + name))
      return this.apply(directory, name, undefined, order, now + this.#volume.options.positiveMs);
    return this.#askAlone(directory, name);
  }

  async #list(directory: DirectoryNode, name: string): Promise<{ readonly order: number; covers(key: string): boolean }> {
    const { state, store, options } = this.#volume;
    directory.index.settle();
    const order = state.nextOrder();
    directory.index.begin();
    try {
      const startAfter = directory.index.large ? justBefore(directory.key + name) : undefined;
      const page = await store.list({ prefix: directory.key, delimiter: "/", startAfter });
      if (startAfter === undefined && page.nextToken !== undefined) directory.index.large = true;
      const { names } = listedNames(directory.key, page, new Map());
      for (const changed of names.keys()) if (directory.index.changedSince(changed, order)) names.delete(changed);
      this.remember(directory, { names, order, untilMs: this.#volume.now() + options.positiveMs });
      return { order, covers: (key) => (startAfter === undefined || compareKeys(startAfter, key) < 0) && reaches(page, `${key}/`) };
    } catch (error) {
      throw ioError(error, options.profile, `listing ${directory.key}`);
    } finally {
      directory.index.end();
    }
  }

  #applyMissing(directory: DirectoryNode, name: string, child: Node | undefined, order: number, untilMs: number): Node | undefined {
    if (child?.local) {
      child.knownSince = order;
      child.validUntilMs = untilMs;
      return child;
    }
    const { negativeMs } = this.#volume.options;
    if (negativeMs > 0) this.negative.add(directory.id, name, this.#volume.now() + negativeMs);
    if (child) this.#replace(child, undefined);
    return undefined;
  }

  #applyDirectory(directory: DirectoryNode, name: string, child: Node | undefined, remote: Remote): DirectoryNode {
    if (child?.kind === "directory") {
      child.local = false;
      return child;
    }
    return this.#replace(child, () => this.#volume.state.addDirectory(directory, name, false, this.#idFor(remote)));
  }

  #applyFile(directory: DirectoryNode, name: string, child: Node | undefined, remote: Remote & { kind: "file" }): Node {
    if (child?.local) return child;
    if (child?.kind === "file" && child.version?.etag === remote.version.etag) {
      child.version = remote.version;
      return child;
    }
    return this.#replace(child, (): FileNode => this.#volume.state.addFile(directory, name, remote.version, this.#idFor(remote)));
  }

  #replace<T extends Node | undefined>(old: Node | undefined, make: (() => T) | undefined): T {
    if (old) this.#volume.state.detach(old);
    return make?.() as T;
  }

  #idFor(remote: Remote): number | undefined {
    const id = remote.reservedId;
    return id !== undefined && !this.#volume.state.nodes.has(id) ? id : undefined;
  }
}
