// A server in a process of its own: uid 1000, no capability, no way to get one.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionState } from "../../../src/fuse/session-state.ts";
import { type Received, receiveFd, sendFd } from "../../../src/linux/fd-passing.ts";
import { connectUnix } from "../../../src/linux/unix-socket.ts";

export const serverUid = 1000;
const here = path.dirname(fileURLToPath(import.meta.url));
let count = 0;

export class Server {
  readonly child: ChildProcess;
  readonly socketPath: string;
  readonly exited: Promise<unknown>;

  /** Resolves when it waits for a descriptor. `directory` must belong to the server's uid. */
  static async start(directory: string): Promise<Server> {
    const server = new Server(directory);
    const { stdout } = server.child;
    if (!stdout) throw new Error("no stdout");
    await Promise.race([once(stdout, "data"), server.exited.then(() => Promise.reject(new Error("the server died at its start")))]);
    return server;
  }

  private constructor(directory: string) {
    this.socketPath = path.join(directory, `server-${count++}.sock`);
    this.child = spawnUnprivileged([path.join(here, "server-process.ts"), this.socketPath, directory]);
    this.exited = once(this.child, "exit");
  }

  async serve(fd: number, resume?: SessionState): Promise<SessionState> {
    const { data } = await this.#ask(JSON.stringify({ resume }), fd);
    return JSON.parse(data.toString());
  }

  async giveBack(): Promise<{ fd: number; state: SessionState }> {
    const { data, fd } = await this.#ask("get", undefined);
    if (fd === undefined) throw new Error("the server has no descriptor");
    return { fd, state: JSON.parse(data.toString()) };
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.child.kill(signal);
    await this.exited;
  }

  async #ask(question: string, fd: number | undefined): Promise<Received> {
    const socket = connectUnix(this.socketPath);
    try {
      sendFd(socket, fd, question);
      return await receiveFd(socket, AbortSignal.timeout(20_000));
    } finally {
      closeSync(socket);
    }
  }
}

export function spawnUnprivileged(args: readonly string[]): ChildProcess {
  const identity = [`--reuid=${serverUid}`, `--regid=${serverUid}`, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"];
  return spawn("setpriv", [...identity, process.execPath, ...args], { cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
}
