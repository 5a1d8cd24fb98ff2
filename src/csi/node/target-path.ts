// The path at which kubelet wants the volume. It is mounted on as root, so it must lie where kubelet keeps such things and
// nowhere else, whatever the request or a symbolic link says.
import { realpathSync } from "node:fs";
import path from "node:path";
import { DriverError } from "../../core/errors.ts";
import { checkPathLength, requireText } from "../request-limits.ts";

export interface PodVolume {
  readonly podUid: string;
  /** The PersistentVolume's name. */
  readonly volumeName: string;
}

/**
 * Refuses what is not a normal absolute path strictly inside the kubelet's directory. Returns the path by which the mount
 * table will know it: without symbolic links above it.
 */
export function resolveTargetPath(target: string, kubeletPath: string, what = "Target path"): string {
  requireText(target, `${what} not provided`);
  checkPathLength(target, what);
  const refuse = (reason: string) => new DriverError("InvalidArgument", `${what} ${JSON.stringify(target.slice(0, 300))} ${reason}`);
  if (target.includes("\0") || !path.isAbsolute(target) || path.normalize(target) !== target) throw refuse("is not a normal absolute path");
  if (!isInside(target, kubeletPath)) throw refuse(`is outside of the kubelet directory ${kubeletPath}`);
  if (isInside(target, path.join(kubeletPath, "plugins"))) throw refuse("lies among the plugins' own directories");
  const resolved = resolveParents(path.normalize(target).replace(/\/$/, ""));
  if (!isInside(resolved, realpathSync.native(kubeletPath))) throw refuse("leads out of the kubelet directory");
  return resolved;
}

/** Kubernetes' layout: <kubelet>/pods/<uid>/volumes/kubernetes.io~csi/<pv>/mount. Undefined for any other orchestrator's. */
export function parsePodVolume(target: string): PodVolume | undefined {
  const match = /\/pods\/([^/]+)\/volumes\/kubernetes\.io~csi\/([^/]+)\/mount\/?$/.exec(target);
  return match?.[1] && match[2] ? { podUid: match[1], volumeName: match[2] } : undefined;
}

function isInside(child: string, parent: string): boolean {
  const relative = path.relative(parent, child);
  return relative !== "" && relative !== ".." && !relative.startsWith("../") && !path.isAbsolute(relative);
}

/** The deepest existing directory above the target resolved; the target itself may be a mount that does not answer. */
function resolveParents(target: string): string {
  const rest = [path.basename(target)];
  for (let parent = path.dirname(target); parent !== "/"; parent = path.dirname(parent)) {
    try {
      return path.join(realpathSync.native(parent), ...rest);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "ENOENT")
        throw new DriverError("InvalidArgument", `the directory of ${target} cannot be resolved: ${code}`, { cause: error });
      rest.unshift(path.basename(parent));
    }
  }
  return target;
}
