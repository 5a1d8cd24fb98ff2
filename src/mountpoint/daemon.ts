// The Mountpoint Pod's daemon: takes a descriptor and options from the node service, serves the bucket, says what it does.
import { closeSync } from "node:fs";
import path from "node:path";
import {
  MountpointDefinition,
  type MountRequest,
  type MountpointServiceImplementation,
  StatusResponse_Phase as Phase,
} from "../../generated/proto/mountpoint.ts";
import { DriverError, explain } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { driverVersion } from "../core/version.ts";
import { type GrpcServer, serve } from "../grpc/server.ts";
import { implement } from "../grpc/service.ts";
import { BrokerClient } from "../fuse/broker/broker-client.ts";
import { readArguments } from "./arguments.ts";
import { BackingFiles } from "./backing-files.ts";
import { credentialsOf } from "./credentials-message.ts";
import { FdSocket } from "./fd-socket.ts";
import { MountMetrics } from "./mount-metrics.ts";
import { mountOptions } from "./mount-options.ts";
import { ServedMount } from "./served-mount.ts";

export interface DaemonOptions {
  /** Holds mount.sock and fd.sock. */
  readonly commDir: string;
  /** Takes the place of whatever directory the option --cache names. */
  readonly cacheDir: string;
  readonly log: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A record of every node the kernel knows can be large. */
const maxStateBytes = 256 * 1024 * 1024;

/** How a daemon ends: its exit code. */
export type DaemonEnd = 0 | 1;

export class Daemon {
  readonly metrics = new MountMetrics();
  readonly #options: DaemonOptions;
  readonly #log: Logger;
  readonly #fds: FdSocket;
  readonly #backingFiles: BackingFiles;
  readonly #ended = Promise.withResolvers<DaemonEnd>();
  readonly #stopListening = new AbortController();
  #server: GrpcServer | undefined;
  #phase: Phase = Phase.WAITING;
  #message = "";
  #request: MountRequest | undefined;
  #mount: ServedMount | undefined;
  /** Memory that the node service holds too. */
  #crashRecord: number | undefined;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#backingFiles = new BackingFiles(options.log);
    this.#fds = new FdSocket(options.log, {
      served: () => this.#mount?.fd,
      crashRecord: () => this.#crashRecord,
      broker: (socket) => this.#backingFiles.use(new BrokerClient(socket)),
    });
    const status = () => this.#mount?.fileSystem.status();
    const { registry } = this.metrics;
    registry.gauge("serving", "1 while the file system answers the kernel.", () => (this.serving ? 1 : 0));
    registry.gauge("open_files", "Files open in the file system.", () => status()?.openFiles ?? 0);
    registry.gauge("passthrough_files", "Open files that the kernel reads from the cache by itself.", () => status()?.filesReadByKernel ?? 0);
    registry.gauge("open_uploads", "Uploads that are not yet complete.", () => status()?.openUploads ?? 0);
    registry.gauge("nodes", "Files and directories the kernel knows.", () => status()?.nodes ?? 0);
    registry.gauge("memory_used_bytes", "File content held in memory.", () => status()?.memoryUsed ?? 0);
    registry.gauge("memory_budget_bytes", "File content that may be held in memory.", () => status()?.memoryBudget ?? 0);
  }

  /** Takes options, or serves. */
  get ready(): boolean {
    return this.#phase !== Phase.FAILED && this.#phase !== Phase.STOPPING;
  }

  get serving(): boolean {
    return this.#phase === Phase.SERVING;
  }

  /** Resolves when there is nothing more to do. */
  get ended(): Promise<DaemonEnd> {
    return this.#ended.promise;
  }

  async listen(): Promise<void> {
    const { commDir } = this.#options;
    this.#fds.listen(path.join(commDir, "fd.sock"), this.#stopListening.signal);
    const handlers: MountpointServiceImplementation = {
      mount: (request, { signal }) => this.#onMount(request, signal),
      status: async () => this.#status(),
      updateCredentials: async ({ credentials, skipCheck }, { signal }) => {
        await this.#required().updateCredentials(credentialsOf(credentials, this.#env()), skipCheck, signal);
        this.#log.info("credentials updated");
        return {};
      },
      handOver: async () => {
        const mount = this.#required();
        this.#phase = Phase.STOPPING;
        return { state: Buffer.from(await mount.handOver()) };
      },
      stop: async ({ force }, { signal }) => ({ lostUploads: [...(await this.stop(force, signal))] }),
    };
    const services = [implement(MountpointDefinition, handlers)];
    this.#server = await serve({ endpoint: path.join(commDir, "mount.sock"), services, logger: this.#log, maxReceiveBytes: maxStateBytes });
  }

  /** SIGTERM: who uses the mount must not lose it, so it is served until it is unmounted or Stop is called. */
  terminate(): void {
    if (!this.#mount) this.#ended.resolve(0);
    else this.#log.info("asked to end; serving on until the mount is released");
  }

  async stop(force: boolean, signal?: AbortSignal): Promise<readonly string[]> {
    this.#phase = Phase.STOPPING;
    const lost = (await this.#mount?.stop({ force, ...(signal ? { signal } : {}) })) ?? [];
    if (!this.#mount) this.#ended.resolve(0);
    return lost;
  }

  /** Answers the calls under way, then closes everything. */
  async close(): Promise<void> {
    await this.#server?.stop(AbortSignal.timeout(2_000));
    this.#stopListening.abort();
    this.#backingFiles.close();
    await this.#mount?.release();
  }

  async #onMount(request: MountRequest, signal: AbortSignal): Promise<{ sessionState: Buffer }> {
    if (this.#phase !== Phase.WAITING) return this.#alreadyMounted(request, signal);
    this.#phase = Phase.MOUNTING;
    this.#message = "";
    let fd: number | undefined;
    try {
      fd = await this.#fds.claim(request.token, signal);
      this.#crashRecord = request.crashRecordToken === "" ? undefined : await this.#fds.claim(request.crashRecordToken, signal);
      const connection = fd;
      const given = readArguments(request.args);
      const env = { ...this.#env(), ...request.env };
      const options = mountOptions(request.bucketName, given, env);
      for (const note of options.notes) this.#log.warn("an option has no effect", { note });
      const mount = await ServedMount.start({
        options: options.cache ? { ...options, cache: { ...options.cache, directory: this.#options.cacheDir } } : options,
        credentials: credentialsOf(request.credentials, env),
        openConnection: () => {
          fd = undefined;
          return connection;
        },
        backingFiles: this.#backingFiles,
        ...(request.resumeState.length > 0 ? { resume: request.resumeState } : {}),
        ...(this.#crashRecord === undefined ? {} : { crashRecord: this.#crashRecord }),
        readOnly: request.readOnly,
        log: this.#log.with({ volumeId: request.volumeId, bucket: options.bucket }),
        metrics: this.metrics,
        signal,
      });
      this.#mount = mount;
      this.#request = request;
      this.#phase = Phase.SERVING;
      this.#log.info("serving", { volumeId: request.volumeId, bucket: options.bucket, resumed: request.resumeState.length > 0 });
      void mount.closed.then((how) => {
        this.#log.info("the mount has ended", { how });
        this.#phase = how === "aborted" ? Phase.FAILED : Phase.STOPPING;
        this.#ended.resolve(how === "aborted" ? 1 : 0);
      });
      return { sessionState: Buffer.from(mount.sessionState()) };
    } catch (error) {
      // The next call may bring better options.
      this.#phase = Phase.WAITING;
      this.#message = explain(error);
      this.#log.error("the mount failed", { volumeId: request.volumeId, reason: this.#message });
      if (fd !== undefined) closeSync(fd);
      if (this.#crashRecord !== undefined) closeSync(this.#crashRecord);
      this.#crashRecord = undefined;
      throw error;
    }
  }

  async #alreadyMounted(request: MountRequest, signal: AbortSignal): Promise<{ sessionState: Buffer }> {
    for (const token of [request.token, request.crashRecordToken]) {
      const spare = token === "" ? undefined : await this.#fds.claim(token, signal).catch(() => undefined);
      if (spare !== undefined) closeSync(spare);
    }
    if (this.#phase !== Phase.SERVING || !this.#mount) throw new DriverError("Busy", "the daemon is mounting or stopping; try again", { retryable: true });
    if (!this.#request || !sameWish(this.#request, request)) throw new DriverError("FailedPrecondition", "the daemon serves another bucket or other options already");
    return { sessionState: Buffer.from(this.#mount.sessionState()) };
  }

  #status() {
    const fileSystem = this.#mount?.fileSystem.status();
    return {
      phase: this.#phase,
      message: this.#message || this.metrics.trouble,
      bucketName: this.#request?.bucketName ?? "",
      driverVersion,
      openUploads: fileSystem?.openUploads ?? 0,
      openFiles: fileSystem?.openFiles ?? 0,
      secondsSinceS3Success: this.metrics.secondsSinceSuccess,
      pid: process.pid,
    };
  }

  #required(): ServedMount {
    if (!this.#mount || this.#phase !== Phase.SERVING) throw new DriverError("FailedPrecondition", "nothing is mounted");
    return this.#mount;
  }

  /** Only what concerns S3: the rest of a pod's environment is not for a mount's options. */
  #env(): Record<string, string | undefined> {
    return Object.fromEntries(Object.entries(this.#options.env).filter(([name]) => /^AWS_|_PROXY$|_proxy$|^HOME$/.test(name)));
  }
}

function sameWish(a: MountRequest, b: MountRequest): boolean {
  const wish = ({ bucketName, args, env, readOnly }: MountRequest) => JSON.stringify([bucketName, [...args].sort(), Object.entries(env).sort(), readOnly]);
  return wish(a) === wish(b);
}
