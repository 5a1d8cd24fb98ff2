// Generated from codegen/settings.schema.json by `npm run codegen`. Do not edit: change the source and run it again.
import type { Component } from "./setting.ts";

export interface ControllerSettings {
  /** How much the controller and the reconciler log: error, warn, info, debug or trace. klog's numbers are understood too. LOG_LEVEL */
  readonly logLevel: "error" | "warn" | "info" | "debug" | "trace";
  /** URL of the S3 service, with scheme and port. AWS_ENDPOINT_URL */
  readonly s3EndpointUrl: string;
  /** Region of the S3 service, used in signatures; a volume's mount option region overrides it. AWS_REGION */
  readonly s3Region: string;
  /** File of PEM certificates to trust for the S3 service, besides the built-in ones. AWS_CA_BUNDLE */
  readonly s3CaBundle?: string;
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
  /** Port of the controller's /metrics, /healthz and /readyz; 0 for none. METRICS_PORT */
  readonly metricsPort: number;
}

export const controllerComponent: Component<ControllerSettings> = {
  name: "controller",
  settings: [
    { name: "logLevel", type: "logLevel", description: "How much the controller and the reconciler log: error, warn, info, debug or trace. klog's numbers are understood too.", env: ["LOG_LEVEL"], flags: ["log-level","v"], default: "info" },
    { name: "s3EndpointUrl", type: "url", description: "URL of the S3 service, with scheme and port.", env: ["AWS_ENDPOINT_URL"], flags: ["endpoint-url"], required: true },
    { name: "s3Region", type: "string", description: "Region of the S3 service, used in signatures; a volume's mount option region overrides it.", env: ["AWS_REGION"], flags: ["region"], default: "us-east-1" },
    { name: "s3CaBundle", type: "path", description: "File of PEM certificates to trust for the S3 service, besides the built-in ones.", env: ["AWS_CA_BUNDLE"], flags: ["ca-bundle"] },
    { name: "accessKeyId", type: "string", description: "The driver's own access key. Prefer files (credentialsDir): an environment is visible to every process of the same user.", env: ["AWS_ACCESS_KEY_ID"], flags: [], secret: true },
    { name: "secretAccessKey", type: "string", description: "The driver's own secret key. Prefer files (credentialsDir).", env: ["AWS_SECRET_ACCESS_KEY"], flags: [], secret: true },
    { name: "sessionToken", type: "string", description: "The driver's own session token. Prefer files (credentialsDir).", env: ["AWS_SESSION_TOKEN"], flags: [], secret: true },
    { name: "credentialsDir", type: "path", description: "Directory with the driver's own credentials, one file each; read again when they change. It may be absent.", env: ["S3_CREDENTIALS_DIR"], flags: ["credentials-dir"], default: "/etc/s3-csi/credentials" },
    { name: "credentialsAccessKeyIdFile", type: "string", description: "Key of the Secret, and so name of the file, that holds the access key.", env: ["S3_CREDENTIALS_ACCESS_KEY_ID_FILE"], flags: ["credentials-access-key-id-file"], default: "access_key_id" },
    { name: "credentialsSecretAccessKeyFile", type: "string", description: "Key of the Secret, and so name of the file, that holds the secret key.", env: ["S3_CREDENTIALS_SECRET_ACCESS_KEY_FILE"], flags: ["credentials-secret-access-key-file"], default: "secret_access_key" },
    { name: "credentialsSessionTokenFile", type: "string", description: "Key of the Secret, and so name of the file, that holds the session token; it may be absent.", env: ["S3_CREDENTIALS_SESSION_TOKEN_FILE"], flags: ["credentials-session-token-file"], default: "session_token" },
    { name: "csiEndpoint", type: "string", description: "Unix socket on which the CSI services listen.", env: ["CSI_ENDPOINT"], flags: ["endpoint"], default: "unix:///csi/csi.sock", pattern: "^unix://?/", patternHint: "a unix socket such as unix:///csi/csi.sock" },
    { name: "controllerOnly", type: "boolean", description: "Serve the CSI controller and not the node service. The image has one command for both, as the driver before had.", env: ["CSI_CONTROLLER_ONLY"], flags: ["controller-only"], default: "false" },
    { name: "metricsPort", type: "port", description: "Port of the controller's /metrics, /healthz and /readyz; 0 for none.", env: ["METRICS_PORT"], flags: ["metrics-port"], default: "9811" },
  ],
};
