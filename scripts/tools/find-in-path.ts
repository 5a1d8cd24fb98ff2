import { access, constants } from "node:fs/promises";
import path from "node:path";

/** Also looks where Debian puts administrators' programs, which a user's PATH may lack. */
export async function findInPath(name: string, env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  for (const folder of [...(env.PATH ?? "").split(":"), "/usr/local/sbin", "/usr/sbin", "/sbin"]) {
    const file = path.join(folder, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== "" && found) return file;
  }
  return undefined;
}
