// The configuration files of a node's programs.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import { runTool } from "../tools/run-tool.ts";
import { pauseImage } from "./base-images.ts";
import type { NodeLayout } from "./layout.ts";
import type { Identity } from "./pki.ts";

export interface NodeFiles {
  readonly node: NodeLayout;
  readonly caFile: string;
  readonly identity: Identity;
  readonly signal?: AbortSignal;
}

export async function writeNodeFiles(files: NodeFiles): Promise<void> {
  const at = (name: string) => path.join(files.node.folder, name);
  for (const name of ["containerd", "kubelet", "cni", "log/pods", "log/containers", "pids"]) await mkdir(at(name), { recursive: true });
  await writeFile(at("containerd.toml"), containerdToml(files.node.folder, await snapshotterFor(files)));
  await writeFile(at("cni/10-bridge.conflist"), JSON.stringify(cniConfig(files.node.podRange), null, 2));
  await writeFile(at("kubelet.yaml"), stringify(kubeletConfig(files)));
  await writeFile(at("resolv.conf"), "nameserver 127.0.0.1\n");
}

/** overlayfs can't lie on overlayfs, which is what a container's own root usually is. */
async function snapshotterFor({ node, signal }: NodeFiles): Promise<string> {
  return (await runTool("stat", ["-f", "-c", "%T", node.folder], { signal })).trim() === "overlayfs" ? "native" : "overlayfs";
}

function containerdToml(folder: string, snapshotter: string): string {
  // restrict_oom_score_adj: without CAP_SYS_RESOURCE a lower score can't be set.
  return `version = 2
root = "${folder}/containerd"
state = "/run/containerd"
oom_score = 0
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  max_container_log_line_size = -1
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "${snapshotter}"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder}/cni"
`;
}

function cniConfig(podRange: string): unknown {
  const ipam = { type: "host-local", dataDir: "/run/cni-ipam", ranges: [[{ subnet: podRange }]], routes: [{ dst: "0.0.0.0/0" }] };
  return {
    cniVersion: "0.4.0",
    name: "cluster",
    plugins: [
      { type: "bridge", bridge: "cni0", isGateway: true, ipMasq: false, hairpinMode: true, ipam },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
}

function kubeletConfig(files: NodeFiles): unknown {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: files.caFile } },
    authorization: { mode: "Webhook" },
    tlsCertFile: files.identity.certFile,
    tlsPrivateKeyFile: files.identity.keyFile,
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${files.node.cgroup}`,
    failSwapOn: false,
    failCgroupV1: false,
    containerRuntimeEndpoint: "unix:///run/containerd/containerd.sock",
    clusterDomain: "cluster.local",
    // Nothing listens there, so a look-up fails at once instead of after a timeout; without any, every pod gets a warning.
    clusterDNS: ["127.0.0.1"],
    resolvConf: path.join(files.node.folder, "resolv.conf"),
    // Set-ups without CAP_SYS_RESOURCE can lower neither of these.
    oomScoreAdj: 0,
    maxOpenFiles: 20000,
    featureGates: { KubeletInUserNamespace: true },
    // The disk is the machine's, not ours: how full it is must not evict pods or delete images.
    evictionHard: { "memory.available": "0%", "nodefs.available": "0%", "nodefs.inodesFree": "0%", "imagefs.available": "0%" },
    imageGCHighThresholdPercent: 100,
    imageMaximumGCAge: "0s",
    nodeStatusUpdateFrequency: "5s",
    syncFrequency: "20s",
    volumeStatsAggPeriod: "10s",
    serializeImagePulls: false,
  };
}
