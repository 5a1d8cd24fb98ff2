// How an object of unknown size is cut: parts double every five hundred, so that the 10,000 that S3 allows reach 5 TiB without
// small files paying for it.

const maxParts = 10_000;
const partsPerStep = 500;
const maxObjectSize = 5 * 1024 ** 4;
/** All but the last part must have this size. */
export const minPartSize = 5 * 1024 * 1024;

/** Size of the n-th part (from 1). `largest` is what memory can hold of one. */
export function partSize(n: number, base: number, largest: number): number {
  return Math.max(base, Math.min(base * 2 ** Math.floor((n - 1) / partsPerStep), largest));
}

export function maxUploadSize(base: number, largest: number): number {
  let size = 0;
  for (let n = 1; n <= maxParts; n += partsPerStep) size += partsPerStep * partSize(n, base, largest);
  return Math.min(size, maxObjectSize);
}
