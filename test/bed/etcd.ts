// A one-member etcd on unix sockets: no port to collide with another test's.
import { request } from "node:http";
import path from "node:path";
import { ensureTool } from "../../scripts/tools/ensure-tool.ts";
import { type RunningProcess, startProcess } from "./process.ts";

export interface Etcd {
  /** For a client whose working folder is the one given. */
  readonly url: string;
  readonly process: RunningProcess;
  compact(): Promise<void>;
}

export async function startEtcd(folder: string, signal?: AbortSignal): Promise<Etcd> {
  // etcd takes unix addresses only in the form host:port, which is then the socket's name in its working folder.
  const url = "unix://etcd:1";
  const peer = "unix://peer:1";
  const socket = path.join(folder, "etcd:1");
  const process = await startProcess({
    name: "etcd",
    file: await ensureTool("etcd", { signal }),
    args: [
      ...["--data-dir", path.join(folder, "etcd"), "--listen-client-urls", url, "--advertise-client-urls", url],
      ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", `default=${peer}`],
      // A test's data need not survive the machine.
      ...["--unsafe-no-fsync", "--quota-backend-bytes", String(4 * 1024 ** 3)],
    ],
    cwd: folder,
    logFile: path.join(folder, "etcd.log"),
    ready: async () => (await call(socket, "GET", "/health")).includes("true"),
    signal,
  });
  return {
    url,
    process,
    async compact() {
      const answer = JSON.parse(await call(socket, "POST", "/v3/kv/range", { key: btoa("/"), count_only: true })) as {
        header: { revision: string };
      };
      await call(socket, "POST", "/v3/kv/compaction", { revision: answer.header.revision, physical: true });
    },
  };
}

function call(socketPath: string, method: string, target: string, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method, path: target, timeout: 10_000, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve(text) : reject(new Error(`etcd answered ${answer.statusCode}: ${text}`)),
      );
    });
    asked.on("timeout", () => asked.destroy(new Error("etcd did not answer")));
    asked.on("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
