// Unfinished multipart uploads cost money and are seen by nobody: none is left behind.
import { backoffMs, sleep } from "../../core/backoff.ts";
import { hasCode } from "../../core/errors.ts";
import type { MultipartUpload, ObjectStore, TimeSpan } from "../../s3/object-store.ts";

const attempts = 6;
/** How far the clock of S3 may be from ours. */
const clockSlackMs = 5000;

/** Resolves when the upload is gone; rejects when S3 refuses to the end. */
export async function abandon(store: ObjectStore, upload: MultipartUpload): Promise<void> {
  await persistently(() => store.abortUpload(upload));
}

/**
 * An answer to CreateMultipartUpload got lost: what it made is known by its key, its time, and that nobody sends anything to it. One
 * that another client began in the same moments and has sent nothing to looks alike; it would be told so at its first part (NoSuchUpload).
 */
export async function removeOrphans(store: ObjectStore, key: string, { fromMs, toMs }: TimeSpan, own?: MultipartUpload): Promise<void> {
  await persistently(async () => {
    const suspects = (await store.listUploads(key)).filter(
      (upload) => upload.key === key && upload.uploadId !== own?.uploadId && upload.initiatedMs >= fromMs - clockSlackMs && upload.initiatedMs <= toMs + clockSlackMs,
    );
    for (const { uploadId } of suspects) if (!(await store.hasParts({ key, uploadId }))) await abandon(store, { key, uploadId, checksum: "off" });
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
