// Registration with kubelet without a sidecar: kubelet watches a directory for sockets and asks each who is behind it.
import path from "node:path";
import { RegistrationDefinition } from "../../../generated/proto/pluginregistration.ts";
import { driverName } from "../../core/version.ts";
import type { Logger } from "../../core/log.ts";
import { type GrpcServer, serve } from "../../grpc/server.ts";
import { implement } from "../../grpc/service.ts";

export interface RegistrationOptions {
  /** kubelet's plugins_registry, as this process sees it. */
  readonly registrationDir: string;
  /** The CSI socket by its path on the host, where kubelet looks for it. */
  readonly csiSocketOnHost: string;
  readonly log: Logger;
}

export async function registerWithKubelet(options: RegistrationOptions): Promise<GrpcServer> {
  const { log } = options;
  return serve({
    endpoint: path.join(options.registrationDir, `${driverName}-reg.sock`),
    logger: log,
    services: [
      implement(RegistrationDefinition, {
        async getInfo() {
          return { type: "CSIPlugin", name: driverName, endpoint: options.csiSocketOnHost, supportedVersions: ["1.0.0"] };
        },
        async notifyRegistrationStatus({ pluginRegistered, error }) {
          // kubelet asks again by itself when it could not; there is nothing to do but to say it.
          if (pluginRegistered) log.info("registered with kubelet");
          else log.error("kubelet refused the registration", { reason: error });
          return {};
        },
      }),
    ],
  });
}
