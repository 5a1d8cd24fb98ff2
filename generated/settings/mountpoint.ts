// Generated from codegen/settings.schema.json by `npm run codegen`. Do not edit: change the source and run it again.
import type { Component } from "./setting.ts";

export interface MountpointSettings {
  /** How much is logged: error, warn, info, debug or trace. LOG_LEVEL */
  readonly logLevel: "error" | "warn" | "info" | "debug" | "trace";
  /** Port of the daemon's /metrics, /healthz and /readyz; 0 for none. METRICS_PORT */
  readonly metricsPort: number;
  /** Directory shared with the node service: its sockets and the credential files. COMM_DIR */
  readonly commDir: string;
  /** How long to wait for the node service to send the mount's options; 0 waits as long as the pod lives. In milliseconds. MOUNT_SOCK_RECV_TIMEOUT */
  readonly optionsTimeoutMs: number;
  /** Directory for the cache of a volume with the mount option cache; whatever path that option names. MOUNTPOINT_CACHE_DIR */
  readonly cacheDir: string;
}

export const mountpointComponent: Component<MountpointSettings> = {
  name: "mountpoint",
  settings: [
    { name: "logLevel", type: "logLevel", description: "How much is logged: error, warn, info, debug or trace.", env: ["LOG_LEVEL"], flags: ["log-level","v"], default: "info" },
    { name: "metricsPort", type: "port", description: "Port of the daemon's /metrics, /healthz and /readyz; 0 for none.", env: ["METRICS_PORT"], flags: ["metrics-port"], default: "9813" },
    { name: "commDir", type: "path", description: "Directory shared with the node service: its sockets and the credential files.", env: ["COMM_DIR"], flags: ["comm-dir"], default: "/comm" },
    { name: "optionsTimeoutMs", type: "duration", description: "How long to wait for the node service to send the mount's options; 0 waits as long as the pod lives.", env: ["MOUNT_SOCK_RECV_TIMEOUT"], flags: ["mount-sock-recv-timeout"], default: "0s" },
    { name: "cacheDir", type: "path", description: "Directory for the cache of a volume with the mount option cache; whatever path that option names.", env: ["MOUNTPOINT_CACHE_DIR"], flags: ["cache-dir"], default: "/cache" },
  ],
};
