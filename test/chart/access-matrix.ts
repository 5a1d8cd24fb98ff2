// Who may do what once the chart is installed. The rows are what the processes need, and what a thief of their tokens must not get.

export interface Question {
  readonly verb: string;
  readonly resource: string;
  readonly group?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface Row extends Question {
  readonly allowed: boolean;
}

const attachments = { resource: "mountpoints3podattachments", group: "s3.csi.scality.com" };
const leases = { resource: "leases", group: "coordination.k8s.io" };

export const controllerRows: readonly Row[] = [
  // the reconciler reads everywhere and writes pods in its namespace
  ...rows(true, ["get", "list", "watch"], { resource: "pods" }),
  ...rows(true, ["create", "patch", "delete"], { resource: "pods", namespace: "mount-s3" }),
  ...rows(false, ["create", "update", "patch", "delete", "deletecollection"], { resource: "pods", namespace: "default" }),
  ...rows(false, ["create"], { resource: "pods", subresource: "exec", namespace: "mount-s3" }),
  ...rows(true, ["get", "list", "watch", "create", "update", "patch", "delete"], attachments),
  ...rows(true, ["patch"], { ...attachments, subresource: "status" }),
  ...rows(true, ["create", "patch"], { resource: "events", namespace: "default" }),
  ...rows(true, ["get", "create", "update"], { ...leases, namespace: "kube-system" }),
  ...rows(false, ["get", "create", "update"], { ...leases, namespace: "default" }),
  // the provisioner
  ...rows(true, ["get", "list", "watch", "create", "patch", "delete"], { resource: "persistentvolumes" }),
  ...rows(true, ["get", "list", "watch", "update"], { resource: "persistentvolumeclaims" }),
  ...rows(false, ["create", "delete"], { resource: "persistentvolumeclaims", namespace: "default" }),
  ...rows(true, ["get", "list", "watch"], { resource: "storageclasses", group: "storage.k8s.io" }),
  ...rows(true, ["get"], { resource: "secrets", namespace: "default" }),
  // nobody
  ...rows(false, ["list", "watch", "create", "update", "delete"], { resource: "secrets", namespace: "default" }),
  ...rows(false, ["update", "patch"], { resource: "nodes" }),
  ...rows(false, ["create", "update", "patch", "delete"], { resource: "customresourcedefinitions", group: "apiextensions.k8s.io" }),
  ...rows(false, ["create", "patch", "bind", "escalate"], { resource: "clusterroles", group: "rbac.authorization.k8s.io" }),
  ...rows(false, ["create"], { resource: "serviceaccounts", subresource: "token", namespace: "kube-system" }),
  ...rows(false, ["impersonate"], { resource: "users" }),
];

export const nodeRows: readonly Row[] = [
  ...rows(true, ["get", "list", "watch"], { resource: "pods", namespace: "mount-s3" }),
  ...rows(false, ["get", "list", "watch"], { resource: "pods", namespace: "default" }),
  ...rows(false, ["create", "delete"], { resource: "pods", namespace: "mount-s3" }),
  ...rows(false, ["create"], { resource: "pods", subresource: "exec", namespace: "mount-s3" }),
  ...rows(true, ["get", "list", "watch"], attachments),
  ...rows(false, ["create", "delete"], attachments),
  ...rows(true, ["get", "patch"], { resource: "nodes" }),
  ...rows(false, ["update", "delete"], { resource: "nodes" }),
  ...rows(true, ["get", "list", "watch"], { resource: "csinodes", group: "storage.k8s.io" }),
  ...rows(false, ["get", "list"], { resource: "secrets", namespace: "kube-system" }),
  ...rows(false, ["get", "create", "patch", "delete"], { resource: "persistentvolumes" }),
  ...rows(false, ["get", "create"], { resource: "events", namespace: "mount-s3" }),
  ...rows(false, ["get"], { resource: "persistentvolumeclaims", namespace: "default" }),
  ...rows(false, ["create", "update"], { ...leases, namespace: "kube-system" }),
  ...rows(false, ["create"], { resource: "serviceaccounts", subresource: "token", namespace: "kube-system" }),
];

function rows(allowed: boolean, verbs: readonly string[], question: Omit<Question, "verb">): Row[] {
  return verbs.map((verb) => ({ allowed, verb, ...question }));
}
