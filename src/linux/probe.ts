// Asking whether a path answers. A FUSE mount that is held but served by nobody puts whoever touches it into a sleep that
// not even SIGKILL ends, so the touching is done by a child that can be left behind.
import { spawn } from "node:child_process";

export type ProbeResult =
  | { readonly state: "alive" }
  | { readonly state: "missing" }
  /** The server is gone and the kernel knows it (ENOTCONN, ECONNABORTED, EIO). */
  | { readonly state: "dead"; readonly message: string }
  /** No answer in time. */
  | { readonly state: "hung" }
  | { readonly state: "failed"; readonly message: string };

/** Asks for the path's file system in a child process. Takes at most timeoutMs, whatever state the mount is in. Not by stat(2): that is
 *  answered from the kernel's cache for a while, after the server's death too; statfs(2) never is. */
export function probePath(path: string, timeoutMs: number, signal?: AbortSignal): Promise<ProbeResult> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // The image has no other program than node.
    const child = spawn(process.execPath, ["--eval", ask, "--", path], {
      cwd: "/",
      env: {},
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    let text = "";
    const finish = (result: ProbeResult | undefined, error?: unknown) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      child.stderr.destroy();
      child.removeAllListeners().on("error", () => {});
      // It may sleep for ever; it must not keep us from exiting.
      child.unref();
      child.kill("SIGKILL");
      if (result) resolve(result);
      else reject(error);
    };
    const onAbort = () => finish(undefined, signal?.reason);
    const timer = setTimeout(() => finish({ state: "hung" }), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    child.stderr.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", (error) => finish({ state: "failed", message: error.message }));
    child.on("close", (code) => finish(code === 0 ? { state: "alive" } : interpret(text.trim())));
  });
}

const ask = `try { require("node:fs").statfsSync(process.argv[1]) } catch ({ code, message }) { console.error(code + " " + message); process.exit(1) }`;
const deadCodes = ["ENOTCONN", "ECONNABORTED", "EIO", "ENODEV"];

function interpret(text: string): ProbeResult {
  const [code = "", ...words] = text.split(" ");
  if (code === "ENOENT" || code === "ENOTDIR") return { state: "missing" };
  return { state: deadCodes.includes(code) ? "dead" : "failed", message: words.join(" ") };
}
