// Which tests there are: parts by name, in the order in which they run, the quick and fundamental ones first.
import type { ToolName } from "../tools/table.ts";

export interface Part {
  readonly name: string;
  /** Under test/. */
  readonly folders: readonly string[];
  /** Programs that are got beforehand, with their progress shown: a first build takes minutes, and no test should be blamed for it. */
  readonly tools: readonly ToolName[];
  /** Run by a plain `npm test`. */
  readonly ci: boolean;
  /** The longest that one file of it may take. */
  readonly fileLimitMs: number;
}

const minute = 60_000;
const apiServer = ["etcd", "kube-apiserver", "kubectl", "openssl"] as const;
const cluster = [
  ...apiServer, "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "csi-provisioner", "pause", "helm", "busybox",
] as const;

export const parts: readonly Part[] = [
  part("core", { folders: ["core"] }),
  part("settings", { folders: ["settings"] }),
  part("codegen", { folders: ["codegen", "scripts"] }),
  part("grpc", { folders: ["grpc"] }),
  part("linux", { folders: ["linux"] }),
  part("tools", { folders: ["tools", "bed"], tools: [...apiServer, "versitygw", "moto"] }),
  part("s3", { folders: ["s3"], tools: ["versitygw", "moto"] }),
  part("fuse", { folders: ["fuse"] }),
  part("filesystem", { folders: ["filesystem"], tools: ["versitygw"] }),
  part("mountpoint", { folders: ["mountpoint"], tools: ["versitygw"] }),
  part("telemetry", { folders: ["telemetry"] }),
  part("cli", { folders: ["cli"], tools: ["versitygw"] }),
  part("kube", { folders: ["kube"], tools: apiServer }),
  part("runtime", { folders: ["runtime"], tools: apiServer }),
  part("reconciler", { folders: ["reconciler"], tools: [...apiServer, "kwok"], fileLimitMs: 15 * minute }),
  part("csi", { folders: ["csi"], tools: [...apiServer, "versitygw", "moto"], fileLimitMs: 15 * minute }),
  part("sanity", { folders: ["sanity"], tools: ["csi-sanity", "versitygw"], fileLimitMs: 15 * minute }),
  part("chart", { folders: ["chart"], tools: [...apiServer, "helm"] }),
  part("image", { folders: ["image"] }),
  part("quickstart", { folders: ["quickstart"], fileLimitMs: 15 * minute }),
  part("cluster", { folders: ["cluster"], tools: cluster, fileLimitMs: 40 * minute }),
  part("conformance", { folders: ["conformance"], tools: [...cluster, "e2e.test", "agnhost"], ci: false, fileLimitMs: 120 * minute }),
  // Looks at what all the others have shown, so it is the last.
  part("secrets", { folders: ["secrets"] }),
];

function part(name: string, options: Partial<Part> & Pick<Part, "folders">): Part {
  return { name, tools: [], ci: true, fileLimitMs: 10 * minute, ...options };
}
