// The bytes of an object: a list of segments, so that completing a multipart upload and appending copy nothing. The same buffer
// may stand in the list many times, which makes huge test objects cheap.

export class Content {
  readonly segments: readonly Buffer[];
  /** Where each segment starts. */
  readonly #starts: readonly number[];
  readonly size: number;

  constructor(segments: readonly Buffer[]) {
    this.segments = segments;
    const starts: number[] = [];
    let size = 0;
    for (const segment of segments) {
      starts.push(size);
      size += segment.length;
    }
    this.#starts = starts;
    this.size = size;
  }

  range(from: number, to: number): Buffer[] {
    const slices: Buffer[] = [];
    for (let i = this.#segmentAt(from); i < this.segments.length; i++) {
      const start = this.#starts[i] ?? 0;
      if (start >= to) break;
      slices.push((this.segments[i] as Buffer).subarray(Math.max(0, from - start), to - start));
    }
    return slices;
  }

  #segmentAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
