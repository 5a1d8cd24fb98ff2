import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";
import { DriverError } from "../core/errors.ts";

/** The well-known authorities and those of the file. */
export function readCaBundle(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new DriverError("InvalidArgument", `the CA bundle ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new DriverError("InvalidArgument", `the CA bundle ${file} holds no PEM certificate`);
  return [...getCACertificates("default"), text];
}
