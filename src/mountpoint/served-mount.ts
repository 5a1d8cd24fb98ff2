// A bucket served on a FUSE connection: the store, the file system and the session, started and stopped together.
import type { Logger } from "../core/log.ts";
import { nothingRecorded } from "../filesystem/crash-record.ts";
import { createS3FileSystem, type S3FileSystem } from "../filesystem/file-system.ts";
import { FuseSession, type SessionEnd } from "../fuse/session.ts";
import { checkBucket } from "../s3/check-bucket.ts";
import { createS3Store } from "../s3/client.ts";
import { type CredentialsSource, SwappableCredentials } from "../s3/credentials.ts";
import type { ObjectStore } from "../s3/object-store.ts";
import type { BackingFiles } from "./backing-files.ts";
import type { MountMetrics } from "./mount-metrics.ts";
import type { MountOptions } from "./mount-options.ts";
import { CrashRecordMemory } from "./crash-record-memory.ts";
import { decodeResumeState, encodeResumeState } from "./resume-state.ts";

export interface ServeOptions {
  readonly options: MountOptions;
  readonly credentials: CredentialsSource;
  /** Of /dev/fuse. Called when everything but the kernel is known to work; the session owns what it gives. */
  readonly openConnection: () => number;
  /** By which the kernel may read the cache's files by itself. */
  readonly backingFiles?: BackingFiles;
  /** State of a connection that another process served before. */
  readonly resume?: Uint8Array;
  /** Memory that outlives this process, for what its successor must know. Stays the caller's. */
  readonly crashRecord?: number;
  readonly readOnly: boolean;
  readonly log: Logger;
  readonly metrics: MountMetrics;
  readonly signal?: AbortSignal;
}

export class ServedMount {
  readonly fd: number;
  readonly fileSystem: S3FileSystem;
  readonly #session: FuseSession;
  readonly #store: ObjectStore;
  readonly #credentials: SwappableCredentials;
  readonly #options: ServeOptions;

  /** Resolves when the file system answers the kernel; rejects with the true cause. */
  static async start(options: ServeOptions): Promise<ServedMount> {
    const { options: wish, log, signal } = options;
    const resume = options.resume && decodeResumeState(options.resume);
    const crashRecord = options.crashRecord === undefined ? undefined : new CrashRecordMemory(options.crashRecord);
    const credentials = new SwappableCredentials(options.credentials);
    const died = resume !== undefined && resume.fileSystem === undefined;
    if (!died) crashRecord?.clear();
    // Who takes a connection over has callers waiting already; S3 was found good when it was first mounted.
    const region = resume ? wish.connection.region : await check(options, credentials);
    const store = createS3Store({ ...wish.connection, region, bucket: wish.bucket, credentials, observer: options.metrics.observer });
    try {
      const fileSystem = createS3FileSystem({
        ...wish.fileSystem,
        store,
        log,
        ...(options.readOnly ? { readOnly: true } : {}),
        ...(wish.cache ? { cache: wish.cache, ...(options.backingFiles ? { passthrough: options.backingFiles } : {}) } : {}),
        ...(resume?.fileSystem ? { resume: resume.fileSystem } : {}),
        ...(died ? { predecessorDied: crashRecord?.load() ?? nothingRecorded } : {}),
        ...(crashRecord ? { crashRecord } : {}),
      });
      const fd = options.openConnection();
      const session = await FuseSession.start({
        fd,
        fileSystem,
        log,
        ...(resume ? { resume: resume.session } : {}),
        ...(signal ? { signal } : {}),
      });
      fileSystem.attachNotifier(session.notifier);
      return new ServedMount(options, { fd, fileSystem, session, store, credentials });
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  private constructor(
    options: ServeOptions,
    parts: { fd: number; fileSystem: S3FileSystem; session: FuseSession; store: ObjectStore; credentials: SwappableCredentials },
  ) {
    this.#options = options;
    this.fd = parts.fd;
    this.fileSystem = parts.fileSystem;
    this.#session = parts.session;
    this.#store = parts.store;
    this.#credentials = parts.credentials;
  }

  get closed(): Promise<SessionEnd> {
    return this.#session.closed;
  }

  /** For whoever takes over after a crash. */
  sessionState(): Uint8Array {
    return encodeResumeState({ session: this.#session.exportState() });
  }

  /** Stops serving, leaves the connection open, and writes down all that the next process needs. */
  async handOver(): Promise<Uint8Array> {
    const session = this.#session.exportState();
    await this.#session.stop({ handOver: true });
    return encodeResumeState({ session, fileSystem: await this.fileSystem.exportState() });
  }

  /** The old ones stay when the new ones are no good. */
  async updateCredentials(source: CredentialsSource, skipCheck: boolean, signal?: AbortSignal): Promise<void> {
    if (!skipCheck) await check({ ...this.#options, ...(signal ? { signal } : {}) }, source);
    this.#credentials.swap(source);
  }

  /** Finishes uploads until the signal says it is time, then stops serving. Returns what was lost. */
  async stop(options: { readonly force: boolean; readonly signal?: AbortSignal }): Promise<readonly string[]> {
    const lost = options.force ? [] : await this.#drain(options.signal);
    await this.#session.stop({ graceMs: options.force ? 0 : 5000 });
    return lost;
  }

  /** To be called once `closed` has resolved. */
  async release(): Promise<void> {
    await this.#store.close();
  }

  async #drain(signal: AbortSignal | undefined): Promise<readonly string[]> {
    const drained = this.fileSystem.drain();
    if (!signal) return drained;
    const { promise: late, resolve } = Promise.withResolvers<readonly string[]>();
    const onAbort = () => resolve([`${this.fileSystem.status().openUploads} uploads that were still under way`]);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    return Promise.race([drained, late]).finally(() => signal.removeEventListener("abort", onAbort));
  }
}

/** Resolves with the bucket's region. */
async function check(options: ServeOptions, credentials: CredentialsSource): Promise<string> {
  const { connection, bucket, fileSystem } = options.options;
  return checkBucket({
    ...connection,
    bucket,
    credentials,
    observer: options.metrics.observer,
    ...(fileSystem.prefix === undefined ? {} : { prefix: fileSystem.prefix }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}
