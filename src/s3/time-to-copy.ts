// How long a store may copy before it replies: in proportion to the size. No disk should be slower than this.

const bytesPerMs = 10_000;

export function timeToCopyMs(size: number): number {
  return size / bytesPerMs;
}
