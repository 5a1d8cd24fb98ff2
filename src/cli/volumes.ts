// s3-csi volumes (kubectl s3 volumes): every attachment of the cluster, who serves it, who uses it, and what is wrong.
import { cliComponent } from "../../generated/settings/cli.ts";
import { DriverError } from "../core/errors.ts";
import { KubeClient } from "../kube/client.ts";
import { attachments, type MountpointS3PodAttachment } from "../kube/resources.ts";
import { loadSettings, SettingsError } from "../settings/load.ts";

const limitMs = 20_000;

export async function volumesCommand(argv: readonly string[]): Promise<number> {
  const settings = settingsFrom(argv);
  const client = await KubeClient.connect(settings.kubeconfig ? { kubeconfig: settings.kubeconfig } : {});
  try {
    const rows: string[][] = [];
    await client.listEach(attachments, { signal: AbortSignal.timeout(limitMs) }, (attachment) => rows.push(...rowsOf(attachment)));
    process.stdout.write(rows.length === 0 ? "no volume is mounted\n" : table([["NODE", "VOLUME", "MOUNTPOINT POD", "WORKLOADS", "STATE"], ...rows]));
    return 0;
  } finally {
    client.close();
  }
}

function rowsOf({ spec, status }: MountpointS3PodAttachment): string[][] {
  return Object.entries(spec.mountpointS3PodAttachments).map(([pod, workloads]) => {
    const state = status?.mountpointPods?.find((p) => p.name === pod);
    const said = state ? [state.phase, state.reason, state.message].filter((part) => part).join(": ") : "not seen yet";
    return [spec.nodeName, spec.persistentVolumeName, pod, String(workloads.length), said];
  });
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return `${rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n")}\n`;
}

function settingsFrom(argv: readonly string[]) {
  try {
    return loadSettings(cliComponent, { argv, env: process.env });
  } catch (error) {
    if (error instanceof SettingsError) throw new DriverError("InvalidArgument", error.faults.join("; "));
    throw error;
  }
}
