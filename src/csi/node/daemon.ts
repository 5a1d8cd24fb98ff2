// The daemon of one place, as the node service speaks to it: gRPC over mount.sock, the descriptor of /dev/fuse over fd.sock.
import { closeSync, lstatSync, watch } from "node:fs";
import path from "node:path";
import {
  type Credentials,
  MountpointDefinition,
  type MountRequest,
  type StatusResponse,
  type StatusResponse_Phase as Phase,
} from "../../../generated/proto/mountpoint.ts";
import { sleep } from "../../core/backoff.ts";
import { DriverError, hasCode, toDriverError } from "../../core/errors.ts";
import { connect, type GrpcClient } from "../../grpc/client.ts";
import { receiveFd, sendFd } from "../../linux/fd-passing.ts";
import { connectUnix } from "../../linux/unix-socket.ts";
import type { Place } from "./mounter.ts";

export const daemonSocket = "mount.sock";
const fdSocketName = "fd.sock";
const statusTimeoutMs = 2_000;
/** The watch on the directory tells of a new socket; this is only for what a watch can miss. */
const lookAgainMs = 200;

export type MountWithoutTokens = Omit<MountRequest, "token" | "crashRecordToken">;

/** What keeps a mount alive beyond its daemon. */
export interface Descriptors {
  /** The connection to the kernel. */
  readonly fuse: number;
  /** The memory in which the daemon records what its successor must know. */
  readonly crashRecord: number | undefined;
}

export function closeDescriptors({ fuse, crashRecord }: Descriptors): void {
  closeSync(fuse);
  if (crashRecord !== undefined) closeSync(crashRecord);
}

export class Daemon implements Disposable {
  readonly #place: Place;
  #client: GrpcClient<typeof MountpointDefinition> | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  get comm(): string {
    return this.#place.comm;
  }

  /** What it is doing; undefined when nobody answers at its socket. */
  async status(signal: AbortSignal): Promise<StatusResponse | undefined> {
    if (!isSocket(path.join(this.#place.comm, daemonSocket))) return undefined;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(statusTimeoutMs)]);
    try {
      return await this.#call.status({}, { signal: limit });
    } catch (error) {
      signal.throwIfAborted();
      this.#disconnect();
      if (hasCode(error, "Unavailable", "Unreachable", "DeadlineExceeded", "Cancelled", "Busy", "Unimplemented", "Internal"))
        return undefined;
      throw error;
    }
  }

  /** Waits until it answers and is in one of these phases. `requireHope` throws when that cannot come any more. */
  async reaches(phases: readonly Phase[], requireHope: () => void, signal: AbortSignal): Promise<StatusResponse> {
    for (;;) {
      const changed = this.#socketChange(signal);
      const status = await this.status(signal);
      if (status && phases.includes(status.phase)) {
        changed.cancel();
        return status;
      }
      if (!status) requireHope();
      // A daemon that is busy with something says nothing when it is done.
      await Promise.race([changed.promise, sleep(status ? 20 : lookAgainMs, signal).catch(() => {})]);
      changed.cancel();
      signal.throwIfAborted();
    }
  }

  /** Hands the descriptors over, then the options; returns when the file system answers, with its session state. */
  async mount({ fuse, crashRecord }: Descriptors, request: MountWithoutTokens, signal: AbortSignal): Promise<Buffer> {
    const token = this.#sendFd(fuse);
    const crashRecordToken = crashRecord === undefined ? "" : this.#sendFd(crashRecord);
    const { sessionState } = await this.#call.mount({ ...request, token, crashRecordToken }, { signal });
    return sessionState;
  }

  /** Duplicates of those it serves with. */
  async fetchDescriptors(signal: AbortSignal): Promise<Descriptors> {
    const fuse = await this.#fetchFd("get", signal);
    if (fuse === undefined) throw new DriverError("FailedPrecondition", `daemon ${this.#place.name} has no connection to give`);
    // A daemon of an earlier version does not know the word, and hangs up.
    return { fuse, crashRecord: await this.#fetchFd("get crash-record", signal).catch(() => undefined) };
  }

  /** A connection over which it may ask to have files registered; ours to serve and to close. */
  offerBroker(): number {
    const socket = connectUnix(path.join(this.#place.comm, fdSocketName));
    try {
      sendFd(socket, undefined, "broker");
      return socket;
    } catch (error) {
      closeSync(socket);
      throw error;
    }
  }

  async updateCredentials(credentials: Credentials, signal: AbortSignal): Promise<void> {
    await this.#call.updateCredentials({ credentials, skipCheck: false }, { signal });
  }

  /** Uploads that could not be finished in time. */
  async stop(force: boolean, signal: AbortSignal): Promise<readonly string[]> {
    const { lostUploads } = await this.#call.stop({ force }, { signal });
    return lostUploads;
  }

  [Symbol.dispose](): void {
    this.#disconnect();
  }

  /** The token under which it can be claimed. */
  #sendFd(fd: number): string {
    const token = crypto.randomUUID();
    const socket = connectUnix(path.join(this.#place.comm, fdSocketName));
    try {
      sendFd(socket, fd, token);
    } finally {
      closeSync(socket);
    }
    return token;
  }

  async #fetchFd(word: string, signal: AbortSignal): Promise<number | undefined> {
    const socket = connectUnix(path.join(this.#place.comm, fdSocketName));
    try {
      sendFd(socket, undefined, word);
      return (await receiveFd(socket, signal)).fd;
    } finally {
      closeSync(socket);
    }
  }

  get #call(): GrpcClient<typeof MountpointDefinition>["call"] {
    this.#client ??= connect(MountpointDefinition, { endpoint: path.join(this.#place.comm, daemonSocket) });
    return this.#client.call;
  }

  #disconnect(): void {
    this.#client?.close();
    this.#client = undefined;
  }

  /** Resolves when something happens to the socket's directory entry. */
  #socketChange(signal: AbortSignal): { readonly promise: Promise<void>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    try {
      const watcher = watch(this.#place.comm, { signal }, (_, name) => {
        if (name === null || name === daemonSocket) resolve();
      });
      watcher.on("error", () => resolve());
      return { promise, cancel: () => watcher.close() };
    } catch (error) {
      // The directory is not there yet, or no more.
      signal.throwIfAborted();
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw toDriverError(error);
      return { promise, cancel: () => {} };
    }
  }
}

/** Refuses a link in its place: the directory is the daemon's too. */
function isSocket(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !found.isSocket()) throw new DriverError("FailedPrecondition", `${file} is not a socket`);
  return found !== undefined;
}
