// --auto-unmount: a dead server leaves a mount behind that answers nobody. A shell that does nothing but wait for our end takes
// it away.
import { spawn } from "node:child_process";

export function unmountWhenWeDie(mountPoint: string): { release(): void } {
  const child = spawn("/bin/sh", ["-c", 'read -r word; [ "$word" = released ] || umount -l -- "$0"', mountPoint], {
    detached: true,
    cwd: "/",
    // Nothing more of our own environment: it may hold the user's keys.
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => {});
  child.unref();
  return {
    release: () => {
      child.stdin.end("released\n");
    },
  };
}
