// The kernel's read-ahead window of a mount. FUSE offers 128 KiB in INIT; only this file in sysfs raises it, and with it the
// size of READ requests.
import { readFileSync, writeFileSync } from "node:fs";
import { explain } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { fromNodeError } from "./system-error.ts";

export interface DeviceNumber {
  readonly major: number;
  readonly minor: number;
}

export function setReadAhead(device: DeviceNumber, kilobytes: number): void {
  const file = fileOf(device);
  try {
    writeFileSync(file, `${kilobytes}\n`);
  } catch (error) {
    throw fromNodeError(error, `write ${file}`);
  }
}

/** 1 MiB, where it may be raised at all. Only after the file system has answered INIT: the answer caps it at what was offered. */
export function raiseReadAhead(device: DeviceNumber, log: Logger): void {
  try {
    setReadAhead(device, 1024);
  } catch (error) {
    log.debug("the kernel's read-ahead stays as it is", { reason: explain(error) });
  }
}

export function getReadAhead(device: DeviceNumber): number {
  return Number(readFileSync(fileOf(device), "utf8"));
}

function fileOf({ major, minor }: DeviceNumber): string {
  return `/sys/class/bdi/${major}:${minor}/read_ahead_kb`;
}
