// Where the one-node cluster keeps its things (outside the checkout), and its fixed names and addresses.
import { createHash } from "node:crypto";
import os from "node:os";
import path from "node:path";

export interface ClusterLayout {
  /** All state of a running cluster; deleted when it goes down. */
  readonly run: string;
  /** Image archives, kept. */
  readonly images: string;
  readonly pki: string;
  readonly logs: string;
  /** For the host: an administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly lock: string;
  /** Name of the parent of all pods' cgroups; another one for each place, so that two clusters can run side by side. */
  readonly cgroup: string;
}

export interface NodeLayout {
  readonly name: string;
  readonly address: string;
  readonly podRange: string;
  /** Its configuration, containerd's store, kubelet's state, logs, pids. */
  readonly folder: string;
  /** The first process of its pid namespace, as the host sees it. */
  readonly process: string;
  /** Parent of its pods' cgroups, below each hierarchy's root. */
  readonly cgroup: string;
}

export const serviceRange = "10.96.0.0/16";
export const apiServiceAddress = "10.96.0.1";
export const podRange = "10.244.0.0/16";

/** Node 0 has the control plane; a test may add node 1. */
export function nodeLayout(index: 0 | 1, cluster: ClusterLayout = clusterLayout()): NodeLayout {
  const name = `s3-csi-node-${index}`;
  const folder = path.join(cluster.run, name);
  return {
    name,
    address: `10.200.0.${index + 1}`,
    podRange: `10.244.${index}.0/24`,
    folder,
    process: path.join(folder, "process"),
    // Each kubelet removes pods it does not know below its own root, so none may see another's.
    cgroup: `${cluster.cgroup}/${name}`,
  };
}

export function clusterLayout(env: NodeJS.ProcessEnv = process.env): ClusterLayout {
  const home = env.S3CSI_CLUSTER_DIR || path.join(os.homedir(), ".cache/s3-csi-driver/cluster");
  const run = path.join(home, "run");
  return {
    run,
    images: path.join(home, "images"),
    pki: path.join(run, "pki"),
    logs: path.join(run, "log"),
    kubeconfig: path.join(run, "kubeconfig"),
    lock: path.join(home, ".lock"),
    cgroup: `s3-csi-${createHash("sha256").update(run).digest("hex").slice(0, 8)}`,
  };
}
