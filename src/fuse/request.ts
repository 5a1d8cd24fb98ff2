// One request of the kernel: where it lies, who asked, and the lazily made signal that ends it.
import type { DriverError } from "../core/errors.ts";
import type { Caller } from "./file-system.ts";
import type { RequestBuffer } from "./request-buffer.ts";

const headerWords = 10;

export class Request implements Caller {
  readonly uniqueLow: number;
  readonly uniqueHigh: number;
  readonly opcode: number;
  readonly node: number;
  readonly uid: number;
  readonly gid: number;
  readonly pid: number;
  readonly buffer: RequestBuffer;
  /** Where the message ends in the buffer, extensions left out. */
  end: number;
  /** Set once the kernel has been answered, or must not be any more. */
  answered = false;
  startedAt = 0;
  #controller: AbortController | undefined;
  #abortReason: DriverError | undefined;

  constructor(buffer: RequestBuffer, size: number) {
    const { words } = buffer;
    this.buffer = buffer;
    this.end = size;
    this.opcode = words[1] as number;
    this.uniqueLow = words[2] as number;
    this.uniqueHigh = words[3] as number;
    this.node = (words[4] as number) + (words[5] as number) * 0x1_0000_0000;
    this.uid = words[6] as number;
    this.gid = words[7] as number;
    this.pid = words[8] as number;
  }

  /** Bit 63 of the unique number: the kernel repeats a request whose reader died. */
  get resent(): boolean {
    return this.uniqueHigh >>> 31 === 1;
  }

  /** The unique number without that bit, to find the request again. */
  get request(): number {
    return this.uniqueLow + (this.uniqueHigh & 0x7fff_ffff) * 0x1_0000_0000;
  }

  get words(): Uint32Array {
    return this.buffer.words;
  }

  /** In words, for the generated decoders. */
  get bodyAt(): number {
    return headerWords;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#abortReason) this.#controller.abort(this.#abortReason);
    return this.#controller.signal;
  }

  abort(reason: DriverError): void {
    this.#abortReason ??= reason;
    this.#controller?.abort(reason);
  }
}
