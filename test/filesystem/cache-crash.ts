// What the processes of cache-crash.test.ts agree on: the objects, and the size of the cache.
import { MemoryStore } from "../../src/s3/memory-store.ts";

const KiB = 1024;
/** Less than the objects take together, so that something is given up all the time. */
export const maxBytes = 6 * 1024 * KiB;
export const objectCount = 24;

export function nameOf(index: number): string {
  return `object-${index}`;
}

/** From one byte to 1.5 MiB, no two alike. */
export function contentOf(index: number): Buffer {
  const bytes = Buffer.alloc(1 + ((index * 397 * KiB) % (1536 * KiB)));
  for (let i = 0; i + 4 <= bytes.length; i += 4) bytes.writeUInt32LE(Math.imul(i + 1 + index * 7919, 2654435761) >>> 0, i);
  return bytes;
}

/** A bucket that every process fills alike, so that the versions in it are the same. */
export function sameBucket(): MemoryStore {
  const store = new MemoryStore();
  for (let i = 0; i < objectCount; i++) store.set(nameOf(i), contentOf(i));
  return store;
}
