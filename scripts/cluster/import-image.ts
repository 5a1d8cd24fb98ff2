import { nodeLayout } from "./layout.ts";
import { nodeExec } from "./node-exec.ts";
import { recordedProcess } from "./process-record.ts";

export interface ImportImageOptions {
  readonly signal?: AbortSignal;
}

/** Puts the images of an OCI archive (its path as the host sees it) where every node's kubelet finds them; returns their names. */
export async function importImage(archive: string, options: ImportImageOptions = {}): Promise<string[]> {
  const ctr = ["ctr", "--address", "/run/containerd/containerd.sock", "--namespace", "k8s.io", "images", "import", archive];
  const printed = await nodeExec(ctr, options);
  const worker = nodeLayout(1);
  if ((await recordedProcess(worker.process)) !== undefined) await nodeExec(ctr, { ...options, node: worker });
  return [...printed.matchAll(/^unpacking (\S+)/gm)].map((match) => match[1] as string);
}
