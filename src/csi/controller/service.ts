// csi.v1.Controller. What is not here answers UNIMPLEMENTED (src/grpc). Calls for one volume run one after another.
import { type ControllerServiceImplementation, ControllerServiceCapability_RPC_Type as Rpc } from "../../../generated/proto/csi.ts";
import { KeyedLock } from "../../core/keyed-lock.ts";
import type { ControllerContext } from "./context.ts";
import { createVolume } from "./create-volume.ts";
import { deleteVolume } from "./delete-volume.ts";
import { validateVolumeCapabilities } from "./validate-capabilities.ts";

export function controllerService(context: ControllerContext): Partial<ControllerServiceImplementation> {
  const lock = new KeyedLock();
  return {
    createVolume: (request, { signal }) => lock.run(`name ${request.name}`, () => createVolume(request, context, signal), signal),
    deleteVolume: (request, { signal }) => lock.run(`id ${request.volumeId}`, () => deleteVolume(request, context, signal), signal),
    validateVolumeCapabilities: (request, { signal }) => validateVolumeCapabilities(request, context, signal),
    async controllerGetCapabilities() {
      const types = [Rpc.CREATE_DELETE_VOLUME, Rpc.SINGLE_NODE_MULTI_WRITER];
      return { capabilities: types.map((type) => ({ type: { $case: "rpc" as const, rpc: { type } } })) };
    },
  };
}
