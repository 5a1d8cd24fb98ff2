// Which fields hold secrets: those with the option csi_secret (csi.proto) or secret (mountpoint.proto) set.
import { createFileRegistry, fromBinary, getOption, type FileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const markers = ["csi.v1.csi_secret", "s3csi.mountpoint.v1.secret"];

/** Every such name as the protocol spells it and as TypeScript does, sorted. */
export function secretFieldNames(descriptorSet: Uint8Array): string[] {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet));
  const names = new Set<string>();
  for (const type of registry) {
    if (type.kind !== "message") continue;
    for (const field of type.fields) {
      if (markers.some((marker) => isMarked(registry, field, marker))) names.add(field.name).add(field.localName);
    }
  }
  return [...names].sort();
}

function isMarked(registry: FileRegistry, field: Parameters<typeof getOption>[0], marker: string): boolean {
  const extension = registry.getExtension(marker);
  return extension !== undefined && getOption(field as never, extension as never) === true;
}
