// Credentials from AWS's profile files. They are read again whenever a file changes, so that whoever rotates them only has to
// write the file; profiles that do more than name keys (roles, processes) are left to the SDK.
import { readFile, stat } from "node:fs/promises";
import { DriverError } from "../core/errors.ts";
import type { Credentials, CredentialsSource } from "./credentials.ts";
import { sdkCredentials } from "./sdk-credentials.ts";

export interface ProfileFiles {
  readonly profile: string;
  readonly credentialsFile: string;
  readonly configFile?: string;
}

/** How long a look at the files' times is good for. */
const lookMs = 1000;

export function profileCredentials(files: ProfileFiles, now: () => number = Date.now): CredentialsSource {
  let seen = "";
  let lookedMs = Number.NEGATIVE_INFINITY;
  let current: CredentialsSource | undefined;
  return {
    description: `profile ${files.profile} in ${files.credentialsFile}`,
    doubt: () => {
      lookedMs = Number.NEGATIVE_INFINITY;
    },
    get: (signal) => {
      if (current && now() - lookedMs < lookMs) return current.get(signal);
      return (async () => {
        const times = await timesOf(files);
        if (!current || times !== seen) {
          current = await read(files);
          seen = times;
        }
        lookedMs = now();
        return current.get(signal);
      })();
    },
  };
}

async function read(files: ProfileFiles): Promise<CredentialsSource> {
  const sections = parseIni(await textOf(files.configFile));
  const keys = parseIni(await textOf(files.credentialsFile));
  const config = sections[files.profile === "default" ? "default" : `profile ${files.profile}`] ?? {};
  const section = { ...config, ...keys[files.profile] };
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey, aws_session_token: sessionToken } = section;
  if (accessKeyId && secretAccessKey) {
    const credentials: Credentials = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
    return { description: "profile", get: () => credentials };
  }
  if (Object.keys(section).length > 0)
    return sdkCredentials(`profile ${files.profile}`, (providers) =>
      providers.fromIni({ profile: files.profile, filepath: files.credentialsFile, ignoreCache: true, ...(files.configFile ? { configFilepath: files.configFile } : {}) }),
    );
  throw new DriverError("BadCredentials", `there is no profile "${files.profile}" in ${files.credentialsFile}${files.configFile ? ` or ${files.configFile}` : ""}; write it or choose another with --profile`);
}

export function parseIni(text: string): Record<string, Record<string, string>> {
  const sections: Record<string, Record<string, string>> = {};
  let section: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (heading !== undefined) {
      section = sections[heading.trim().replace(/\s+/g, " ")] ??= {};
      continue;
    }
    const [, name, value] = /^\s*([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && section) section[name.toLowerCase()] = value ?? "";
  }
  return sections;
}

async function timesOf(files: ProfileFiles): Promise<string> {
  const each = [files.credentialsFile, files.configFile].map(async (file) => {
    const found = file === undefined ? undefined : await stat(file, { bigint: true }).catch(() => undefined);
    return found ? `${found.mtimeNs}/${found.ino}/${found.size}` : "-";
  });
  return (await Promise.all(each)).join(" ");
}

async function textOf(file: string | undefined): Promise<string> {
  if (file === undefined) return "";
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new DriverError("BadCredentials", `${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
