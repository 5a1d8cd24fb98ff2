// Generated from codegen/settings.schema.json by `npm run codegen`. Do not edit: change the source and run it again.
import type { Component } from "./setting.ts";

export interface NodeSettings {
  /** How much the node service logs: error, warn, info, debug or trace. klog's numbers are understood too (4 is info, 5 debug, 6 trace). LOG_LEVEL */
  readonly logLevel: "error" | "warn" | "info" | "debug" | "trace";
  /** URL of the S3 service, with scheme and port. AWS_ENDPOINT_URL */
  readonly s3EndpointUrl: string;
  /** Region of the S3 service, used in signatures; a volume's mount option region overrides it. AWS_REGION */
  readonly s3Region: string;
  /** The driver's own access key. Prefer files (credentialsDir): an environment is visible to every process of the same user. AWS_ACCESS_KEY_ID */
  readonly accessKeyId?: string;
  /** The driver's own secret key. Prefer files (credentialsDir). AWS_SECRET_ACCESS_KEY */
  readonly secretAccessKey?: string;
  /** The driver's own session token. Prefer files (credentialsDir). AWS_SESSION_TOKEN */
  readonly sessionToken?: string;
  /** Directory with the driver's own credentials, one file each; read again when they change. It may be absent. S3_CREDENTIALS_DIR */
  readonly credentialsDir: string;
  /** Key of the Secret, and so name of the file, that holds the access key. S3_CREDENTIALS_ACCESS_KEY_ID_FILE */
  readonly credentialsAccessKeyIdFile: string;
  /** Key of the Secret, and so name of the file, that holds the secret key. S3_CREDENTIALS_SECRET_ACCESS_KEY_FILE */
  readonly credentialsSecretAccessKeyFile: string;
  /** Key of the Secret, and so name of the file, that holds the session token; it may be absent. S3_CREDENTIALS_SESSION_TOKEN_FILE */
  readonly credentialsSessionTokenFile: string;
  /** Unix socket on which the CSI services listen. CSI_ENDPOINT */
  readonly csiEndpoint: string;
  /** Serve the CSI controller and not the node service. The image has one command for both, as the driver before had. CSI_CONTROLLER_ONLY */
  readonly controllerOnly: boolean;
  /** Name of the node this service runs on; it is the CSI node id. CSI_NODE_NAME, NODE_NAME */
  readonly nodeName: string;
  /** The kubelet's directory on the host. KUBELET_PATH */
  readonly kubeletPath: string;
  /** The driver's directory on the host; plugins/s3.csi.scality.com in the kubelet's directory when absent. HOST_PLUGIN_DIR */
  readonly hostPluginDir?: string;
  /** How many volumes of this driver the scheduler may place on one node; 0 for no limit. MAX_VOLUMES_PER_NODE */
  readonly maxVolumesPerNode: number;
  /** What serves a volume: a Mountpoint Pod (Kubernetes), or a process of the node service's own (any orchestrator that speaks CSI). MOUNTER_KIND */
  readonly mounterKind: "pod" | "process";
  /** With mounter kind process: memory-backed directory for sockets and credentials of the daemons. MOUNT_PROCESS_DIR */
  readonly mountProcessDir: string;
  /** With mounter kind process: the daemon's program or script; mountpoint.js (mountpoint.ts) beside this program when absent. MOUNT_PROCESS_COMMAND */
  readonly mountProcessCommand?: string;
  /** The node service registers itself with kubelet and answers /healthz itself: no registrar and liveness sidecars, two containers less on every node. BUILTIN_REGISTRATION */
  readonly builtinRegistration: boolean;
  /** With built-in registration: where kubelet's plugins_registry is mounted. REGISTRATION_DIR */
  readonly registrationDir: string;
  /** Port of /healthz on the node. The liveness sidecar serves it; with built-in registration the node service does. HEALTH_PORT */
  readonly healthPort: number;
  /** Port of the node service's /metrics and /readyz; 0 for none. METRICS_PORT */
  readonly metricsPort: number;
  /** How long a publish waits for its Mountpoint Pod when the caller sets no deadline or a longer one; then it says what it waited for. In milliseconds. PUBLISH_TIMEOUT */
  readonly publishTimeoutMs: number;
  /** How long whoever uses a volume waits when its daemon has died, before reads and writes fail with EIO; a daemon that comes later still takes the volume over. In milliseconds. TAKE_OVER_TIMEOUT */
  readonly takeOverTimeoutMs: number;
  /** How often the node service looks for source mounts that no Mountpoint Pod serves any more. In milliseconds. UNMOUNT_SCAN_INTERVAL */
  readonly unmountScanIntervalMs: number;
  /** Take the taint s3.csi.scality.com/agent-not-ready off the node once the driver is registered. REMOVE_STARTUP_TAINT */
  readonly removeStartupTaint: boolean;
  /** How to reach the Kubernetes API; the pod's service account when absent. KUBECONFIG */
  readonly kubeconfig?: string;
  /** Namespace of the Mountpoint Pods; the chart creates it. MOUNTPOINT_NAMESPACE */
  readonly mountpointNamespace: string;
  /** Value of the label s3.csi.scality.com/mountpoint-version on Mountpoint Pods; the driver's version when empty. MOUNTPOINT_VERSION */
  readonly mountpointVersion: string;
}

