// The command line: which command, and how its failure is told. One line on stderr says what is wrong and what to do.
import { DriverError, explain } from "../core/errors.ts";
import { reportFailure } from "./background.ts";
import { isTopic, mainHelp, mountHelp, topicHelp, unmountHelp } from "./help.ts";

/** Resolves with the exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  // Called as kubectl-s3 it is a plugin of kubectl.
  const [command, ...rest] = argv;
  try {
    switch (command) {
      case "mount":
        return await mount(rest);
      case "unmount":
      case "umount": {
        if (rest.some(isHelp)) return print(unmountHelp);
        const { unmountCommand } = await import("./unmount.ts");
        return unmountCommand(rest);
      }
      case "volumes": {
        const { volumesCommand } = await import("./volumes.ts");
        return await volumesCommand(rest);
      }
      case "--version":
      case "-V": {
        const { versionText } = await import("../settings/help.ts");
        return print(versionText());
      }
      case undefined:
      case "--help":
      case "-h":
      case "help":
        return print(mainHelp);
      default:
        throw new DriverError("InvalidArgument", `unknown command ${command}; there are mount, unmount and volumes (s3-csi --help)`);
    }
  } catch (error) {
    const line = `s3-csi: ${oneLine(error)}\n`;
    process.stderr.write(line);
    reportFailure(line);
    return error instanceof DriverError && error.code === "InvalidArgument" ? 2 : 1;
  }
}

async function mount(argv: readonly string[]): Promise<number> {
  const help = argv.findIndex(isHelp);
  if (help >= 0) {
    const topic = argv[help + 1];
    if (topic === undefined || topic.startsWith("-")) return print(mountHelp);
    if (!isTopic(topic)) throw new DriverError("InvalidArgument", `there is no help on ${topic}; see s3-csi mount --help`);
    return print(topicHelp(topic));
  }
  const { mountCommand } = await import("./mount.ts");
  return mountCommand(argv);
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** The message says the cause already; what is below it is for logs. */
function oneLine(error: unknown): string {
  return (error instanceof DriverError ? error.message : explain(error)).replace(/\s*\n\s*/g, " ");
}
