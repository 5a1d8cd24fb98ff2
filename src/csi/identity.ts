// csi.v1.Identity: who this is, what services it has, and whether it is ready.
import { type IdentityServiceImplementation, PluginCapability_Service_Type } from "../../generated/proto/csi.ts";
import { driverName } from "../core/version.ts";

export interface IdentityOptions {
  readonly version: string;
  /** Resolves false while the service cannot do its work yet. */
  readonly ready: () => boolean;
}

export function identityService(options: IdentityOptions): IdentityServiceImplementation {
  return {
    async getPluginInfo() {
      return { name: driverName, vendorVersion: options.version, manifest: {} };
    },
    // The same answer from the controller and from every node, as the specification demands.
    async getPluginCapabilities() {
      return { capabilities: [{ type: { $case: "service", service: { type: PluginCapability_Service_Type.CONTROLLER_SERVICE } } }] };
    },
    async probe() {
      return { ready: options.ready() };
    },
  };
}
