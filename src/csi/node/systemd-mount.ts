// Mounts by version 1 of the driver live on until their workload ends. Their process reads its keys from files in the plugin
// directory that version 1 wrote; republishing renews those files, and only if they are there: none is ever added on disk.
import { access, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { NodeSettings } from "../../../generated/settings/node.ts";
import { driverName } from "../../core/version.ts";
import type { S3Keys } from "../secrets.ts";
import type { Publication } from "./publish-request.ts";

export async function refreshSystemdMount(
  publication: Publication,
  keys: S3Keys | undefined,
  settings: Pick<NodeSettings, "kubeletPath" | "hostPluginDir">,
): Promise<void> {
  const { podUid, volumeId } = publication.volume;
  if (!keys || !podUid || publication.context.authenticationSource !== "driver") return;
  const profile = `${podUid}-${volumeId}-s3-csi`.replaceAll("/", "~");
  const directory = settings.hostPluginDir ?? path.join(settings.kubeletPath, "plugins", driverName);
  const file = path.join(directory, `${profile}-credentials`);
  if (!(await exists(file))) return;
  const lines = [`[${profile}]`, `aws_access_key_id=${keys.accessKeyId}`, `aws_secret_access_key=${keys.secretAccessKey}`];
  if (keys.sessionToken) lines.push(`aws_session_token=${keys.sessionToken}`);
  await writeFile(`${file}.new`, `${lines.join("\n")}\n`, { mode: 0o640 });
  await rename(`${file}.new`, file);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
