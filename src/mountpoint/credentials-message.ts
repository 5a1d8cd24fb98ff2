// The credentials of a gRPC message as a source.
import type { Credentials } from "../../generated/proto/mountpoint.ts";
import { anonymousCredentials, type CredentialsSource, staticCredentials } from "../s3/credentials.ts";
import { defaultCredentials } from "../s3/default-credentials.ts";
import { profileCredentials } from "../s3/profile-credentials.ts";

export function credentialsOf(message: Credentials | undefined, env: Readonly<Record<string, string | undefined>>): CredentialsSource {
  const source = message?.source;
  switch (source?.$case) {
    case "files": {
      const { profile, configFile, credentialsFile } = source.files;
      return profileCredentials({ profile, credentialsFile, ...(configFile === "" ? {} : { configFile }) });
    }
    case "keys": {
      const { accessKeyId, secretAccessKey, sessionToken } = source.keys;
      return staticCredentials({ accessKeyId, secretAccessKey, ...(sessionToken === "" ? {} : { sessionToken }) });
    }
    case "anonymous":
      return anonymousCredentials;
    case undefined:
      return defaultCredentials(env);
  }
}
