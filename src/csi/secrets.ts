// S3 keys as they arrive in a request's secrets or in the driver's own settings. What is wrong with them is said by the
// name of the field; the value itself never leaves this module in a message.
import { DriverError } from "../core/errors.ts";

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region?: string;
}

/** Undefined when the request carries no secrets at all; an incomplete or malformed set is refused. */
export function keysFromSecrets(secrets: Readonly<Record<string, string>>): S3Keys | undefined {
  if (Object.keys(secrets).length === 0) return undefined;
  const accessKeyId = field(secrets, "access_key_id");
  const secretAccessKey = field(secrets, "secret_access_key");
  const sessionToken = field(secrets, "session_token");
  const region = field(secrets, "region");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const missing = [accessKeyId === undefined ? "access_key_id" : "", secretAccessKey === undefined ? "secret_access_key" : ""].filter(
      Boolean,
    );
    throw new DriverError("InvalidArgument", `the secret lacks ${missing.join(" and ")}; it needs access_key_id and secret_access_key`);
  }
  return checkKeys({ accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}), ...(region ? { region } : {}) });
}

/** Names of secret fields this driver does not know: they are ignored, but worth a warning. */
export function unknownSecretFields(secrets: Readonly<Record<string, string>>): string[] {
  return Object.keys(secrets).filter((name) => !(name in patterns));
}

/** Refuses what could not be a key, above all what could break out of a line of a credentials file. */
export function checkKeys(keys: S3Keys): S3Keys {
  check("access_key_id", keys.accessKeyId);
  check("secret_access_key", keys.secretAccessKey);
  check("session_token", keys.sessionToken);
  check("region", keys.region);
  return keys;
}

const patterns: Readonly<Record<string, RegExp>> = {
  access_key_id: /^[A-Za-z0-9_.+=,@-]{1,128}$/,
  secret_access_key: /^[\x21-\x7e]{1,256}$/,
  session_token: /^[\x21-\x7e]{1,8192}$/,
  region: /^[a-z0-9-]{1,64}$/,
};

function field(secrets: Readonly<Record<string, string>>, name: string): string | undefined {
  const value = secrets[name]?.trim();
  return value === "" ? undefined : value;
}

function check(name: string, value: string | undefined): void {
  if (value !== undefined && !patterns[name]?.test(value)) {
    throw new DriverError("InvalidArgument", `the secret's ${name} has characters or a length that no such value can have`);
  }
}
