// Content of any size that is cheap to make and told apart at every place.

const MiB = 1 << 20;

/** The same bytes for the same offsets, whoever asks. */
const tile = Buffer.alloc(MiB);
for (let i = 0; i < tile.length; i += 4) tile.writeUInt32LE(Math.imul(i + 1, 2654435761) >>> 0, i);

export function fill(into: Uint8Array, offset: number): void {
  for (let at = 0; at < into.length; ) {
    const from = (offset + at) % tile.length;
    const count = Math.min(tile.length - from, into.length - at);
    into.set(tile.subarray(from, from + count), at);
    at += count;
  }
  // Every MiB is told apart by its number.
  for (let n = Math.ceil(offset / MiB); n * MiB + 4 <= offset + into.length; n++)
    new DataView(into.buffer, into.byteOffset).setUint32(n * MiB - offset, n);
}
