// The Mountpoint Pod: one container, our daemon, on the workload's node, with as little as it can run with. It meets the
// "restricted" Pod Security Standard, which its namespace enforces.
import { mountpointComponent } from "../../generated/settings/mountpoint.ts";
import type { ReconcilerSettings } from "../../generated/settings/reconciler.ts";
import type { Pod } from "../kube/resources.ts";
import { annotations, labels, labelValue, volumeAttributes } from "./names.ts";
import type { Volume } from "./observed-volumes.ts";
import { cacheVolume, containerResources } from "./pod-volume-options.ts";
import { attachmentName, keyText, type SharingKey } from "./sharing-key.ts";

export type PodSpecSettings = Pick<
  ReconcilerSettings,
  | "mountpointNamespace"
  | "mountpointVersion"
  | "mountpointImage"
  | "mountpointImagePullPolicy"
  | "mountpointImagePullSecrets"
  | "mountpointContainerCommand"
  | "mountpointPriorityClassName"
  | "mountpointPreemptingPriorityClassName"
  | "mountpointRequestsCpu"
  | "mountpointRequestsMemory"
  | "mountpointLimitsCpu"
  | "mountpointLimitsMemory"
  | "mountpointTerminationGraceMs"
  | "mountpointLabels"
  | "mountpointAnnotations"
  | "mountpointCacheMedium"
  | "mountpointCacheSizeLimit"
  | "tlsCaCertConfigMap"
>;

export interface MountpointPodRequest {
  readonly name: string;
  readonly key: SharingKey;
  /** Undefined when the volume is gone while its workloads still run: the defaults must do. */
  readonly volume: Volume | undefined;
  /** The first workload it is made for. */
  readonly workloadUid: string;
  readonly driverVersion: string;
  /** OpenShift gives out users and groups itself. */
  readonly openShift: boolean;
  /** Room was reserved on the node, to be taken over by preemption. */
  readonly headroom: boolean;
}

/** The user of our image. */
const nonRootId = 1_000;
const commSizeLimit = "10Mi";

export function mountpointPod(settings: PodSpecSettings, request: MountpointPodRequest): Pod {
  const { key, volume, openShift } = request;
  const attributes = volume?.attributes ?? {};
  const serviceAccountName = attributes[volumeAttributes.serviceAccountName];
  const cache = cacheVolume(settings, volume);
  const tls = settings.tlsCaCertConfigMap;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: request.name,
      namespace: settings.mountpointNamespace,
      labels: {
        ...settings.mountpointLabels,
        [labels.mountpointVersion]: labelValue(settings.mountpointVersion || request.driverVersion),
        [labels.podUid]: request.workloadUid,
        [labels.volumeName]: labelValue(key.persistentVolumeName),
        [labels.volumeId]: labelValue(key.volumeID),
        [labels.driverVersion]: request.driverVersion,
        [labels.attachment]: attachmentName(key),
      },
      annotations: {
        ...settings.mountpointAnnotations,
        [annotations.volumeName]: key.persistentVolumeName,
        [annotations.volumeId]: key.volumeID,
        [annotations.sharingKey]: keyText(key),
        [annotations.autoscaler]: "true",
      },
    },
    spec: {
      restartPolicy: "OnFailure",
      // A drain takes it together with the workloads it serves: it goes on until they are gone.
      terminationGracePeriodSeconds: Math.ceil(settings.mountpointTerminationGraceMs / 1_000),
      priorityClassName: request.headroom ? settings.mountpointPreemptingPriorityClassName : settings.mountpointPriorityClassName,
      affinity: onNode(key.nodeName),
      tolerations: [{ operator: "Exists" }],
      enableServiceLinks: false,
      ...(serviceAccountName ? { serviceAccountName } : { automountServiceAccountToken: false }),
      imagePullSecrets: settings.mountpointImagePullSecrets.map((name) => ({ name })),
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" }, ...(openShift ? {} : { fsGroup: nonRootId }) },
      containers: [
        {
          name: "mountpoint",
          image: settings.mountpointImage,
          imagePullPolicy: settings.mountpointImagePullPolicy,
          command: [settings.mountpointContainerCommand],
          env: [
            { name: "METRICS_PORT", value: String(metricsPort) },
            { name: "COMM_DIR", value: commDir },
            { name: "MOUNTPOINT_CACHE_DIR", value: cacheDir },
            ...(tls ? [{ name: "AWS_CA_BUNDLE", value: caFile }, { name: "NODE_EXTRA_CA_CERTS", value: caFile }] : []),
          ],
          ports: [{ name: "metrics", containerPort: metricsPort, protocol: "TCP" }],
          // Alive is a loop that turns, which a busy node may delay; ready is a daemon that can take or serve a mount.
          livenessProbe: { ...probe("/healthz"), initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
          readinessProbe: { ...probe("/readyz"), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 },
          resources: containerResources(settings, attributes),
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ["ALL"] },
            readOnlyRootFilesystem: true,
            runAsNonRoot: true,
            seccompProfile: { type: "RuntimeDefault" },
            ...(openShift ? {} : { runAsUser: nonRootId }),
          },
          volumeMounts: [
            { name: "comm", mountPath: commDir },
            { name: "tmp", mountPath: "/tmp" },
            ...(cache ? [{ name: cache.name, mountPath: cacheDir }] : []),
            ...(tls ? [{ name: "custom-ca-cert", mountPath: caDir, readOnly: true }] : []),
          ],
          // Why it ended shows in the pod's status, and from there in the attachment's and in the workload's events.
          terminationMessagePolicy: "FallbackToLogsOnError",
        },
      ],
      volumes: [
        { name: "comm", emptyDir: { medium: "Memory", sizeLimit: commSizeLimit } },
        { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: commSizeLimit } },
        ...(cache ? [cache] : []),
        ...(tls ? [{ name: "custom-ca-cert", configMap: { name: tls } }] : []),
      ],
    },
  };
}

const caDir = "/etc/ssl/custom-ca";
const caFile = `${caDir}/ca-bundle.crt`;
const metricsPort = Number(daemonDefault("metricsPort"));
const commDir = daemonDefault("commDir");
const cacheDir = daemonDefault("cacheDir");

function daemonDefault(name: (typeof mountpointComponent.settings)[number]["name"]): string {
  return mountpointComponent.settings.find((setting) => setting.name === name)?.default ?? "";
}

function probe(path: string) {
  return { httpGet: { path, port: metricsPort } };
}

function onNode(nodeName: string) {
  const onlyThere = { matchFields: [{ key: "metadata.name", operator: "In", values: [nodeName] }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [onlyThere] } } };
}
