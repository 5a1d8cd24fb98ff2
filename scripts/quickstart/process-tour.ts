// The whole way of a volume, from CreateVolume to DeleteVolume, with everything real but Kubernetes.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ControllerDefinition, NodeDefinition, VolumeCapability_AccessMode_Mode as Mode } from "../../generated/proto/csi.ts";
import { connect } from "../../src/grpc/client.ts";
import { type EmbeddedS3, startEmbeddedS3 } from "../../test/bed/embedded-s3/server.ts";
import type { Screen } from "./screen.ts";
import { startController, startNode } from "./services.ts";
import { shell } from "./shell.ts";
import { createWorkspace, removeLeftovers, showVolumeAt } from "./workspace.ts";

export interface TourOptions {
  readonly screen: Screen;
  /** Leave the volume mounted until the signal. */
  readonly stay: boolean;
  readonly signal: AbortSignal;
}

const capability = {
  accessType: { $case: "mount" as const, mount: { fsType: "", mountFlags: ["allow-delete", "allow-overwrite"], volumeMountGroup: "" } },
  accessMode: { mode: Mode.MULTI_NODE_MULTI_WRITER },
};

export async function processTour({ screen, stay, signal }: TourOptions): Promise<void> {
  checkMachine();
  const began = performance.now();
  screen.title("A bucket as a directory: the S3 CSI driver on this machine alone, without Kubernetes");
  await using undo = new AsyncDisposableStack();
  const workspace = await createWorkspace();
  undo.defer(removeLeftovers);

  const s3 = await screen.step("start an S3 server, in memory", () => startEmbeddedS3(), (server) => server.endpoint);
  undo.defer(() => s3.stop());
  await writeFile(path.join(workspace.credentials, "access_key_id"), s3.key.accessKeyId, { mode: 0o600 });
  await writeFile(path.join(workspace.credentials, "secret_access_key"), s3.key.secretAccessKey, { mode: 0o600 });

  const controllerService = undo.use(
    await screen.step("start the CSI controller service", () => startController(workspace, s3.endpoint, signal), (service) => service.version),
  );
  const nodeService = undo.use(
    await screen.step("start the CSI node service", () => startNode(workspace, s3.endpoint, signal), () => "MOUNTER_KIND=process"),
  );
  const controller = undo.use(connect(ControllerDefinition, { endpoint: controllerService.endpoint })).call;
  const node = undo.use(connect(NodeDefinition, { endpoint: nodeService.endpoint })).call;
  // Undoing must work after Ctrl-C, too.
  const later = () => ({ signal: AbortSignal.timeout(30_000) });

  const created = await screen.step(
    "CSI CreateVolume",
    () => controller.createVolume({ name: "pvc-quickstart", volumeCapabilities: [capability], parameters: { onDelete: "purge" } }, { signal }),
    ({ volume }) => `bucket ${volume?.volumeContext?.["bucketName"]}`,
  );
  const volume = created.volume;
  if (!volume) throw new Error("CreateVolume answered without a volume");
  undo.defer(() => screen.step("CSI DeleteVolume", async () => void (await controller.deleteVolume({ volumeId: volume.volumeId }, later()))));

  const target = path.join(workspace.kubelet, "pods", randomUUID(), "volumes/kubernetes.io~csi/pvc-quickstart/mount");
  await mkdir(path.dirname(target), { recursive: true });
  const publish = { volumeId: volume.volumeId, volumeContext: volume.volumeContext, volumeCapability: capability, targetPath: target };
  await screen.step("CSI NodePublishVolume", () => node.nodePublishVolume(publish, { signal }), () => workspace.shortcut);
  undo.defer(() =>
    screen.step("CSI NodeUnpublishVolume", async () => void (await node.nodeUnpublishVolume({ volumeId: volume.volumeId, targetPath: target }, later()))),
  );
  await showVolumeAt(target);

  await useVolume(screen, target, signal);
  showBucket(screen, s3, volume.volumeContext["bucketName"] ?? volume.volumeId);
  screen.text(`\nFrom nothing to a mounted bucket with files in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  await farewell(screen, workspace.shortcut, workspace.logs, stay, signal);
}

function checkMachine(): void {
  if (process.getuid?.() !== 0) throw new Error("Mounting needs root: run `sudo npm run quickstart`.");
  if (!existsSync("/dev/fuse")) throw new Error("There is no /dev/fuse here: load the kernel module (`modprobe fuse`), or give this container the device.");
}

async function useVolume(screen: Screen, target: string, signal: AbortSignal): Promise<void> {
  const commands = [
    "echo 'Hello from S3' > hello.txt",
    "cat hello.txt",
    "mkdir photos && head -c 20000000 /dev/urandom > photos/big.bin",
    "sha256sum < photos/big.bin",
    "ls -l . photos",
    "df -h . | tail -1",
  ];
  for (const command of commands) {
    const { output, ms } = await shell(command, target, signal);
    screen.command(command, output, ms);
  }
}

function showBucket(screen: Screen, s3: EmbeddedS3, name: string): void {
  const bucket = s3.bucket(name);
  const lines = [...bucket.objects.keysFrom("")].map((key) => `${String(bucket.object(key).content.size).padStart(10)}  ${key}`);
  const { counters } = s3;
  screen.text(`\nWhat S3 holds in ${name}:\n${lines.join("\n")}\n(${counters.requests} requests so far)`);
}

async function farewell(screen: Screen, place: string, logs: string, stay: boolean, signal: AbortSignal): Promise<void> {
  const next = `What next:
  npm run quickstart -- --cluster     the same in a real Kubernetes
  docs/install.md                     on your own cluster, with Helm
  npm test                            everything it promises, tried`;
  if (!stay) {
    screen.text(`\n${next}\n`);
    return;
  }
  screen.text(`\nThe volume stays mounted. In another terminal:
  cd ${place}
  cp -r /etc/hosts . && ls -l
  tail -f ${logs}/*.log

${next}

Ctrl-C takes everything away.\n`);
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  screen.text("");
}
