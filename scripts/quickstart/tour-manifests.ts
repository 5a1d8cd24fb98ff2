// What the cluster tour applies, as a user would write it.

export function tourManifests(namespace: string, image: string) {
  const metadata = (name: string) => ({ name, namespace });
  /** With probe, it is ready when the file is there. */
  const pod = (name: string, script: string, probe?: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata(name),
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 1,
      volumes: [{ name: "photos", persistentVolumeClaim: { claimName: "photos" } }],
      containers: [
        {
          name,
          image,
          command: ["sh", "-c", script],
          volumeMounts: [{ name: "photos", mountPath: "/photos" }],
          ...(probe ? { readinessProbe: { exec: { command: ["test", "-e", probe] }, periodSeconds: 1 } } : {}),
        },
      ],
    },
  });
  return {
    storageClass: {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "s3-quickstart" },
      provisioner: "s3.csi.scality.com",
      reclaimPolicy: "Delete",
      parameters: { onDelete: "purge" },
      mountOptions: ["allow-delete", "allow-overwrite"],
    },
    claim: {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: metadata("photos"),
      spec: { accessModes: ["ReadWriteMany"], storageClassName: "s3-quickstart", resources: { requests: { storage: "1Gi" } } },
    },
    writer: pod("writer", "date > /photos/hello.txt && head -c 10000000 /dev/urandom > /photos/cat.jpg && sha256sum /photos/cat.jpg > /photos/cat.sha256"),
    // Stays, so that there is something to look at afterwards.
    reader: pod("reader", "cat /photos/hello.txt && sha256sum -c /photos/cat.sha256 && ls -l /photos && touch /tmp/done && sleep 1000000", "/tmp/done"),
  };
}
