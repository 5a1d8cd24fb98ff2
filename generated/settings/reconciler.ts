// Generated from codegen/settings.schema.json by `npm run codegen`. Do not edit: change the source and run it again.
import type { Component } from "./setting.ts";

export interface ReconcilerSettings {
  /** How much the controller and the reconciler log: error, warn, info, debug or trace. klog's numbers are understood too. LOG_LEVEL */
  readonly logLevel: "error" | "warn" | "info" | "debug" | "trace";
  /** Port of the reconciler's /metrics, /healthz and /readyz; 0 for none. METRICS_PORT */
  readonly metricsPort: number;
  /** How to reach the Kubernetes API; the pod's service account when absent. KUBECONFIG */
  readonly kubeconfig?: string;
  /** Namespace of the Mountpoint Pods; the chart creates it. MOUNTPOINT_NAMESPACE */
  readonly mountpointNamespace: string;
  /** Value of the label s3.csi.scality.com/mountpoint-version on Mountpoint Pods; the driver's version when empty. MOUNTPOINT_VERSION */
  readonly mountpointVersion: string;
  /** Image of the Mountpoint Pods; the chart uses the driver's own. MOUNTPOINT_IMAGE */
  readonly mountpointImage: string;
  /** Pull policy of the driver's image, in Mountpoint Pods too. MOUNTPOINT_IMAGE_PULL_POLICY */
  readonly mountpointImagePullPolicy: "IfNotPresent" | "Always" | "Never";
  /** Names of the Secrets with registry credentials, in the release's and in the Mountpoint namespace. MOUNTPOINT_IMAGE_PULL_SECRETS */
  readonly mountpointImagePullSecrets: readonly string[];
  /** Command of the Mountpoint Pods' container. MOUNTPOINT_CONTAINER_COMMAND */
  readonly mountpointContainerCommand: string;
  /** Priority class of Mountpoint Pods; the chart creates it. MOUNTPOINT_PRIORITY_CLASS_NAME */
  readonly mountpointPriorityClassName: string;
  /** Priority class of Mountpoint Pods for which headroom was reserved; the chart creates it. MOUNTPOINT_PREEMPTING_PRIORITY_CLASS_NAME */
  readonly mountpointPreemptingPriorityClassName: string;
  /** Priority class of headroom pods; the chart creates it. MOUNTPOINT_HEADROOM_PRIORITY_CLASS_NAME */
  readonly mountpointHeadroomPriorityClassName: string;
  /** Reserve room for a workload's Mountpoint Pod before the workload is scheduled (for pods with the scheduling gate s3.csi.scality.com/reserve-headroom-for-mppod). MOUNTPOINT_HEADROOM_ENABLED */
  readonly headroomEnabled: boolean;
  /** Image of headroom pods. MOUNTPOINT_HEADROOM_IMAGE, HEADROOM_IMAGE */
  readonly headroomImage: string;
  /** CPU request of a Mountpoint Pod, unless its volume has the attribute mountpointContainerResourcesRequestsCpu; empty for none. MOUNTPOINT_RESOURCES_REQUESTS_CPU */
  readonly mountpointRequestsCpu: string;
  /** Memory request of a Mountpoint Pod, unless its volume has the attribute mountpointContainerResourcesRequestsMemory; empty for none. MOUNTPOINT_RESOURCES_REQUESTS_MEMORY */
  readonly mountpointRequestsMemory: string;
  /** CPU limit of a Mountpoint Pod, unless its volume has the attribute mountpointContainerResourcesLimitsCpu; empty for none. MOUNTPOINT_RESOURCES_LIMITS_CPU */
  readonly mountpointLimitsCpu: string;
  /** Memory limit of a Mountpoint Pod, unless its volume has the attribute mountpointContainerResourcesLimitsMemory; empty for none. MOUNTPOINT_RESOURCES_LIMITS_MEMORY */
  readonly mountpointLimitsMemory: string;
  /** How long a Mountpoint Pod that is told to end, by a drain for example, goes on serving workloads that still run. In milliseconds. MOUNTPOINT_TERMINATION_GRACE */
  readonly mountpointTerminationGraceMs: number;
  /** Further labels of Mountpoint Pods. MOUNTPOINT_LABELS */
  readonly mountpointLabels: Readonly<Record<string, string>>;
  /** Further annotations of Mountpoint Pods. MOUNTPOINT_ANNOTATIONS */
  readonly mountpointAnnotations: Readonly<Record<string, string>>;
  /** Where the cache of a volume with the mount option cache lies: an emptyDir on the node's disk or in memory. MOUNTPOINT_CACHE_MEDIUM */
  readonly mountpointCacheMedium: "disk" | "memory";
  /** Largest size of that cache; a volume's mount option max-cache-size may ask for less. MOUNTPOINT_CACHE_SIZE_LIMIT */
  readonly mountpointCacheSizeLimit: string;
  /** ConfigMap with a CA bundle (key ca-bundle.crt) for the S3 service, in the release's and in the Mountpoint namespace. TLS_CA_CERT_CONFIGMAP */
  readonly tlsCaCertConfigMap: string;
  /** How often the reconciler looks for attachments and Mountpoint Pods that nobody needs any more. In milliseconds. STALE_CLEANUP_INTERVAL */
  readonly staleCleanupIntervalMs: number;
  /** How old such a leftover must be before it is removed. In milliseconds. STALE_THRESHOLD */
  readonly staleThresholdMs: number;
  /** How many workloads the reconciler handles at the same time. RECONCILER_WORKERS */
  readonly workers: number;
  /** Only one reconciler acts at a time; the others stand by. Turn it off only where there can be one alone. LEADER_ELECTION */
  readonly leaderElection: boolean;
  /** Namespace of the Lease over which the leader is elected. LEASE_NAMESPACE, POD_NAMESPACE */
  readonly leaseNamespace: string;
  /** How long the others wait for a silent leader before one of them takes over. In milliseconds. LEASE_DURATION */
  readonly leaseDurationMs: number;
  /** The name under which this process stands for election; the host name and process id when absent. POD_NAME */
  readonly identity?: string;
}

