// The model again, by system calls on a real mount: fewer steps, since the kernel's second has to pass for each batch.
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createS3FileSystem } from "../../../src/filesystem/file-system.ts";
import { MemoryStore } from "../../../src/s3/memory-store.ts";
import { withMount } from "../../fuse/mounted.ts";
import { KernelClient } from "../kernel-client.ts";
import { runOn } from "../model-run.ts";
import { step } from "../steps.ts";

const batches = Number(process.env["S3CSI_KERNEL_MODEL_BATCHES"] ?? 8);

for (const allowOverwrite of [false, true]) {
  test(`the mounted tree is as the model says${allowOverwrite ? ", overwriting" : ""}`, async () => {
    const seed = Number(process.env["S3CSI_MODEL_SEED"] ?? 77);
    const chosen = fc.sample(fc.array(step, { minLength: 12, maxLength: 20, size: "max" }), { numRuns: batches, seed });
    const store = new MemoryStore();
    const fileSystem = createS3FileSystem({ store, allowOverwrite, allowDelete: true });
    await withMount(
      fileSystem,
      async ({ path, session }) => {
        fileSystem.attachNotifier(session.notifier);
        const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 1050));
        const options = { allowOverwrite, allowDelete: true, plus: true, replyLimit: 9, forget: false };
        const steps = await runOn({ store, client: new KernelClient(path), settle }, chosen, options).catch((error: unknown) => {
          throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
        });
        assert.ok(steps >= 12 * batches);
      },
      { timeLimitMs: 120_000 },
    );
  });
}

test.run();
