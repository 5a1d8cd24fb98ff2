// The driver's own credentials: files of a mounted Secret, read anew each time so that a rotation needs no restart; or,
// where there are none, the environment.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { DriverError } from "../core/errors.ts";
import { checkKeys, type S3Keys } from "./secrets.ts";

export interface DriverKeySettings {
  readonly credentialsDir: string;
  readonly credentialsAccessKeyIdFile: string;
  readonly credentialsSecretAccessKeyFile: string;
  readonly credentialsSessionTokenFile: string;
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly sessionToken?: string | undefined;
}

/** Undefined when the driver has none of its own. */
export async function readDriverKeys(settings: DriverKeySettings): Promise<S3Keys | undefined> {
  const [accessKeyId, secretAccessKey, sessionToken] = await Promise.all([
    read(settings, settings.credentialsAccessKeyIdFile),
    read(settings, settings.credentialsSecretAccessKeyFile),
    read(settings, settings.credentialsSessionTokenFile),
  ]);
  const fromFiles = keys(accessKeyId, secretAccessKey, sessionToken, `directory ${settings.credentialsDir}`);
  return fromFiles ?? keys(settings.accessKeyId, settings.secretAccessKey, settings.sessionToken, "environment");
}

function keys(accessKeyId?: string, secretAccessKey?: string, sessionToken?: string, where?: string): S3Keys | undefined {
  if (!accessKeyId && !secretAccessKey) return undefined;
  if (!accessKeyId || !secretAccessKey) {
    throw new DriverError(
      "FailedPrecondition",
      `the driver's credentials in the ${where} are incomplete: access key and secret key belong together`,
    );
  }
  return checkKeys({ accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) });
}

async function read(settings: DriverKeySettings, name: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(settings.credentialsDir, name), "utf8")).trim() || undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new DriverError("FailedPrecondition", `the driver's credentials in ${settings.credentialsDir} cannot be read`, { cause: error });
  }
}
