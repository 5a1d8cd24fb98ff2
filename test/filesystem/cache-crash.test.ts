// The cache on disk under SIGKILL: a process dies while it fills the cache and gives things up, again and again, and the next
// one serves right bytes from what is left, knows exactly what is there, and takes no more space than it was given.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { temporaryFolder } from "../bed/temporary-folder.ts";
import { contentOf, maxBytes, nameOf, objectCount, sameBucket } from "./cache-crash.ts";
import { bench } from "./client.ts";

const rounds = 50;
const program = path.join(import.meta.dirname, "cache-crash-process.ts");

test(`killed ${rounds} times while it fills and evicts`, async () => {
  await using folder = await temporaryFolder("cache-crash", "memory");
  let asked = 0;
  let fetched = 0;
  let strays = 0;
  for (let round = 0; round < rounds; round++) {
    await workAndDie(folder.path);
    const left = filesOf(folder.path);
    assert.ok(sizeOf(left) <= maxBytes, `round ${round}: ${sizeOf(left)} bytes on disk after the crash`);
    strays += left.filter(({ name }) => !hasPartner(name, left)).length;
    const store = sameBucket();
    const next = bench({ cache: { directory: folder.path, maxBytes } }, store);
    const found = filesOf(folder.path);
    assert.equal(found.filter(({ name }) => !hasPartner(name, found)), [], `round ${round}: something was left behind`);
    assert.is(next.fs.status().cacheBytes, sizeOf(found), `round ${round}: the index is not what the files are`);
    for (let i = 0; i < objectCount; i++) {
      const content = contentOf(i);
      assert.ok(content.equals(await next.client.readFile(nameOf(i))), `round ${round}: wrong bytes in ${nameOf(i)}`);
      asked += content.length;
    }
    while (next.fs.status().cacheWritesPending > 0) await delay(1);
    fetched += store.bytesFetched;
    assert.ok(sizeOf(filesOf(folder.path)) <= maxBytes, `round ${round}: ${sizeOf(filesOf(folder.path))} bytes on disk`);
  }
  assert.ok(strays > 0, "no crash hit the cache while it worked: the test shows nothing");
  // Everything in turn is the worst case for a cache that holds a part of it; a useless one would fetch all.
  assert.ok(fetched < asked * 0.99, `what was left was of no use: ${fetched} of ${asked} bytes were fetched again`);
});

test.run();

async function workAndDie(directory: string): Promise<void> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, directory], { stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(child, "exit", { signal: AbortSignal.timeout(60_000) });
  await once(child.stdout, "data", { signal: AbortSignal.timeout(60_000) });
  await delay(20 + Math.random() * 250);
  assert.is(child.exitCode, null, "it ended by itself");
  child.kill("SIGKILL");
  await exit;
}

interface Found {
  readonly name: string;
  readonly bytes: number;
}

function filesOf(folder: string): Found[] {
  const found: Found[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(path.join(folder, name));
    if (stat.isFile()) found.push({ name, bytes: stat.blocks * 512 });
  }
  return found;
}

function sizeOf(files: readonly Found[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Content has a map, and a map has content. */
function hasPartner(name: string, files: readonly Found[]): boolean {
  const partner = name.endsWith(".map") ? name.replace(/map$/, "data") : name.endsWith(".data") ? name.replace(/data$/, "map") : undefined;
  return partner !== undefined && files.some((file) => file.name === partner);
}
