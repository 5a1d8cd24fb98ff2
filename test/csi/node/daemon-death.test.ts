// The daemon killed at random moments (30 times; S3CSI_DAEMON_DEATHS sets another number) while small files are written, read,
// removed, and directories made and listed: nobody who uses the volume gets an error, and every byte is right.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, readFile, rmdir, unlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { eventually, publishRequest, startNode } from "../bed/node-process.ts";

const deaths = Number(process.env["S3CSI_DAEMON_DEATHS"] ?? 30);

test(`${deaths} deaths of the daemon under load: no error, no wrong byte`, async () => {
  const s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data"] });
  const node = await startNode({ endpoint: s3.endpoint, region: "us-east-1", ...testAccount }, { logLevel: "warn" });
  const failures: string[] = [];
  const rounds: Record<string, number> = {};
  const stop = new AbortController();
  try {
    const at = node.target("pod");
    await node.call.nodePublishVolume(publishRequest("data", at, { flags: ["allow-delete"] }));
    const old = randomBytes(3 << 20);
    s3.bucket("data").put("old", old);
    const held = await open(path.join(at, "old"), constants.O_RDONLY | constants.O_DIRECT);

    /** One kind of user, until the end. */
    const user = async (name: string, round: (count: number) => Promise<void>) => {
      for (let count = 1; !stop.signal.aborted; count++) {
        await round(count).catch((error: Error) => failures.push(`${name} ${count}: ${error.message}`));
        rounds[name] = count;
      }
    };
    const users = [
      user("writer", async (count) => {
        const content = randomBytes(1 + Math.floor(Math.random() * 200_000));
        const name = path.join(at, `w-${count}`);
        const file = await open(name, "wx");
        const third = Math.ceil(content.length / 3);
        for (let from = 0; from < content.length; from += third) await file.write(content, from, Math.min(third, content.length - from));
        await file.close();
        if (!content.equals(await readFile(name))) throw new Error("wrong content");
        if (count % 2 === 0) await unlink(name);
      }),
      user("reader", async () => {
        const from = Math.floor(Math.random() * (old.length - 100_000));
        const bytes = Buffer.alloc(100_000);
        await held.read(bytes, 0, bytes.length, from);
        if (!bytes.equals(old.subarray(from, from + bytes.length))) throw new Error("wrong content");
      }),
      user("maker of directories", async (count) => {
        const name = path.join(at, `d-${count}`);
        await mkdir(name);
        if ((await readdir(name)).length > 0) throw new Error("not empty");
        await rmdir(name);
      }),
    ];
    for (let death = 1; death <= deaths; death++) {
      await delay(100 + Math.random() * 200);
      const [pid] = node.daemons();
      process.kill(pid as number, "SIGKILL");
      const before = { ...rounds };
      await eventually(`all go on after death ${death}`, () => Object.keys(rounds).length === 3 && Object.entries(rounds).every(([name, count]) => count > (before[name] ?? 0) + 2), 30_000);
    }
    stop.abort();
    await Promise.all(users);
    await held.close();
    assert.equal(failures, []);
    process.stdout.write(`${deaths} deaths, rounds: ${JSON.stringify(rounds)}\n`);
    await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: at });
  } catch (error) {
    process.stdout.write(`${failures.slice(0, 20).join("\n")}\n${node.log().slice(-4000)}\n`);
    throw error;
  } finally {
    stop.abort();
    await node.stop();
    await s3.stop();
  }
});

test.run();
