import { setTimeout as delay } from "node:timers/promises";

/** Asks until the check gives something true, and gives that; kubectl has no event for most of what tests wait for. */
export async function eventually<T>(what: string, seconds: number, check: () => Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + seconds * 1000;
  let last: unknown;
  for (;;) {
    const found = await check().catch((thrown: unknown) => {
      last = thrown;
      return undefined;
    });
    if (found) return found as NonNullable<T>;
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`, { cause: last });
    await delay(200);
  }
}
