// s3-csi, the command line; also kubectl-s3.
import { runCli } from "../cli/main.ts";

process.exit(await runCli(process.argv.slice(2)));