export const reconcilerComponent: Component<ReconcilerSettings> = {
  name: "reconciler",
  settings: [
    { name: "logLevel", type: "logLevel", description: "How much the controller and the reconciler log: error, warn, info, debug or trace. klog's numbers are understood too.", env: ["LOG_LEVEL"], flags: ["log-level","v"], default: "info" },
    { name: "metricsPort", type: "port", description: "Port of the reconciler's /metrics, /healthz and /readyz; 0 for none.", env: ["METRICS_PORT"], flags: ["metrics-port"], default: "9812" },
    { name: "kubeconfig", type: "path", description: "How to reach the Kubernetes API; the pod's service account when absent.", env: ["KUBECONFIG"], flags: ["kubeconfig"] },
    { name: "mountpointNamespace", type: "string", description: "Namespace of the Mountpoint Pods; the chart creates it.", env: ["MOUNTPOINT_NAMESPACE"], flags: ["mountpoint-namespace"], default: "mount-s3" },
    { name: "mountpointVersion", type: "string", description: "Value of the label s3.csi.scality.com/mountpoint-version on Mountpoint Pods; the driver's version when empty.", env: ["MOUNTPOINT_VERSION"], flags: ["mountpoint-version","mp-version"], default: "" },
    { name: "mountpointImage", type: "string", description: "Image of the Mountpoint Pods; the chart uses the driver's own.", env: ["MOUNTPOINT_IMAGE"], flags: ["mountpoint-image"], required: true },
    { name: "mountpointImagePullPolicy", type: "enum", description: "Pull policy of the driver's image, in Mountpoint Pods too.", env: ["MOUNTPOINT_IMAGE_PULL_POLICY"], flags: ["mountpoint-image-pull-policy"], default: "IfNotPresent", values: ["IfNotPresent","Always","Never"] },
    { name: "mountpointImagePullSecrets", type: "list", description: "Names of the Secrets with registry credentials, in the release's and in the Mountpoint namespace.", env: ["MOUNTPOINT_IMAGE_PULL_SECRETS"], flags: ["mountpoint-image-pull-secrets"], default: "" },
    { name: "mountpointContainerCommand", type: "path", description: "Command of the Mountpoint Pods' container.", env: ["MOUNTPOINT_CONTAINER_COMMAND"], flags: ["mountpoint-container-command"], default: "/bin/scality-s3-csi-mounter" },
    { name: "mountpointPriorityClassName", type: "string", description: "Priority class of Mountpoint Pods; the chart creates it.", env: ["MOUNTPOINT_PRIORITY_CLASS_NAME"], flags: ["mountpoint-priority-class-name"], default: "mount-s3-critical" },
    { name: "mountpointPreemptingPriorityClassName", type: "string", description: "Priority class of Mountpoint Pods for which headroom was reserved; the chart creates it.", env: ["MOUNTPOINT_PREEMPTING_PRIORITY_CLASS_NAME"], flags: ["mountpoint-preempting-priority-class-name"], default: "mount-s3-preempting" },
    { name: "mountpointHeadroomPriorityClassName", type: "string", description: "Priority class of headroom pods; the chart creates it.", env: ["MOUNTPOINT_HEADROOM_PRIORITY_CLASS_NAME"], flags: ["mountpoint-headroom-priority-class-name"], default: "mount-s3-headroom" },
    { name: "headroomEnabled", type: "boolean", description: "Reserve room for a workload's Mountpoint Pod before the workload is scheduled (for pods with the scheduling gate s3.csi.scality.com/reserve-headroom-for-mppod).", env: ["MOUNTPOINT_HEADROOM_ENABLED"], flags: ["mountpoint-headroom-enabled"], default: "false" },
    { name: "headroomImage", type: "string", description: "Image of headroom pods.", env: ["MOUNTPOINT_HEADROOM_IMAGE","HEADROOM_IMAGE"], flags: ["headroom-image"], default: "registry.k8s.io/pause:3.10" },
    { name: "mountpointRequestsCpu", type: "quantity", description: "CPU request of a Mountpoint Pod, unless its volume has the attribute mountpointContainerResourcesRequestsCpu; empty for none.", env: ["MOUNTPOINT_RESOURCES_REQUESTS_CPU"], flags: ["mountpoint-resources-requests-cpu"], default: "10m", allowEmpty: true },
    { name: "mountpointRequestsMemory", type: "quantity", description: "Memory request of a Mountpoint Pod, unless its volume has the attribute mountpointContainerResourcesRequestsMemory; empty for none.", env: ["MOUNTPOINT_RESOURCES_REQUESTS_MEMORY"], flags: ["mountpoint-resources-requests-memory"], default: "128Mi", allowEmpty: true },
    { name: "mountpointLimitsCpu", type: "quantity", description: "CPU limit of a Mountpoint Pod, unless its volume has the attribute mountpointContainerResourcesLimitsCpu; empty for none.", env: ["MOUNTPOINT_RESOURCES_LIMITS_CPU"], flags: ["mountpoint-resources-limits-cpu"], default: "", allowEmpty: true },
    { name: "mountpointLimitsMemory", type: "quantity", description: "Memory limit of a Mountpoint Pod, unless its volume has the attribute mountpointContainerResourcesLimitsMemory; empty for none.", env: ["MOUNTPOINT_RESOURCES_LIMITS_MEMORY"], flags: ["mountpoint-resources-limits-memory"], default: "", allowEmpty: true },
    { name: "mountpointTerminationGraceMs", type: "duration", description: "How long a Mountpoint Pod that is told to end, by a drain for example, goes on serving workloads that still run.", env: ["MOUNTPOINT_TERMINATION_GRACE"], flags: ["mountpoint-termination-grace"], default: "10m" },
    { name: "mountpointLabels", type: "map", description: "Further labels of Mountpoint Pods.", env: ["MOUNTPOINT_LABELS"], flags: ["mountpoint-labels"], default: "{}" },
    { name: "mountpointAnnotations", type: "map", description: "Further annotations of Mountpoint Pods.", env: ["MOUNTPOINT_ANNOTATIONS"], flags: ["mountpoint-annotations"], default: "{}" },
    { name: "mountpointCacheMedium", type: "enum", description: "Where the cache of a volume with the mount option cache lies: an emptyDir on the node's disk or in memory.", env: ["MOUNTPOINT_CACHE_MEDIUM"], flags: ["mountpoint-cache-medium"], default: "disk", values: ["disk","memory"] },
    { name: "mountpointCacheSizeLimit", type: "quantity", description: "Largest size of that cache; a volume's mount option max-cache-size may ask for less.", env: ["MOUNTPOINT_CACHE_SIZE_LIMIT"], flags: ["mountpoint-cache-size-limit"], default: "10Gi" },
    { name: "tlsCaCertConfigMap", type: "string", description: "ConfigMap with a CA bundle (key ca-bundle.crt) for the S3 service, in the release's and in the Mountpoint namespace.", env: ["TLS_CA_CERT_CONFIGMAP"], flags: ["tls-ca-cert-configmap"], default: "" },
    { name: "staleCleanupIntervalMs", type: "duration", description: "How often the reconciler looks for attachments and Mountpoint Pods that nobody needs any more.", env: ["STALE_CLEANUP_INTERVAL"], flags: ["stale-cleanup-interval"], default: "2m" },
    { name: "staleThresholdMs", type: "duration", description: "How old such a leftover must be before it is removed.", env: ["STALE_THRESHOLD"], flags: ["stale-threshold"], default: "2m" },
    { name: "workers", type: "integer", description: "How many workloads the reconciler handles at the same time.", env: ["RECONCILER_WORKERS"], flags: ["workers"], default: "16", minimum: 1 },
    { name: "leaderElection", type: "boolean", description: "Only one reconciler acts at a time; the others stand by. Turn it off only where there can be one alone.", env: ["LEADER_ELECTION"], flags: ["leader-election"], default: "true" },
    { name: "leaseNamespace", type: "string", description: "Namespace of the Lease over which the leader is elected.", env: ["LEASE_NAMESPACE","POD_NAMESPACE"], flags: ["lease-namespace"], default: "kube-system" },
    { name: "leaseDurationMs", type: "duration", description: "How long the others wait for a silent leader before one of them takes over.", env: ["LEASE_DURATION"], flags: ["lease-duration"], default: "15s" },
    { name: "identity", type: "string", description: "The name under which this process stands for election; the host name and process id when absent.", env: ["POD_NAME"], flags: ["identity"] },
  ],
};
