// Values files that together reach every branch of the templates.
import type { Values } from "./chart.ts";

export const variants: Readonly<Record<string, Values>> = {
  defaults: {},
  "built-in registration": { node: { builtinRegistration: true } },
  "two replicas": { controller: { replicas: 2 } },
  "private CA as text": { tls: { caCertData: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----" } },
  "private CA in a ConfigMap": { tls: { caCertConfigMap: "corporate-ca" } },
  "other namespace and names": { mountpointPod: { namespace: "s3-mounts", priorityClassName: "s3-high" }, node: { serviceAccount: { name: "node-sa" } } },
  "secrets of two namespaces": { controller: { secretNamespaces: ["team-a", "team-b"] } },
  "private registry": { image: { containerRegistry: "registry.example.com/", tag: "9" }, imagePullSecrets: ["pull-a", "pull-b"] },
  "all taints, own tolerations": { node: { tolerateAllTaints: true, tolerations: [{ key: "gpu", operator: "Exists" }] } },
  "no network policy, no budget": { networkPolicy: { enabled: false }, controller: { podDisruptionBudget: { enabled: false } } },
  "egress to S3 only": { networkPolicy: { egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: [{ port: 443 }] }] } },
  "CRD goes with the release": { cleanupCRDOnUninstall: true },
  headroom: { mountpointPod: { headroom: { enabled: true } } },
  "existing service accounts": { node: { serviceAccount: { create: false } }, controller: { serviceAccount: { create: false } } },
  "a values file of the chart before": {
    image: { repository: "example.com/s3", tag: "2.2.0", pullPolicy: "Always" },
    node: {
      s3EndpointUrl: "https://s3.old.example.com",
      s3Region: "eu-west-1",
      logLevel: 5,
      resources: { requests: { cpu: "10m", memory: "40Mi" }, limits: { memory: "256Mi" } },
      podInfoOnMountCompat: { enable: true },
    },
    sidecars: {
      nodeDriverRegistrar: {
        env: [{ name: "KUBE_NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
        volumeMounts: [
          { name: "plugin-dir", mountPath: "/csi" },
          { name: "registration-dir", mountPath: "/registration" },
        ],
        resources: {},
      },
      livenessProbe: { volumeMounts: [{ mountPath: "/csi", name: "plugin-dir" }] },
    },
    initContainer: { installMountpoint: { resources: {} } },
    tls: { initImage: { repository: "alpine", tag: "3.21", pullPolicy: "IfNotPresent" } },
  },
};
