// A volume's keys as AWS profile files in the daemon's comm directory, which lives in memory. There is one set of files per
// daemon, whoever of its workloads is republished, so a rotation reaches everyone.
import type { Credentials } from "../../../generated/proto/mountpoint.ts";
import type { S3Keys } from "../secrets.ts";
import type { CommDirectory } from "./comm-directory.ts";

const profile = "s3-csi";
const directory = "credentials";
const configFile = `${profile}-config`;
const credentialsFile = `${profile}-credentials`;

/** Undefined keys mean that requests are not signed. Returns whether anything is new. */
export async function writeCredentialFiles(comm: CommDirectory, keys: S3Keys | undefined): Promise<boolean> {
  if (!keys) return false;
  await using files = await comm.subdirectory(directory);
  const config = Buffer.from(`[profile ${profile}]\n${keys.region ? `region = ${keys.region}\n` : ""}`);
  const credentials = Buffer.from(
    [`[${profile}]`, `aws_access_key_id = ${keys.accessKeyId}`, `aws_secret_access_key = ${keys.secretAccessKey}`]
      .concat(keys.sessionToken ? [`aws_session_token = ${keys.sessionToken}`] : [])
      .join("\n") + "\n",
  );
  const [oldConfig, oldCredentials] = await Promise.all([files.read(configFile), files.read(credentialsFile)]);
  if (oldConfig?.equals(config) && oldCredentials?.equals(credentials)) return false;
  await files.write(configFile, config, 0o640);
  await files.write(credentialsFile, credentials, 0o640);
  return true;
}

/** How the daemon is told of them; the directory is called otherwise on its side. */
export function credentialsMessage(keys: S3Keys | undefined, commInside: string): Credentials {
  if (!keys) return { source: { $case: "anonymous", anonymous: {} } };
  const inside = `${commInside}/${directory}`;
  return {
    source: { $case: "files", files: { profile, configFile: `${inside}/${configFile}`, credentialsFile: `${inside}/${credentialsFile}` } },
  };
}

export async function removeCredentialFiles(comm: CommDirectory): Promise<void> {
  await comm.remove(directory);
}
