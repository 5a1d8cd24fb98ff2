// Eight kinds of callers that use a mount without pause and check what they get. Argument: the mount point. Ends on SIGTERM
// with a line of JSON: operations, errors, wrong bytes, the longest wait.
import { promises as fs } from "node:fs";
import path from "node:path";
import { dataSize, expectedByte, manyFiles } from "./stateless-file-system.ts";

const mount = process.argv[2] as string;
const result = { operations: 0, errors: [] as string[], wrong: 0, longestMs: 0 };
let ending = false;
process.on("SIGTERM", () => {
  ending = true;
});

const random = (n: number) => Math.floor(Math.random() * n);

function check(node: number, offset: number, bytes: Buffer): void {
  for (let i = 0; i < bytes.length; i += 97) if (bytes[i] !== expectedByte(node, offset + i)) result.wrong++;
}

async function readAt(flags: string, size: number): Promise<void> {
  const offset = random(dataSize - size);
  const handle = await fs.open(path.join(mount, "data"), flags);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(size), 0, size, offset);
    if (bytesRead !== size) result.wrong++;
    check(2, offset, buffer);
  } finally {
    await handle.close();
  }
}

const out = Buffer.alloc(8192);
let made = 0;

const callers: (() => Promise<void>)[] = [
  () => readAt("r", 4096),
  () => readAt("r", 300_000),
  async () => {
    const index = random(manyFiles);
    const bytes = await fs.readFile(path.join(mount, "many", `file-${index}`));
    if (bytes.length !== 10_000) result.wrong++;
    check(1000 + index, 0, bytes);
  },
  async () => {
    if ((await fs.stat(path.join(mount, "many", `file-${random(manyFiles)}`))).size !== 10_000) result.wrong++;
  },
  async () => {
    if ((await fs.readdir(path.join(mount, "many"))).length !== manyFiles) result.wrong++;
  },
  async () => {
    const slot = random(64);
    const value = random(256);
    const handle = await fs.open(path.join(mount, "out"), "r+");
    try {
      await handle.write(out.fill(value), 0, out.length, slot * out.length);
      const back = (await handle.read(Buffer.alloc(out.length), 0, out.length, slot * out.length)).buffer;
      if (!back.equals(Buffer.alloc(out.length, value))) result.wrong++;
    } finally {
      await handle.close();
    }
  },
  async () => {
    const file = path.join(mount, "made", `made-${made++ % 1_000_000}`);
    await (await fs.open(file, "wx")).close();
    await fs.unlink(file);
  },
  async () => {
    await fs.stat(path.join(mount, "many", `missing-${random(1000)}`)).then(
      () => result.wrong++,
      (error) => {
        if (error.code !== "ENOENT") throw error;
      },
    );
  },
];

process.stdout.write("running\n");
await Promise.all(
  callers.map(async (caller) => {
    while (!ending) {
      const before = performance.now();
      try {
        await caller();
      } catch (error) {
        if (result.errors.length < 20) result.errors.push(String((error as Error).message));
      }
      result.operations++;
      result.longestMs = Math.max(result.longestMs, performance.now() - before);
    }
  }),
);
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
