// Duplicates of the connections' descriptors, with what a new daemon needs to go on where the old one was cut off.
//
// A lifeline (an idle connection to the daemon's socket) tells at once when the daemon dies. Then its successor is started,
// waited for and given the connection, as often as it takes. Meanwhile every process that touches the mount sleeps, unkillably;
// so after the limit the watchdog answers them with EIO, and a successor may still come. The mount is given up, for the next
// publish to make a new one, when a successor came and could not go on with it, or when the kernel is too old to answer what
// the dead daemon had read and the connection was aborted instead.
import { statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { StatusResponse_Phase as Phase } from "../../../generated/proto/mountpoint.ts";
import { backoffMs, sleep } from "../../core/backoff.ts";
import { explain } from "../../core/errors.ts";
import type { KeyedLock } from "../../core/keyed-lock.ts";
import type { Logger } from "../../core/log.ts";
import { serveBroker } from "../../fuse/broker/broker.ts";
import { abortConnection, isConnected } from "../../fuse/connection.ts";
import { ConnectionWatchdog } from "../../fuse/watchdog.ts";
import { findMount } from "../../linux/mount-info.ts";
import { peerCredentials, shortSocketPath } from "../../linux/unix-socket.ts";
import { closeDescriptors, type Daemon, type Descriptors, type MountWithoutTokens } from "./daemon.ts";
import type { Mounter, Place } from "./mounter.ts";
import { readMountRecord, writeMountRecord } from "./mount-record.ts";

export interface HeldOptions {
  readonly mounter: Mounter;
  readonly placeLock: KeyedLock;
  readonly log: Logger;
  /** How long callers wait for a new daemon before they get an error. */
  readonly takeOverMs: number;
}

interface Held {
  readonly descriptors: Descriptors;
  readonly watchdog: ConnectionWatchdog;
  readonly released: AbortController;
  /** The request that mounted it, with the state to resume from. */
  request: MountWithoutTokens;
  lifeline?: Socket;
  /** Pending as long as the daemon is served with registrations. One at a time: its end is taken for the daemon's. */
  broker: Promise<void>;
  /** A daemon is being given the connection: nobody else may answer on it. */
  resuming?: boolean;
}

/** One attempt to have the connection taken over. The place's lock is held for so long, and a publish may wait for it. */
const attemptMs = 20_000;
const pause = { baseMs: 250, maxMs: 10_000 };

export class HeldConnections implements Disposable {
  readonly #held = new Map<string, Held>();
  readonly #options: HeldOptions;

  constructor(options: HeldOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#held.has(name);
  }

  /** The daemon was serving and has not gone since. */
  isAlive(name: string): boolean {
    return this.#held.get(name)?.lifeline?.readyState === "open";
  }

  get size(): number {
    return this.#held.size;
  }

  /** The descriptors are ours from now on. The record lets a later node service go on. */
  async keep(place: Place, daemon: Daemon, descriptors: Descriptors, request: MountWithoutTokens): Promise<void> {
    this.#add(place, daemon, descriptors, request);
    await writeMountRecord(place.comm, request);
  }

  /** After a restart of the node service the daemon has the only descriptor: get a duplicate back. */
  async recover(place: Place, daemon: Daemon, signal: AbortSignal): Promise<void> {
    if (this.has(place.name)) return;
    try {
      const request = await readMountRecord(place.comm);
      if (!request) return;
      this.#add(place, daemon, await daemon.fetchDescriptors(signal), request);
      this.#options.log.info("the mount's connection was taken up again", { place: place.name });
    } catch (error) {
      signal.throwIfAborted();
      // The mount works; it will just not survive its daemon.
      this.#options.log.warn("the mount's connection could not be taken up again", { place: place.name, reason: explain(error) });
    }
  }

  release(name: string): void {
    const held = this.#held.get(name);
    if (!held) return;
    this.#held.delete(name);
    held.released.abort();
    held.lifeline?.destroy();
    held.watchdog.close();
    closeDescriptors(held.descriptors);
  }

  /** Gives the connection to a daemon that has none. False when there is nothing to give or it cannot go on with it. */
  async resume(place: Place, daemon: Daemon, signal: AbortSignal): Promise<boolean> {
    const held = this.#held.get(place.name);
    // What was aborted or unmounted cannot be served again: a daemon given such a connection would end at once, time and again.
    if (!held || !isConnected(held.descriptors.fuse)) return false;
    held.resuming = true;
    held.watchdog.standBack();
    try {
      const sessionState = await daemon.mount(held.descriptors, held.request, signal);
      held.watchdog.served();
      if (sessionState.length > 0) held.request = { ...held.request, resumeState: sessionState };
      this.#watch(place, daemon, held);
      this.#options.log.info("a new daemon took the mount over", { place: place.name });
      return true;
    } catch (error) {
      held.watchdog.unserved();
      signal.throwIfAborted();
      this.#options.log.warn("a new daemon could not take the mount over", { place: place.name, reason: explain(error) });
      return false;
    } finally {
      held.resuming = false;
    }
  }

  [Symbol.dispose](): void {
    for (const name of [...this.#held.keys()]) this.release(name);
  }

  #add(place: Place, daemon: Daemon, descriptors: Descriptors, request: MountWithoutTokens): void {
    this.release(place.name);
    const { takeOverMs: limitMs, log } = this.#options;
    const watchdog = new ConnectionWatchdog({
      fd: descriptors.fuse,
      connection: findMount(place.source)?.minor ?? -1,
      limitMs,
      log: log.with({ place: place.name }),
      onExpired: (outcome) => {
        if (outcome === "aborted") this.release(place.name);
      },
    });
    const held: Held = { descriptors, watchdog, released: new AbortController(), request, broker: Promise.resolve() };
    this.#held.set(place.name, held);
    this.#watch(place, daemon, held);
  }

  #watch(place: Place, daemon: Daemon, held: Held): void {
    held.lifeline?.destroy();
    const short = shortSocketPath(path.join(place.comm, "mount.sock"));
    const lifeline = connect(short.path);
    held.lifeline = lifeline;
    lifeline.unref();
    // Of the two, whichever comes first: the path is needed until then, and its descriptor can be closed once only.
    const connected = Promise.withResolvers<void>();
    void connected.promise.then(() => short.close());
    lifeline.once("connect", connected.resolve);
    lifeline.on("error", () => {});
    lifeline.resume();
    held.broker = held.broker.then(() => this.#serveBroker(place, daemon, held));
    lifeline.once("close", () => {
      connected.resolve();
      if (held.lifeline === lifeline && !held.released.signal.aborted) void this.#daemonGone(place, daemon, held);
    });
  }

  /** The daemon has no privileges: its cache's files are registered for it, so that the kernel reads them by itself. */
  async #serveBroker(place: Place, daemon: Daemon, { descriptors: { fuse: fuseFd }, request, released: { signal } }: Held): Promise<void> {
    if (signal.aborted || !request.args.some((arg) => arg === "--cache" || arg.startsWith("--cache="))) return;
    const log = this.#options.log.with({ place: place.name });
    try {
      const { dev: device } = statSync(place.cache);
      const socket = daemon.offerBroker();
      const { uid, gid } = peerCredentials(socket);
      await serveBroker({ socket, fuseFd, rule: { uid, gid, device }, log, signal });
    } catch (error) {
      log.info("the kernel does not read the daemon's cache by itself", { reason: explain(error) });
    }
  }

  async #daemonGone(place: Place, daemon: Daemon, held: Held): Promise<void> {
    const { placeLock, log } = this.#options;
    const { lifeline, released } = held;
    log.warn("a daemon is gone; the mount waits for its successor", { place: place.name });
    // A publish may have been quicker than we, or be so yet.
    if (!held.resuming) held.watchdog.unserved();
    const isOver = () => released.signal.aborted || held.lifeline !== lifeline;
    for (let attempt = 0; !isOver(); attempt++) {
      const signal = AbortSignal.any([released.signal, AbortSignal.timeout(attemptMs)]);
      try {
        await placeLock.run(place.name, async () => (isOver() ? undefined : this.#findSuccessor(place, daemon, held, signal)), signal);
      } catch (error) {
        if (isOver()) return;
        const words = { place: place.name, attempt, reason: explain(error) };
        if (attempt === 0) log.warn("no daemon has taken the mount over yet", words);
        else log.debug("no daemon has taken the mount over yet", words);
      }
      if (!isOver()) await sleep(backoffMs(attempt, pause), released.signal).catch(() => {});
    }
  }

  async #findSuccessor(place: Place, daemon: Daemon, held: Held, signal: AbortSignal): Promise<void> {
    const { mounter } = this.#options;
    if (!isConnected(held.descriptors.fuse)) return this.#giveUp(place);
    await mounter.start(place, signal);
    const status = await daemon.reaches([Phase.WAITING, Phase.SERVING], () => mounter.requireAlive(place), signal);
    if (status.phase === Phase.SERVING) {
      held.watchdog.served();
      this.#watch(place, daemon, held);
    } else if (!(await this.resume(place, daemon, signal))) this.#giveUp(place);
  }

  #giveUp(place: Place): void {
    const mounted = findMount(place.source);
    this.release(place.name);
    if (mounted) abortConnection(mounted.minor);
    this.#options.log.error("the mount has ended; its users get errors until the volume is published again", { place: place.name });
  }
}
