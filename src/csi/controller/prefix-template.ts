// The place of a volume in a shared bucket, from a template such as "${pvc.namespace}/${pvc.name}".
import { DriverError } from "../../core/errors.ts";

const variables = ["pv.name", "pvc.name", "pvc.namespace"] as const;
type Variable = (typeof variables)[number];

/** Keys below this one hold the driver's records (volume-prefix.ts); no volume may lie there. */
export const recordsPrefix = ".s3-csi/";

/** Ends the key of a claim on a prefix, so no part of a prefix may be called that. */
export const claimName = ".claim";

const maxBytes = 512;

export function resolvePrefix(template: string, values: Readonly<Record<Variable, string | undefined>>): string {
  const text = template.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
    if (!(variables as readonly string[]).includes(name)) {
      throw invalid(`uses the unknown variable \${${name.slice(0, 100)}}; known are ${variables.map((v) => `\${${v}}`).join(", ")}`);
    }
    const value = values[name as Variable];
    if (!value) throw invalid(`uses \${${name}}, which csi-provisioner only sends when it runs with --extra-create-metadata`);
    return value;
  });
  const segments = text.replace(/^\/+|\/+$/g, "").split("/");
  if (segments.some((s) => s === "" || s === "." || s === ".." || s === claimName || !/^[A-Za-z0-9!_.*'()=@+-]+$/.test(s))) {
    throw invalid("must resolve to names of letters, digits and !_.*'()=@+- separated by single slashes, none of them . or ..");
  }
  const prefix = `${segments.join("/")}/`;
  if (Buffer.byteLength(prefix) > maxBytes) throw invalid(`resolves to more than ${maxBytes} bytes`);
  if (prefix.startsWith(recordsPrefix)) throw invalid(`must not lie below ${recordsPrefix}, where the driver keeps its records`);
  return prefix;
}

function invalid(message: string): DriverError {
  return new DriverError("InvalidArgument", `StorageClass parameter prefix ${message}`);
}
