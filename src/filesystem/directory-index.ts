// What recent listings said about a directory, beside the nodes the kernel asked for: it answers lookups without a request.
// It also remembers what was changed here while requests were on their way, so that an older answer does not undo it.
import type { NodeId } from "../fuse/file-system.ts";
import type { Version } from "./state.ts";

export type Remote = RemoteDirectory | RemoteFile;

interface RemoteDirectory {
  readonly kind: "directory";
  readonly version?: undefined;
  /** Number promised to a reader of the directory before anybody looked the name up. */
  reservedId?: NodeId;
}

interface RemoteFile {
  readonly kind: "file";
  readonly version: Version;
  reservedId?: NodeId;
}

/** Names of one answer from S3. */
export interface Page {
  readonly names: Map<string, Remote>;
  readonly untilMs: number;
  readonly order: number;
}

const pagesPerDirectory = 4;

export class DirectoryIndex {
  #pages: Page[] = [];
  #changes: Map<string, number> | undefined;
  #inFlight = 0;
  /** Names that were found by single requests lately; when there are some, the next one is answered by a listing. */
  #found: number[] = [];
  /** How many names must be asked for before the directory is listed. */
  patience = 2;
  /** A listing from the start did not reach the end. */
  large = false;
  /** Answers taken from the newest listing that was made for lookups. */
  answered = 0;

  find(name: string, nowMs: number): { readonly remote: Remote; readonly page: Page } | undefined {
    for (const page of this.#pages) {
      if (page.untilMs <= nowMs) continue;
      const remote = page.names.get(name);
      if (remote) return { remote, page };
    }
    return undefined;
  }

  add(page: Page): void {
    this.#pages.unshift(page);
    if (this.#pages.length > pagesPerDirectory) this.#pages.length = pagesPerDirectory;
  }

  drop(page: Page): void {
    this.#pages = this.#pages.filter((other) => other !== page);
  }

  begin(): void {
    this.#inFlight++;
  }

  end(): void {
    if (--this.#inFlight === 0) this.#changes = undefined;
  }

  /** This mount changed what the name means. */
  changed(name: string, order: number): void {
    for (const page of this.#pages) page.names.delete(name);
    if (this.#inFlight === 0) return;
    this.#changes ??= new Map();
    this.#changes.set(name, order);
  }

  changedSince(name: string, order: number): boolean {
    return (this.#changes?.get(name) ?? 0) > order;
  }

  noteFound(nowMs: number): void {
    this.#found.push(nowMs);
    if (this.#found.length > 64) this.#found.shift();
  }

  /** Is it worth listing the directory instead of asking for the name alone? */
  wantsListing(nowMs: number): boolean {
    return this.#found.length >= this.patience && (this.#found[this.#found.length - this.patience] as number) > nowMs - 1000;
  }

  /** A listing that answered next to nothing makes the next one less likely. */
  settle(): void {
    this.patience = this.answered >= 3 ? 2 : Math.min(this.patience * 2, 64);
    this.answered = 0;
  }
}
