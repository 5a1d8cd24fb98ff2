// Where a reader is going. A handle may be read at several places at once (threads, columns, the kernel's own read-ahead out
// of order), so each handle has several cursors; a read belongs to the cursor it continues.
//
// How far to read ahead grows with the run that was read in one go: nothing for scattered reads, twice the run for a longer
// one, up to a ceiling. The ceiling doubles each time the reader has to wait, i.e. up to bandwidth × latency, and no further.

const KiB = 1024;
const MiB = 1024 * KiB;

/** Runs shorter than this are taken for scattered reads. */
const sequentialRun = 512 * KiB;
const firstCeiling = 8 * MiB;
const maxCursors = 8;
/** Reads this far behind or ahead of a cursor still belong to it: the kernel reorders its read-ahead. */
const slack = 512 * KiB;
/** A file that is read from its beginning is probably read to its end. */
const headStart = 4 * MiB;

export interface Cursor {
  /** End of the last read. */
  next: number;
  /** Bytes read in one go. */
  run: number;
  ceiling: number;
  /** Everything before this was asked for. */
  requested: number;
  usedAt: number;
}

export class Cursors {
  readonly #cursors: Cursor[] = [];
  #clock = 0;

  /** The cursor a read of [start, end) belongs to, moved on. */
  advance(start: number, end: number): Cursor {
    const cursor = this.#match(start) ?? this.#begin(start);
    cursor.run += Math.max(0, end - Math.max(cursor.next, start));
    cursor.next = Math.max(cursor.next, end);
    cursor.usedAt = ++this.#clock;
    return cursor;
  }

  #match(start: number): Cursor | undefined {
    let best: Cursor | undefined;
    for (const cursor of this.#cursors) {
      const distance = Math.abs(start - cursor.next);
      if (distance <= Math.min(slack, cursor.run) && (!best || distance < Math.abs(start - best.next))) best = cursor;
    }
    return best;
  }

  #begin(start: number): Cursor {
    const fresh = this.#cursors.length === 0 && start === 0;
    const cursor = { next: start, run: fresh ? headStart : 0, ceiling: firstCeiling, requested: start, usedAt: 0 };
    if (this.#cursors.length < maxCursors) this.#cursors.push(cursor);
    else {
      const oldest = this.#cursors.reduce((a, b) => (a.usedAt <= b.usedAt ? a : b));
      this.#cursors[this.#cursors.indexOf(oldest)] = cursor;
    }
    return cursor;
  }
}

/** How many bytes behind the cursor should be on their way. */
export function windowOf(cursor: Cursor, maxWindow: number): number {
  return cursor.run < sequentialRun ? 0 : Math.min(2 * cursor.run, cursor.ceiling, maxWindow);
}

/** The reader had to wait although it reads in order: look further ahead. */
export function starved(cursor: Cursor, maxWindow: number): void {
  cursor.ceiling = Math.min(cursor.ceiling * 2, Math.max(maxWindow, firstCeiling));
}
