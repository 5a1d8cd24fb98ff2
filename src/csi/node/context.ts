// What the node's calls share.
import type { NodeSettings } from "../../../generated/settings/node.ts";
import type { KeyedLock } from "../../core/keyed-lock.ts";
import type { Logger } from "../../core/log.ts";
import type { S3Keys } from "../secrets.ts";
import type { Mounter } from "./mounter.ts";
import type { SourceMounts } from "./source-mounts.ts";

export interface NodeContext {
  readonly settings: NodeSettings;
  /** Where sources are mounted, one directory a place. */
  readonly mountDir: string;
  readonly mounter: Mounter;
  readonly sources: SourceMounts;
  /** One call at a time for a target, one at a time for a place; taken in this order. */
  readonly targetLock: KeyedLock;
  readonly placeLock: KeyedLock;
  /** The driver's own credentials as they are now; undefined when it has none. */
  readonly driverKeys: () => Promise<S3Keys | undefined>;
  readonly log: Logger;
  /** "v1.34.4" of the cluster, or "unknown": part of the user agent. */
  readonly kubernetesVersion: string;
}
