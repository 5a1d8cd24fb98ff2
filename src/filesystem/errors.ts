// What a failed S3 request means to the application, per profile. `strict` knows one answer, EIO, as mount-s3 does.
import { DriverError, explain, hasCode, toDriverError } from "../core/errors.ts";
import type { Profile } from "./options.ts";

const identityCodes = ["AccessDenied", "BadCredentials", "ClockSkew"] as const;

/** A store's failure, as the file system reports it. An interrupted call stays interrupted. */
export function ioError(thrown: unknown, profile: Profile, doing: string): DriverError {
  const error = toDriverError(thrown);
  if (error.code === "Cancelled") return error;
  if (profile === "extended" && hasCode(error, ...identityCodes))
    return new DriverError("AccessDenied", `${doing}: ${explain(error)}`, { cause: error });
  return new DriverError("Io", `${doing}: ${explain(error)}`, { cause: error });
}

export const notPermitted = (message: string) => new DriverError("NotPermitted", message);
export const badHandle = (message: string) => new DriverError("BadHandle", message);
export const notFound = (message: string) => new DriverError("NotFound", message);
export const invalid = (message: string) => new DriverError("InvalidArgument", message);
export const stale = (message: string) => new DriverError("Stale", message);
