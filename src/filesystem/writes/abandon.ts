// Unfinished multipart uploads cost money and are seen by nobody: none is left behind.
import { backoffMs, sleep } from "../../core/backoff.ts";
import { hasCode } from "../../core/errors.ts";
import type { MultipartUpload, ObjectStore } from "../../s3/object-store.ts";

const attempts = 6;
/** How far the clock of S3 may be from ours. */
const clockSlackMs = 5000;

/** Resolves when the upload is gone; rejects when S3 refuses to the end. */
export async function abandon(store: ObjectStore, upload: MultipartUpload): Promise<void> {
  await persistently(() => store.abortUpload(upload));
}

/** The answer to CreateMultipartUpload got lost: what it made is found by its key and its time. */
export async function findOrphan(store: ObjectStore, key: string, startedMs: number): Promise<void> {
  await persistently(async () => {
    // Not those of other clients, which may be writing the same key.
    const orphans = (await store.listUploads(key)).filter((upload) => upload.key === key && upload.initiatedMs >= startedMs - clockSlackMs);
    for (const orphan of orphans) await abandon(store, { key, uploadId: orphan.uploadId, checksum: "off" });
  });
}

async function persistently(attempt: () => Promise<void>): Promise<void> {
  for (let n = 0; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (hasCode(error, "NotFound")) return;
      if (n + 1 === attempts) throw error;
      await sleep(backoffMs(n, { baseMs: 50, maxMs: 2000 }));
    }
  }
}
