// Reads and writes through a cache that is too small, until it is killed. argv: the cache's directory.
import { bench } from "./client.ts";
import { contentOf, maxBytes, nameOf, objectCount, sameBucket } from "./cache-crash.ts";

const [directory = ""] = process.argv.slice(2);
const { client } = bench({ cache: { directory, maxBytes }, allowOverwrite: true, memoryBudget: 32 << 20 }, sameBucket());

async function workForEver(): Promise<never> {
  for (;;) {
    const index = Math.floor(Math.random() * objectCount);
    const content = contentOf(index);
    // Files that others have open can't be written; that is no matter here.
    if (Math.random() < 0.3) await client.writeFile(nameOf(index), content).catch(() => {});
    else await readSome(index, content).catch(() => {});
    await new Promise(setImmediate);
  }
}

async function readSome(index: number, content: Buffer): Promise<void> {
  const file = await client.open(nameOf(index));
  try {
    if (Math.random() < 0.5) return void (await client.read(file, 0, content.length));
    await client.read(file, Math.floor(Math.random() * content.length), 300 * 1024);
  } finally {
    await client.close(file);
  }
}

for (let i = 0; i < 4; i++) void workForEver();
process.stdout.write("working\n");
