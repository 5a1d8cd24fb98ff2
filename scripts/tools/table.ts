// Every program the tests and the one-node cluster need that npm does not have: one row each, pinned.
// Go programs are built from the wrapper modules in modules/ (go.mod pins the version, go.sum its checksum).

export type Tool = GoTool | PipTool | AptTool;

export interface GoTool {
  readonly kind: "go";
  readonly version: string;
  /** The folder with go.mod and go.sum; a name means scripts/tools/modules/<name>. */
  readonly module: string;
  readonly package: string;
  readonly versionArgs: readonly string[];
  /** Wall time of a first build on two idle cores, as seen: what the progress line promises. */
  readonly expectedSeconds: number;
  /** Linker settings, `importpath.name=value`. */
  readonly stamp?: Readonly<Record<string, string>>;
  /** Built by `go test -c`. */
  readonly testBinary?: boolean;
  /** Taken from the folder KUBEBUILDER_ASSETS names, when that is set and has it. */
  readonly fromKubebuilderAssets?: boolean;
  /** Folders of the program's own module that it needs at run time; copied beside it. */
  readonly assets?: { readonly module: string; readonly folders: readonly string[] };
}

export interface PipTool {
  readonly kind: "pip";
  readonly version: string;
  /** A requirements file in this folder, every package pinned. */
  readonly requirements: string;
  readonly executable: string;
  readonly versionArgs: readonly string[];
  readonly expectedSeconds: number;
}

export interface AptTool {
  readonly kind: "apt";
  /** As Debian has it: not ours to pin. */
  readonly version: "debian";
  readonly packages: readonly string[];
  readonly versionArgs: readonly string[];
  readonly expectedSeconds: number;
}

const kubernetesVersion = "1.34.4";

const kubernetesStamp = {
  "k8s.io/component-base/version.gitVersion": `v${kubernetesVersion}`,
  "k8s.io/component-base/version.gitMajor": "1",
  "k8s.io/component-base/version.gitMinor": "34",
  "k8s.io/component-base/version.gitTreeState": "clean",
};

export const tools = {
  // the API server by itself, for tests of everything that talks to Kubernetes
  etcd: {
    ...go("3.6.16", "etcd", "go.etcd.io/etcd/server/v3", ["--version"], 35),
    fromKubebuilderAssets: true,
  },
  "kube-apiserver": { ...kubernetes("cmd/kube-apiserver", 265), fromKubebuilderAssets: true },
  kubectl: { ...kubernetes("cmd/kubectl", 30, ["version", "--client"]), fromKubebuilderAssets: true },
  // the one-node cluster
  "kube-controller-manager": kubernetes("cmd/kube-controller-manager", 30),
  "kube-scheduler": kubernetes("cmd/kube-scheduler", 10),
  kubelet: kubernetes("cmd/kubelet", 55),
  "kube-proxy": kubernetes("cmd/kube-proxy", 10),
  "csi-provisioner": {
    ...go("5.1.0", "csi-provisioner", "github.com/kubernetes-csi/external-provisioner/v5/cmd/csi-provisioner", ["--version"], 100),
    stamp: { "main.version": "v5.1.0" },
  },
  pause: go("1.0.0", "pause", "tools.local/pause", ["--version"], 3),
  // suites
  "csi-sanity": {
    ...go("5.6.0", "csi-sanity", "github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity", ["--version"], 25),
    stamp: { "main.VERSION": "v5.6.0" },
  },
  "e2e.test": { ...kubernetes("test/e2e", 240), testBinary: true },
  agnhost: kubernetes("test/images/agnhost", 10),
  // S3 servers
  versitygw: {
    ...go("1.8.0", "versitygw", "github.com/versity/versitygw/cmd/versitygw", ["--version"], 90),
    stamp: { "main.Version": "v1.8.0" },
  },
  moto: {
    kind: "pip",
    version: "5.2.5",
    requirements: "moto-requirements.txt",
    executable: "moto_server",
    versionArgs: ["--help"],
    expectedSeconds: 60,
  },
  // the rest
  helm: {
    ...go("3.22.0", "helm", "helm.sh/helm/v3/cmd/helm", ["version", "--short"], 80),
    stamp: {
      "helm.sh/helm/v3/internal/version.version": "v3.22.0",
      "helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor": "1",
      "helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor": "34",
    },
  },
  kwok: {
    ...go("0.8.0", "kwok", "sigs.k8s.io/kwok/cmd/kwok", ["--version"], 90),
    assets: { module: "sigs.k8s.io/kwok", folders: ["kustomize/stage"] },
  },
  containerd: apt(["containerd"], ["--version"]),
  runc: apt(["runc"], ["--version"]),
  socat: apt(["socat"], ["-V"]),
  fio: apt(["fio"], ["--version"]),
  openssl: apt(["openssl"], ["version"]),
  busybox: apt(["busybox-static"], ["--list"]),
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

/** Debian packages that only make sense together. */
export const aptGroups = {
  /** A container runtime and what the node's set-up and kubelet call. */
  node: [
    "containerd",
    "runc",
    "containernetworking-plugins",
    "iptables",
    "conntrack",
    "socat",
    "iproute2",
    "busybox-static",
    "openssl",
    "util-linux",
    "procps",
  ],
  /** For building and running what links libfuse: the second FUSE transport needs version 2 at run time. */
  fuse: ["libfuse2", "fuse3"],
  fuseDevelopment: ["libfuse3-dev", "pkg-config", "gcc", "libc6-dev"],
  benchmarks: ["fio"],
} as const;

function go(version: string, module: string, pkg: string, versionArgs: readonly string[], expectedSeconds: number): GoTool {
  return { kind: "go", version, module, package: pkg, versionArgs, expectedSeconds };
}

function kubernetes(folder: string, expectedSeconds: number, versionArgs: readonly string[] = ["--version"]): GoTool {
  return { ...go(kubernetesVersion, "kubernetes", `k8s.io/kubernetes/${folder}`, versionArgs, expectedSeconds), stamp: kubernetesStamp };
}

function apt(packages: readonly string[], versionArgs: readonly string[]): AptTool {
  return { kind: "apt", version: "debian", packages, versionArgs, expectedSeconds: 20 };
}
