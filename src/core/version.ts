// What this build is. The bundler puts the commit in; from the source tree it is unknown.
import manifest from "../../package.json" with { type: "json" };

declare const __GIT_COMMIT__: string | undefined;

export const driverVersion: string = manifest.version;

/** The name under which kubelet, PersistentVolumes and StorageClasses know this driver. */
export const driverName = "s3.csi.scality.com";

export const gitCommit: string = typeof __GIT_COMMIT__ === "string" ? __GIT_COMMIT__ : "unknown";
