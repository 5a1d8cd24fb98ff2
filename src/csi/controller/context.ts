// What the controller's calls share.
import type { Logger } from "../../core/log.ts";
import type { ConnectBuckets } from "./buckets.ts";

export interface ControllerContext {
  readonly connect: ConnectBuckets;
  readonly log: Logger;
}
