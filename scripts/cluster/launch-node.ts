// Starts the first process of a node in namespaces of its own and writes it down.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ToolName } from "../tools/table.ts";
import { type ClusterLayout, type NodeLayout, podRange, serviceRange } from "./layout.ts";
import { recordProcess } from "./process-record.ts";

export interface LaunchOptions {
  readonly layout: ClusterLayout;
  readonly node: NodeLayout;
  readonly role: "control" | "worker";
  readonly programs: ReadonlyMap<ToolName, string>;
  /** A shell command that runs in the node's pid namespace but in the host's network. */
  readonly beside?: string;
  /** Run in front of unshare(1): nsenter, for a node whose pid namespace lies in another's. */
  readonly wrapper?: readonly string[];
}

export async function launchNode({ layout, node, role, programs, beside, wrapper = [] }: LaunchOptions): Promise<number> {
  await mkdir(layout.logs, { recursive: true });
  const logFile = path.join(layout.logs, `${node.name}.log`);
  const log = openSync(logFile, "a");
  const namespaces = ["--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"];
  const script = `${beside ? `${beside} & ` : ""}exec unshare --net bash "$INIT"`;
  const [file = "unshare", ...args] = [...wrapper, "unshare", ...namespaces, "bash", "-c", script];
  const parent = spawn(file, args, {
    detached: true,
    stdio: ["ignore", log, log],
    env: {
      ...process.env,
      ...Object.fromEntries([...programs].map(([name, path]) => [name.toUpperCase().replaceAll("-", "_"), path])),
      RUN: layout.run,
      INIT: path.join(import.meta.dirname, "node-init.sh"),
      ROLE: role,
      NODE_DIR: node.folder,
      NODE_NAME: node.name,
      NODE_ADDRESS: node.address,
      POD_RANGE: podRange,
      SERVICE_RANGE: serviceRange,
    },
  });
  closeSync(log);
  await once(parent, "spawn");
  parent.unref();
  // unshare's child; behind nsenter, which forks too, its grandchild.
  let pid = parent.pid as number;
  for (let generation = wrapper.length > 0 ? 2 : 1; generation > 0; generation--) {
    let children = "";
    while (children === "") {
      if (parent.exitCode !== null) throw new Error(`The namespaces of ${node.name} could not be made; see ${logFile}`);
      children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")).trim();
      if (children === "") await delay(5);
    }
    pid = Number(children.split(" ")[0]);
  }
  await recordProcess(node.process, pid);
  // Whoever enters its network before it has one would enter the host's.
  const hostNetwork = await readlink("/proc/self/ns/net");
  while ((await readlink(`/proc/${pid}/ns/net`).catch(() => hostNetwork)) === hostNetwork) {
    if (parent.exitCode !== null) throw new Error(`${node.name} ended at once; see ${logFile}`);
    await delay(5);
  }
  return pid;
}
