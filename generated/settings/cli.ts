// Generated from codegen/settings.schema.json by `npm run codegen`. Do not edit: change the source and run it again.
import type { Component } from "./setting.ts";

export interface CliSettings {
  /** How much is logged: error, warn, info, debug or trace. LOG_LEVEL */
  readonly logLevel: "error" | "warn" | "info" | "debug" | "trace";
  /** How to reach the Kubernetes API; the pod's service account when absent. KUBECONFIG */
  readonly kubeconfig?: string;
}

export const cliComponent: Component<CliSettings> = {
  name: "cli",
  settings: [
    { name: "logLevel", type: "logLevel", description: "How much is logged: error, warn, info, debug or trace.", env: ["LOG_LEVEL"], flags: ["log-level","v"], default: "info" },
    { name: "kubeconfig", type: "path", description: "How to reach the Kubernetes API; the pod's service account when absent.", env: ["KUBECONFIG"], flags: ["kubeconfig"] },
  ],
};
