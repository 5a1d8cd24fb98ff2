// A gRPC server on a unix socket. The socket appears under its name with its permissions already set, replacing what a killed predecessor
// left, and goes away on stop after the calls in flight have ended.
import { chmod, lstat, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createServer } from "nice-grpc";
import { DriverError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { errorMiddleware } from "./error-middleware.ts";
import { logMiddleware } from "./log-middleware.ts";
import type { Service } from "./service.ts";
import { type ShortPath, shortSocketPath, socketPathOf } from "./socket-path.ts";

export interface ServeOptions {
  /** unix:///path, or the path alone. */
  readonly endpoint: string;
  readonly services: readonly Service[];
  readonly logger: Logger;
  /** Largest message that is accepted; 2 MiB as the driver before had it. */
  readonly maxReceiveBytes?: number;
}

export interface GrpcServer extends AsyncDisposable {
  readonly socketPath: string;
  /** Takes no new calls and waits for the running ones; an aborted signal ends them. */
  stop(signal?: AbortSignal): Promise<void>;
}

export async function serve(options: ServeOptions): Promise<GrpcServer> {
  const socketPath = socketPathOf(options.endpoint);
  const maxBytes = options.maxReceiveBytes ?? 2 * 1024 * 1024;
  const server = createServer({ "grpc.max_receive_message_length": maxBytes }).use(logMiddleware(options.logger)).use(errorMiddleware);
  for (const { definition, implementation } of options.services) server.add(definition, implementation);
  const inode = await listen(server, socketPath);

  const stop = async (signal?: AbortSignal) => {
    // Out of the way first: a client that comes now finds the successor or nothing, never a server that is about to leave.
    if ((await inodeOf(socketPath)) === inode) await rm(socketPath, { force: true });
    const force = () => server.forceShutdown();
    signal?.addEventListener("abort", force, { once: true });
    if (signal?.aborted) force();
    await server.shutdown();
    signal?.removeEventListener("abort", force);
  };
  return { socketPath, stop, [Symbol.asyncDispose]: () => stop(AbortSignal.abort()) };
}

/** The inode of the socket, by which it is told from a successor's. */
async function listen(server: ReturnType<typeof createServer>, socketPath: string): Promise<number | undefined> {
  await refuseOtherFile(socketPath);
  // kubelet, which watches the directory of its plugins' sockets, overlooks what begins with a dot.
  const fresh = path.join(path.dirname(socketPath), `.${path.basename(socketPath)}.${process.pid}`);
  let short: ShortPath | undefined;
  try {
    await mkdir(path.dirname(socketPath), { recursive: true });
    await rm(fresh, { force: true });
    short = shortSocketPath(fresh);
    await server.listen(`unix:${short.path}`);
    await chmod(short.path, 0o600);
    await rename(fresh, socketPath);
    return await inodeOf(socketPath);
  } catch (cause) {
    throw new DriverError("FailedPrecondition", `cannot listen on ${socketPath}`, { cause });
  } finally {
    short?.release();
  }
}

/** A socket in the way is a leftover; anything else is not ours to remove. */
async function refuseOtherFile(socketPath: string): Promise<void> {
  const found = await lstat(socketPath).catch(() => undefined);
  if (found && !found.isSocket()) throw new DriverError("FailedPrecondition", `${socketPath} exists and is not a socket; remove it or choose another endpoint`);
}

async function inodeOf(file: string): Promise<number | undefined> {
  return (await lstat(file).catch(() => undefined))?.ino;
}
