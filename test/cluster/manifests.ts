// The objects of the tests, as short as they can be.

export interface VolumeOptions {
  /** An existing bucket; a new one by default. */
  readonly bucket?: string;
  readonly mountOptions?: readonly string[];
  readonly accessModes?: readonly string[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly secret?: { readonly name: string; readonly namespace: string };
}

export interface PodOptions {
  readonly name: string;
  /** Claims by the directory they are mounted at. */
  readonly claims: Readonly<Record<string, string>>;
  /** Runs to its end; without one the pod sleeps. */
  readonly script?: string;
  readonly readOnly?: boolean;
  readonly subPath?: string;
  readonly securityContext?: object;
  /** The node's name; the scheduler still has its say, as with any pod of a user. */
  readonly node?: string | undefined;
  /** Merged over the pod's spec. */
  readonly spec?: object;
}

export function persistentVolume(name: string, bucketName: string, options: VolumeOptions) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: options.accessModes ?? ["ReadWriteMany"],
      storageClassName: "",
      persistentVolumeReclaimPolicy: "Retain",
      mountOptions: options.mountOptions ?? ["allow-delete", "allow-overwrite"],
      csi: {
        driver: "s3.csi.scality.com",
        volumeHandle: name,
        volumeAttributes: { bucketName, ...options.attributes },
        ...(options.secret ? { nodePublishSecretRef: options.secret } : {}),
      },
    },
  };
}

export function claimFor(volume: ReturnType<typeof persistentVolume>, name: string, namespace: string) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace },
    spec: { accessModes: volume.spec.accessModes, storageClassName: "", volumeName: volume.metadata.name, resources: { requests: { storage: "1Gi" } } },
  };
}

export function claimOf(storageClassName: string, name: string, accessModes: readonly string[] = ["ReadWriteMany"]) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name },
    spec: { accessModes, storageClassName, resources: { requests: { storage: "1Gi" } } },
  };
}

export function storageClass(name: string, options: { parameters?: Readonly<Record<string, string>>; reclaimPolicy?: string; bindingMode?: string; mountOptions?: readonly string[] } = {}) {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name },
    provisioner: "s3.csi.scality.com",
    reclaimPolicy: options.reclaimPolicy ?? "Delete",
    volumeBindingMode: options.bindingMode ?? "Immediate",
    mountOptions: options.mountOptions ?? ["allow-delete", "allow-overwrite"],
    parameters: options.parameters ?? {},
  };
}

export function pod(namespace: string, image: string, options: PodOptions) {
  const volumes = Object.values(options.claims).map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  const volumeMounts = Object.entries(options.claims).map(([mountPath, name]) => ({
    name,
    mountPath,
    ...(options.readOnly ? { readOnly: true } : {}),
    ...(options.subPath ? { subPath: options.subPath } : {}),
  }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: options.name, namespace },
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 1,
      securityContext: options.securityContext ?? {},
      ...(options.node ? { affinity: onNode(options.node) } : {}),
      volumes: volumes.filter((volume, index) => volumes.findIndex((other) => other.name === volume.name) === index),
      containers: [{ name: "main", image, command: ["sh", "-c", options.script ?? "trap 'exit 0' TERM; sleep 100000 & wait"], volumeMounts }],
      ...options.spec,
    },
  };
}

function onNode(name: string): object {
  const nodeSelectorTerms = [{ matchFields: [{ key: "metadata.name", operator: "In", values: [name] }] }];
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}