export const nodeComponent: Component<NodeSettings> = {
  name: "node",
  settings: [
    { name: "logLevel", type: "logLevel", description: "How much the node service logs: error, warn, info, debug or trace. klog's numbers are understood too (4 is info, 5 debug, 6 trace).", env: ["LOG_LEVEL"], flags: ["log-level","v"], default: "info" },
    { name: "s3EndpointUrl", type: "url", description: "URL of the S3 service, with scheme and port.", env: ["AWS_ENDPOINT_URL"], flags: ["endpoint-url"], required: true },
    { name: "s3Region", type: "string", description: "Region of the S3 service, used in signatures; a volume's mount option region overrides it.", env: ["AWS_REGION"], flags: ["region"], default: "us-east-1" },
    { name: "accessKeyId", type: "string", description: "The driver's own access key. Prefer files (credentialsDir): an environment is visible to every process of the same user.", env: ["AWS_ACCESS_KEY_ID"], flags: [], secret: true },
    { name: "secretAccessKey", type: "string", description: "The driver's own secret key. Prefer files (credentialsDir).", env: ["AWS_SECRET_ACCESS_KEY"], flags: [], secret: true },
    { name: "sessionToken", type: "string", description: "The driver's own session token. Prefer files (credentialsDir).", env: ["AWS_SESSION_TOKEN"], flags: [], secret: true },
    { name: "credentialsDir", type: "path", description: "Directory with the driver's own credentials, one file each; read again when they change. It may be absent.", env: ["S3_CREDENTIALS_DIR"], flags: ["credentials-dir"], default: "/etc/s3-csi/credentials" },
    { name: "credentialsAccessKeyIdFile", type: "string", description: "Key of the Secret, and so name of the file, that holds the access key.", env: ["S3_CREDENTIALS_ACCESS_KEY_ID_FILE"], flags: ["credentials-access-key-id-file"], default: "access_key_id" },
    { name: "credentialsSecretAccessKeyFile", type: "string", description: "Key of the Secret, and so name of the file, that holds the secret key.", env: ["S3_CREDENTIALS_SECRET_ACCESS_KEY_FILE"], flags: ["credentials-secret-access-key-file"], default: "secret_access_key" },
    { name: "credentialsSessionTokenFile", type: "string", description: "Key of the Secret, and so name of the file, that holds the session token; it may be absent.", env: ["S3_CREDENTIALS_SESSION_TOKEN_FILE"], flags: ["credentials-session-token-file"], default: "session_token" },
    { name: "csiEndpoint", type: "string", description: "Unix socket on which the CSI services listen.", env: ["CSI_ENDPOINT"], flags: ["endpoint"], default: "unix:///csi/csi.sock", pattern: "^unix://?/", patternHint: "a unix socket such as unix:///csi/csi.sock" },
    { name: "controllerOnly", type: "boolean", description: "Serve the CSI controller and not the node service. The image has one command for both, as the driver before had.", env: ["CSI_CONTROLLER_ONLY"], flags: ["controller-only"], default: "false" },
    { name: "nodeName", type: "string", description: "Name of the node this service runs on; it is the CSI node id.", env: ["CSI_NODE_NAME","NODE_NAME"], flags: ["node-id"], required: true },
    { name: "kubeletPath", type: "path", description: "The kubelet's directory on the host.", env: ["KUBELET_PATH"], flags: ["kubelet-path"], default: "/var/lib/kubelet" },
    { name: "hostPluginDir", type: "path", description: "The driver's directory on the host; plugins/s3.csi.scality.com in the kubelet's directory when absent.", env: ["HOST_PLUGIN_DIR"], flags: ["host-plugin-dir"] },
    { name: "maxVolumesPerNode", type: "integer", description: "How many volumes of this driver the scheduler may place on one node; 0 for no limit.", env: ["MAX_VOLUMES_PER_NODE"], flags: ["max-volumes-per-node"], default: "0", minimum: 0 },
    { name: "mounterKind", type: "enum", description: "What serves a volume: a Mountpoint Pod (Kubernetes), or a process of the node service's own (any orchestrator that speaks CSI).", env: ["MOUNTER_KIND"], flags: ["mounter-kind"], default: "pod", values: ["pod","process"] },
    { name: "mountProcessDir", type: "path", description: "With mounter kind process: memory-backed directory for sockets and credentials of the daemons.", env: ["MOUNT_PROCESS_DIR"], flags: ["mount-process-dir"], default: "/run/s3-csi" },
    { name: "mountProcessCommand", type: "path", description: "With mounter kind process: the daemon's program or script; mountpoint.js (mountpoint.ts) beside this program when absent.", env: ["MOUNT_PROCESS_COMMAND"], flags: ["mount-process-command"] },
    { name: "builtinRegistration", type: "boolean", description: "The node service registers itself with kubelet and answers /healthz itself: no registrar and liveness sidecars, two containers less on every node.", env: ["BUILTIN_REGISTRATION"], flags: ["builtin-registration"], default: "false" },
    { name: "registrationDir", type: "path", description: "With built-in registration: where kubelet's plugins_registry is mounted.", env: ["REGISTRATION_DIR"], flags: ["registration-dir"], default: "/registration" },
    { name: "healthPort", type: "port", description: "Port of /healthz on the node. The liveness sidecar serves it; with built-in registration the node service does.", env: ["HEALTH_PORT"], flags: ["health-port"], default: "9808" },
    { name: "metricsPort", type: "port", description: "Port of the node service's /metrics and /readyz; 0 for none.", env: ["METRICS_PORT"], flags: ["metrics-port"], default: "9810" },
    { name: "publishTimeoutMs", type: "duration", description: "How long a publish waits for its Mountpoint Pod when the caller sets no deadline or a longer one; then it says what it waited for.", env: ["PUBLISH_TIMEOUT"], flags: ["publish-timeout"], default: "110s" },
    { name: "takeOverTimeoutMs", type: "duration", description: "How long whoever uses a volume waits when its daemon has died, before reads and writes fail with EIO; a daemon that comes later still takes the volume over.", env: ["TAKE_OVER_TIMEOUT"], flags: ["take-over-timeout"], default: "60s" },
    { name: "unmountScanIntervalMs", type: "duration", description: "How often the node service looks for source mounts that no Mountpoint Pod serves any more.", env: ["UNMOUNT_SCAN_INTERVAL"], flags: ["unmount-scan-interval"], default: "2m" },
    { name: "removeStartupTaint", type: "boolean", description: "Take the taint s3.csi.scality.com/agent-not-ready off the node once the driver is registered.", env: ["REMOVE_STARTUP_TAINT"], flags: ["remove-startup-taint"], default: "true" },
    { name: "kubeconfig", type: "path", description: "How to reach the Kubernetes API; the pod's service account when absent.", env: ["KUBECONFIG"], flags: ["kubeconfig"] },
    { name: "mountpointNamespace", type: "string", description: "Namespace of the Mountpoint Pods; the chart creates it.", env: ["MOUNTPOINT_NAMESPACE"], flags: ["mountpoint-namespace"], default: "mount-s3" },
    { name: "mountpointVersion", type: "string", description: "Value of the label s3.csi.scality.com/mountpoint-version on Mountpoint Pods; the driver's version when empty.", env: ["MOUNTPOINT_VERSION"], flags: ["mountpoint-version","mp-version"], default: "" },
  ],
};
