// Cuts a list's JSON into its items while it arrives, so that a page of five hundred pods never stands in memory as one text and
// one tree. Knows just enough of JSON for that: strings, escapes, and how deep it is.

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

export class ListSplitter {
  readonly #onItem: (json: string) => void;
  /** Everything but the items. */
  readonly #rest: Buffer[] = [];
  readonly #item: Buffer[] = [];
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last string at the top level: the name of the field whose value comes next. */
  #name: number[] = [];
  #inItems = false;

  constructor(onItem: (json: string) => void) {
    this.#onItem = onItem;
  }

  push(chunk: Buffer): void {
    /** Where the bytes begin that are not accounted for yet. */
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
        else if (this.#depth === 1) this.#name.push(byte);
        continue;
      }
      if (byte === quote) {
        this.#inString = true;
        if (this.#depth === 1) this.#name = [];
      } else if (byte === openBrace || byte === openBracket) {
        if (this.#depth === 1) this.#inItems = byte === openBracket && String.fromCharCode(...this.#name) === "items";
        this.#depth += 1;
        if (this.#inItems && this.#depth === 2) {
          this.#rest.push(copy(chunk, from, at + 1));
          from = at + 1;
        } else if (this.#inItems && this.#depth === 3) from = at; // what stands between items is a comma
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth -= 1;
        if (this.#inItems && this.#depth === 2) {
          this.#emit(chunk.subarray(from, at + 1));
          from = at + 1;
        } else if (this.#inItems && this.#depth === 1) {
          this.#inItems = false;
          from = at;
        }
      }
    }
    if (this.#inItems && this.#depth > 2) this.#item.push(chunk.subarray(from));
    else if (!this.#inItems) this.#rest.push(copy(chunk, from, chunk.length));
  }

  /** The list without its items. */
  end(): string {
    return Buffer.concat(this.#rest).toString("utf8");
  }

  #emit(last: Buffer): void {
    const json = this.#item.length === 0 ? last.toString("utf8") : Buffer.concat([...this.#item, last]).toString("utf8");
    this.#item.length = 0;
    this.#onItem(json);
  }
}

/** A slice would keep the whole chunk alive until the list is read. */
function copy(chunk: Buffer, from: number, to: number): Buffer {
  return Buffer.from(chunk.subarray(from, to));
}
