// Where the bytes of a piece come from: the cache on disk for what it has, S3 for the holes.
import type { CachedFile } from "../cache/cached-file.ts";
import type { DiskCache } from "../cache/disk-cache.ts";
import type { Volume } from "../volume.ts";
import type { CachedObject, Fetch } from "./block-cache.ts";

export function fetchFrom(volume: Volume): Fetch {
  return async (object, start, end, into, onProgress, signal) => {
    const { onDisk: file } = object;
    const { disk } = volume;
    if (!file || !disk) {
      await fetchRange(volume, object, start, end, into, onProgress, signal);
      return undefined;
    }
    // The readers may all be gone before this ends.
    file.users++;
    let until: Promise<unknown> = Promise.resolve();
    try {
      const kept = await fetchThroughDisk(volume, disk, object, file, start, end, into, onProgress, signal);
      until = Promise.all(kept);
    } finally {
      void until.finally(() => disk.close(file));
    }
    return { until };
  };
}

async function fetchRange(
  { store }: Volume,
  object: CachedObject,
  start: number,
  end: number,
  into: Uint8Array,
  onProgress: (filled: number) => void,
  signal: AbortSignal,
): Promise<void> {
  // Stores give a checksum for whole objects: then nothing is shown before it is proven.
  const whole = start === 0 && end === object.size;
  await store.get({
    key: object.key,
    offset: start,
    length: end - start,
    ifMatch: object.etag,
    into,
    ...(whole ? { whole } : { onProgress }),
    signal,
  });
}

/** Runs are brought at the same time; progress is told from the front. Returns what the disk is still taking. */
async function fetchThroughDisk(
  volume: Volume,
  disk: DiskCache,
  object: CachedObject,
  file: CachedFile,
  start: number,
  end: number,
  into: Uint8Array,
  onProgress: (filled: number) => void,
  signal: AbortSignal,
): Promise<readonly Promise<void>[]> {
  const runs = [...file.runs(start, end)];
  const filled = runs.map(() => 0);
  const kept: Promise<void>[] = [];
  const report = (index: number, bytes: number) => {
    filled[index] = bytes;
    let total = 0;
    for (const [i, run] of runs.entries()) {
      total += filled[i] as number;
      if ((filled[i] as number) < run.end - run.start) break;
    }
    if (total < end - start) onProgress(total);
  };
  await Promise.all(
    runs.map(async (run, index) => {
      const part = into.subarray(run.start - start, run.end - start);
      const read = run.present && (await file.read(run.start, run.end, part).catch(() => false));
      if (!read) {
        await fetchRange(volume, object, run.start, run.end, part, (bytes) => report(index, bytes), signal);
        kept.push(disk.keep(file, run.start, part));
      }
      report(index, run.end - run.start);
    }),
  );
  return kept;
}
