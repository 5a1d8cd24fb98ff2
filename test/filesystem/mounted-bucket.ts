// A bucket of a real S3 server, mounted for real.
import { createS3FileSystem, type S3FileSystem } from "../../src/filesystem/file-system.ts";
import type { FileSystemOptions } from "../../src/filesystem/options.ts";
import { createS3Store } from "../../src/s3/client.ts";
import { staticCredentials } from "../../src/s3/credentials.ts";
import type { ObjectStore } from "../../src/s3/object-store.ts";
import { type EmbeddedS3, startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { type Mounted, withMount } from "../fuse/mounted.ts";

export interface Server {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface MountedBucket extends Mounted {
  readonly fileSystem: S3FileSystem;
  readonly store: ObjectStore;
}

export function storeOf(server: Server, bucket: string): ObjectStore {
  return createS3Store({
    region: "us-east-1",
    endpointUrl: server.endpoint,
    pathStyle: true,
    bucket,
    credentials: staticCredentials(server),
  });
}

export async function withBucket<T>(
  server: Server,
  bucket: string,
  options: Partial<FileSystemOptions>,
  use: (mounted: MountedBucket) => Promise<T>,
  timeLimitMs = 60_000,
): Promise<T> {
  const store = storeOf(server, bucket);
  const fileSystem = createS3FileSystem({ store, ...options });
  try {
    return await withMount(
      fileSystem,
      (mounted) => {
        fileSystem.attachNotifier(mounted.session.notifier);
        return use({ ...mounted, fileSystem, store });
      },
      { timeLimitMs },
    );
  } finally {
    await store.close();
  }
}

export interface Embedded extends Server {
  readonly s3: EmbeddedS3;
}

export async function withEmbedded<T>(use: (server: Embedded) => Promise<T>): Promise<T> {
  const s3 = await startEmbeddedS3({ buckets: ["bucket"] });
  try {
    return await use({ s3, endpoint: s3.endpoint, accessKeyId: s3.key.accessKeyId, secretAccessKey: s3.key.secretAccessKey });
  } finally {
    await s3.stop();
  }
}

/** Another client's write. */
export async function put(store: ObjectStore, key: string, body: string | Uint8Array): Promise<void> {
  await store.put({ key, body: [typeof body === "string" ? Buffer.from(body) : body] });
}
