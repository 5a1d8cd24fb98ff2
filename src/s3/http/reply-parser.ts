// Reads one HTTP/1.1 reply after another from bytes as they come. The socket asks `room()` where its next bytes shall go: while
// a body with a destination is under way, that is the destination itself, so the bulk of a GET is received where it is wanted
// and never copied; only what arrives together with the header is.
import type { HttpReply } from "./message.ts";

/** Small, since what of a body arrives in it has to be copied. */
const headRoomBytes = 16 * 1024;
const collectRoomBytes = 64 * 1024;
/** Error documents and listings; nothing of that kind is larger. */
const maxCollectedBytes = 64 * 1024 * 1024;
const maxHeadBytes = 64 * 1024;

export interface Expectation {
  readonly method: string;
  readonly into: Uint8Array | undefined;
  readonly onProgress: ((filled: number) => void) | undefined;
}

export class ReplyParser {
  #expected: Expectation | undefined;
  #state: "head" | "fixed" | "chunked" | "until-close" | "done" = "done";
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #headers = new Map<string, string>();
  /** Body under way. */
  #destination: Uint8Array = new Uint8Array();
  #filled = 0;
  #length = 0;
  #inPlace = false;
  #chunks: ChunkDecoder | undefined;
  readonly #headRoom = Buffer.allocUnsafeSlow(headRoomBytes);
  #collectRoom: Buffer | undefined;

  /** True when the connection can carry another request after this reply. */
  reusable = false;
  /** Bytes of the current reply seen so far. */
  seen = 0;

  expect(expectation: Expectation): void {
    this.#expected = expectation;
    this.#state = "head";
    this.#head = Buffer.alloc(0);
    this.#headers = new Map();
    this.seen = 0;
    this.reusable = false;
  }

