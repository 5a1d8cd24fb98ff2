// Who is who in the cluster: certificates and kubeconfigs of its programs.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { freePort } from "./free-port.ts";
import { apiServiceAddress, type ClusterLayout, type NodeLayout, nodeLayout } from "./layout.ts";
import { type Authority, createAuthority, createServiceAccountKeys, type Identity, writeKubeconfig } from "./pki.ts";

export async function writeClusterIdentities(layout: ClusterLayout, signal?: AbortSignal): Promise<Authority> {
  const kube = path.join(layout.run, "kube");
  for (const folder of [layout.pki, kube]) await mkdir(folder, { recursive: true });
  const authority = await createAuthority(layout.pki, signal);
  const { address } = nodeLayout(0, layout);
  const names = ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local", "localhost"];
  const [admin, controllerManager, scheduler, proxy] = await Promise.all([
    authority.issue("admin", { commonName: "admin", organization: "system:masters" }),
    authority.issue("controller-manager", { commonName: "system:kube-controller-manager" }),
    authority.issue("scheduler", { commonName: "system:kube-scheduler" }),
    authority.issue("proxy", { commonName: "system:kube-proxy" }),
    authority.issue("apiserver-kubelet", { commonName: "apiserver-kubelet", organization: "system:masters" }),
    authority.issue("apiserver", {
      commonName: "kube-apiserver",
      altNames: [...names.map((name) => `DNS:${name}`), "IP:127.0.0.1", `IP:${apiServiceAddress}`, `IP:${address}`],
    }),
    createServiceAccountKeys(layout.pki),
  ]);
  const inside = apiServerUrl(layout);
  await Promise.all([
    writeKubeconfig(layout.kubeconfig, `https://127.0.0.1:${await freePort()}`, authority, admin),
    writeKubeconfig(path.join(kube, "admin.conf"), inside, authority, admin),
    writeKubeconfig(path.join(kube, "controller-manager.conf"), inside, authority, controllerManager),
    writeKubeconfig(path.join(kube, "scheduler.conf"), inside, authority, scheduler),
    writeKubeconfig(path.join(kube, "proxy.conf"), inside, authority, proxy),
  ]);
  return authority;
}

export async function writeNodeIdentity(layout: ClusterLayout, node: NodeLayout, authority: Authority): Promise<Identity> {
  await mkdir(node.folder, { recursive: true });
  const identity = await authority.issue(node.name, {
    commonName: `system:node:${node.name}`,
    organization: "system:nodes",
    altNames: [`DNS:${node.name}`, `IP:${node.address}`, "IP:127.0.0.1"],
  });
  await writeKubeconfig(path.join(node.folder, "kubelet.conf"), apiServerUrl(layout), authority, identity);
  return identity;
}

/** As the nodes see it. */
function apiServerUrl(layout: ClusterLayout): string {
  return `https://${nodeLayout(0, layout).address}:6443`;
}
