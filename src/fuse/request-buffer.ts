// Buffers that requests are read into. A request is decoded where it lies, so a buffer whose bytes an operation still needs
// (the data of a WRITE) is retained until that operation settles, and the reader goes on with another one.

export class RequestBuffer {
  readonly bytes: Buffer;
  /** The same memory: the kernel's structs are aligned and in our byte order. */
  readonly words: Uint32Array;
  #retained = false;
  readonly #pool: RequestBufferPool;

  constructor(size: number, pool: RequestBufferPool) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.words = new Uint32Array(this.bytes.buffer, 0, size >> 2);
    this.#pool = pool;
  }

  get retained(): boolean {
    return this.#retained;
  }

  retain(): void {
    this.#retained = true;
  }

  /** Whoever retained it is done with it. */
  free(): void {
    if (!this.#retained) return;
    this.#retained = false;
    this.#pool.put(this);
  }
}

export class RequestBufferPool {
  readonly #size: number;
  readonly #keep: number;
  readonly #free: RequestBuffer[] = [];

  /** @param keep how many unused buffers stay for the next burst */
  constructor(size: number, keep = 8) {
    this.#size = size + (-size & 7);
    this.#keep = keep;
  }

  take(): RequestBuffer {
    return this.#free.pop() ?? new RequestBuffer(this.#size, this);
  }

  put(buffer: RequestBuffer): void {
    if (this.#free.length < this.#keep) this.#free.push(buffer);
  }
}
