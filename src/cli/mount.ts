// s3-csi mount: in the foreground it serves until the mount ends; in the background it starts itself again in the foreground and
// waits until that says how it went.
import path from "node:path";
import { DriverError } from "../core/errors.ts";
import { createLogger, type Logger, silentLogger } from "../core/log.ts";
import { makeDirectory } from "../filesystem/cache/make-directory.ts";
import { mountFuse } from "../fuse/mount.ts";
import { umount } from "../linux/mount.ts";
import { type DeviceNumber, raiseReadAhead } from "../linux/read-ahead.ts";
import { readArguments } from "../mountpoint/arguments.ts";
import { BackingFiles, ownRegistrar } from "../mountpoint/backing-files.ts";
import { MountMetrics } from "../mountpoint/mount-metrics.ts";
import { type MountOptions, mountOptions } from "../mountpoint/mount-options.ts";
import { ServedMount } from "../mountpoint/served-mount.ts";
import { startStatusServer } from "../runtime/status-server.ts";
import { anonymousCredentials } from "../s3/credentials.ts";
import { defaultCredentials } from "../s3/default-credentials.ts";
import { reportReady, startInBackground } from "./background.ts";
import { logFileWriter } from "./log-file.ts";
import { usableMountPoint } from "./mount-point.ts";
import { unmountWhenWeDie } from "./unmount-guard.ts";

/** The kernel's own window, 128 KiB, makes small requests of large reads. */

export async function mountCommand(argv: readonly string[]): Promise<number> {
  const given = readArguments(argv);
  const [bucketName, directory, ...more] = given.positional;
  if (bucketName === undefined || directory === undefined || more.length > 0)
    throw new DriverError("InvalidArgument", "usage: s3-csi mount BUCKET DIRECTORY [options]; see s3-csi mount --help");
  const options = mountOptions(bucketName, given, process.env);
  const mountPoint = usableMountPoint(directory);
  if (process.getuid?.() !== 0) throw new DriverError("NotPermitted", "mounting needs root; run it with sudo");
  for (const note of options.notes) process.stderr.write(`s3-csi: ${note}\n`);
  if (!options.foreground) return startInBackground(argv);
  return serve(options, mountPoint);
}

async function serve(options: MountOptions, mountPoint: string): Promise<number> {
  const log = loggerFor(options);
  const metrics = new MountMetrics();
  const credentials = options.anonymous ? anonymousCredentials : defaultCredentials(process.env, options.profile);
  const mount = await startMounted(options, mountPoint, { log, metrics, credentials });
  const stop = new AbortController();
  const guard = options.autoUnmount ? unmountWhenWeDie(mountPoint) : undefined;
  await startStatusServer({ port: options.metricsPort, ready: () => true, metrics: () => metrics.registry.text() }, stop.signal);
  log.info("serving", { bucket: options.bucket, mountPoint });
  reportReady();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => unmountIfUnused(mountPoint, log));
  const how = await mount.closed;
  guard?.release();
  await mount.release();
  stop.abort();
  log.info("ended", { how });
  return how === "unmounted" || how === "stopped" ? 0 : 1;
}

async function startMounted(
  options: MountOptions,
  mountPoint: string,
  parts: { log: Logger; metrics: MountMetrics; credentials: ReturnType<typeof defaultCredentials> },
): Promise<ServedMount> {
  const readOnly = options.fileSystem.readOnly ?? false;
  let device: DeviceNumber | undefined;
  const backingFiles = new BackingFiles(parts.log);
  const openConnection = () => {
    const connection = mountFuse({ mountPoint, source: "mountpoint-s3", allowOther: options.allowOther, defaultPermissions: true, readOnly });
    device = connection.device;
    backingFiles.use(ownRegistrar(connection.fd));
    return connection.fd;
  };
  try {
    const served = await ServedMount.start({ options, readOnly, openConnection, backingFiles, ...parts });
    if (device) raiseReadAhead(device, parts.log);
    return served;
  } catch (error) {
    if (device) umount(mountPoint, { lazy: true });
    throw error;
  }
}

function unmountIfUnused(mountPoint: string, log: Logger): void {
  try {
    umount(mountPoint);
  } catch (error) {
    log.warn("the mount is in use and stays; end its users or run s3-csi unmount --lazy", { mountPoint, reason: (error as Error).message });
  }
}

function loggerFor(options: MountOptions): Logger {
  if (options.noLog) return silentLogger;
  const level = options.debug ? "debug" : "info";
  if (options.logDirectory === undefined) return createLogger({ level, component: "mount" });
  try {
    makeDirectory(path.resolve(options.logDirectory), 0o750);
    return createLogger({ level, component: "mount", write: logFileWriter(path.join(options.logDirectory, `s3-csi-${process.pid}.log`)) });
  } catch (error) {
    throw new DriverError("InvalidArgument", `the log directory ${options.logDirectory} cannot be used: ${(error as Error).message}; make it writable, or give another with --log-directory`, { cause: error });
  }
}
