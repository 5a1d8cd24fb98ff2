// Runs a program inside the node: its mounts, processes and network.
import { runTool } from "../tools/run-tool.ts";
import { type NodeLayout, nodeLayout } from "./layout.ts";
import { recordedProcess } from "./process-record.ts";

export interface NodeExecOptions {
  readonly signal?: AbortSignal;
  readonly node?: NodeLayout;
}

/** Returns what it printed on stdout; fails when it fails. */
export async function nodeExec(argv: readonly string[], options: NodeExecOptions = {}): Promise<string> {
  return runTool("nsenter", [...(await nodeNamespaces(undefined, options.node)), "--", ...argv], options);
}

export type NodeNamespace = "mount" | "pid" | "net" | "uts" | "ipc";

/** Arguments for nsenter(1), for callers that start the program themselves. */
export async function nodeNamespaces(
  which: readonly NodeNamespace[] = ["mount", "pid", "net", "uts", "ipc"],
  node: NodeLayout = nodeLayout(0),
): Promise<string[]> {
  const pid = await recordedProcess(node.process);
  if (pid === undefined) throw new Error(`The node ${node.name} does not run: npm run cluster:up`);
  return ["--target", String(pid), ...which.map((name) => `--${name}`)];
}