  room(): Uint8Array {
    if (this.#state === "fixed" && this.#inPlace) return this.#destination.subarray(this.#filled);
    if (this.#state === "head" || this.#state === "done") return this.#headRoom;
    this.#collectRoom ??= Buffer.allocUnsafeSlow(collectRoomBytes);
    return this.#collectRoom;
  }

  /** Takes what was received; returns the reply when it is complete. Throws on what is not HTTP. */
  take(bytes: Uint8Array): HttpReply | undefined {
    this.seen += bytes.length;
    switch (this.#state) {
      case "head":
        return this.#takeHead(bytes);
      case "fixed":
        return this.#takeFixed(bytes);
      case "chunked":
        return this.#takeChunked(bytes);
      case "until-close":
        this.#append(bytes);
        return undefined;
      case "done":
        throw new Error("the server sent bytes that nobody asked for");
    }
  }

  /** The connection ended. Returns the reply when the end was its proper end. */
  end(): HttpReply | undefined {
    return this.#state === "until-close" ? this.#finish() : undefined;
  }

  #takeHead(bytes: Uint8Array): HttpReply | undefined {
    const head = this.#head.length === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) {
      if (head.length > maxHeadBytes) throw new Error("the reply's header is too long");
      this.#head = Buffer.from(head);
      return undefined;
    }
    this.#parseHead(head.toString("latin1", 0, end));
    const rest = head.subarray(end + 4);
    // An interim reply ("100 Continue") is followed by the real one.
    if (this.#status < 200) {
      this.#head = Buffer.alloc(0);
      return rest.length > 0 ? this.#takeHead(Buffer.from(rest)) : undefined;
    }
    this.#chooseBody();
    if (this.#state === "done") return this.#finish();
    return rest.length > 0 || (this.#state === "fixed" && this.#length === 0) ? this.#takeRest(rest) : undefined;
  }

  #takeRest(rest: Buffer): HttpReply | undefined {
    if (this.#state === "fixed") return this.#takeFixed(rest);
    if (this.#state === "chunked") return this.#takeChunked(rest);
    this.#append(rest);
    return undefined;
  }

  #parseHead(text: string): void {
    const lines = text.split("\r\n");
    const status = /^HTTP\/1\.([01]) (\d{3})/.exec(lines[0] ?? "");
    if (!status) throw new Error("the reply is not HTTP/1.1");
    this.#status = Number(status[2]);
    this.#headers = new Map();
    for (const line of lines.slice(1)) {
      const colon = line.indexOf(":");
      if (colon > 0) this.#headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    const connection = this.#headers.get("connection")?.toLowerCase();
    this.reusable = status[1] === "1" ? connection !== "close" : connection === "keep-alive";
  }

  #chooseBody(): void {
    this.#filled = 0;
    this.#inPlace = false;
    const { method, into } = this.#expected ?? { method: "GET", into: undefined };
    if (method === "HEAD" || this.#status === 204 || this.#status === 304) {
      this.#destination = new Uint8Array();
      this.#state = "done";
      return;
    }
    const good = this.#status < 300;
    if (this.#headers.get("transfer-encoding")?.toLowerCase().includes("chunked")) {
      this.#chunks = new ChunkDecoder();
      this.#destination = new Uint8Array();
      this.#state = "chunked";
      return;
    }
    const announced = this.#headers.get("content-length");
    if (announced === undefined) {
      this.#destination = new Uint8Array();
      this.#state = "until-close";
      this.reusable = false;
      return;
    }
    this.#length = Number(announced);
    this.#state = "fixed";
    if (good && into && into.length === this.#length) {
      this.#destination = into;
      this.#inPlace = true;
      return;
    }
    if (good && into) throw new Error(`the reply has ${this.#length} bytes where ${into.length} were asked for`);
    if (!Number.isSafeInteger(this.#length) || this.#length > maxCollectedBytes) throw new Error("the reply is too long");
    this.#destination = Buffer.allocUnsafeSlow(this.#length);
  }

  #takeFixed(bytes: Uint8Array): HttpReply | undefined {
    if (bytes.length > this.#length - this.#filled) throw new Error("the reply is longer than it said");
    const inPlace = this.#inPlace && bytes.buffer === this.#destination.buffer && bytes.byteOffset === this.#destination.byteOffset + this.#filled;
    if (!inPlace) this.#destination.set(bytes, this.#filled);
    this.#filled += bytes.length;
    if (this.#inPlace && bytes.length > 0) this.#expected?.onProgress?.(this.#filled);
    return this.#filled === this.#length ? this.#finish() : undefined;
  }

  #takeChunked(bytes: Uint8Array): HttpReply | undefined {
    const decoder = this.#chunks as ChunkDecoder;
    const ended = decoder.take(bytes, (piece) => this.#append(piece));
    return ended ? this.#finish() : undefined;
  }

  #append(bytes: Uint8Array): void {
    if (this.#filled + bytes.length > maxCollectedBytes) throw new Error("the reply is too long");
    if (this.#filled + bytes.length > this.#destination.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(collectRoomBytes, 2 * (this.#filled + bytes.length)));
      larger.set(this.#destination.subarray(0, this.#filled));
      this.#destination = larger;
    }
    this.#destination.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  #finish(): HttpReply {
    const collected = this.#destination.subarray(0, this.#filled);
    const into = this.#expected?.into;
    this.#state = "done";
    this.#destination = new Uint8Array();
    this.#chunks = undefined;
    if (!into || this.#status >= 300 || this.#inPlace) return { status: this.#status, headers: this.#headers, body: collected };
    // It came chunked or until the end, so its length is known only now.
    if (collected.length !== into.length) throw new Error(`the reply has ${collected.length} bytes where ${into.length} were asked for`);
    into.set(collected);
    this.#expected?.onProgress?.(into.length);
    return { status: this.#status, headers: this.#headers, body: into };
  }
}

class ChunkDecoder {
  #line = "";
  #left = 0;
  #where: "size" | "data" | "data-end" | "trailer" = "size";

  /** True at the end of the body. */
  take(bytes: Uint8Array, give: (piece: Uint8Array) => void): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.#where === "data") {
        const piece = bytes.subarray(at, at + this.#left);
        give(piece);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#left === 0) this.#where = "data-end";
        continue;
      }
      const feed = bytes.indexOf(10, at);
      this.#line += Buffer.from(bytes.subarray(at, feed < 0 ? bytes.length : feed)).toString("latin1");
      if (feed < 0) return false;
      at = feed + 1;
      const line = this.#line.replace(/\r$/, "");
      this.#line = "";
      if (this.#where === "data-end") this.#where = "size";
      else if (this.#where === "trailer") {
        if (line === "") return true;
      } else {
        this.#left = Number.parseInt(line, 16);
        if (Number.isNaN(this.#left)) throw new Error("the reply's chunks are not well-formed");
        this.#where = this.#left === 0 ? "trailer" : "data";
      }
    }
    return false;
  }
}
