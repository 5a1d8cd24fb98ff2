// A service definition with the handlers that exist; the RPCs without one answer UNIMPLEMENTED, as CSI wants it.
import type { CompatServiceDefinition, ServiceImplementation } from "nice-grpc";
import { DriverError } from "../core/errors.ts";

export interface Service {
  readonly definition: CompatServiceDefinition;
  readonly implementation: ServiceImplementation<CompatServiceDefinition>;
}

export function implement<Definition extends CompatServiceDefinition>(
  definition: Definition,
  handlers: Partial<ServiceImplementation<Definition>>,
): Service {
  const methods = Object.entries(definition.methods).map(([name, method]) => {
    const handler = (handlers as Record<string, unknown>)[name];
    return [name, handler ?? unimplemented("name" in method ? String(method.name) : name)] as const;
  });
  return { definition, implementation: Object.fromEntries(methods) as ServiceImplementation<CompatServiceDefinition> };
}

function unimplemented(rpc: string): () => never {
  return () => {
    throw new DriverError("Unimplemented", `${rpc} is not implemented by this driver`);
  };
}
