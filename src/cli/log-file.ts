import { openSync, writeSync } from "node:fs";

/** Lines appended to a file of its own, which only its owner and group may read. */
export function logFileWriter(file: string): (line: string) => void {
  const fd = openSync(file, "a", 0o640);
  return (line) => {
    try {
      writeSync(fd, line);
    } catch {
      // A full disk must not end a mount.
    }
  };
}
